# SPDX-License-Identifier: MIT
fgi_test(trace SOURCES ${CMAKE_CURRENT_LIST_DIR}/trace_test.c MODULES trace LABELS unit)
target_include_directories(test_trace PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
