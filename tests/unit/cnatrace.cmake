# SPDX-License-Identifier: MIT
fgi_test(cnatrace SOURCES ${CMAKE_CURRENT_LIST_DIR}/cnatrace_test.c MODULES capture LABELS unit)
fgi_test(cnatrace_trace SOURCES ${CMAKE_CURRENT_LIST_DIR}/cnatrace_trace_test.c
         ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c MODULES convert LABELS unit)
