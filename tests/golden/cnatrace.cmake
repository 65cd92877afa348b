# SPDX-License-Identifier: MIT
fgi_test(cnatrace_golden SOURCES ${CMAKE_CURRENT_LIST_DIR}/cnatrace_golden_test.c MODULES capture LABELS golden)
