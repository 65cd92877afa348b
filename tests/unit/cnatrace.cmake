# SPDX-License-Identifier: MIT
fgi_test(cnatrace SOURCES ${CMAKE_CURRENT_LIST_DIR}/cnatrace_test.c MODULES capture LABELS unit)
