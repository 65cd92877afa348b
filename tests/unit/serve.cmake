# SPDX-License-Identifier: MIT
fgi_test(serve_guard SOURCES ${CMAKE_CURRENT_LIST_DIR}/serve_guard_test.c MODULES serve LABELS unit)
