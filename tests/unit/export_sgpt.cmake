# SPDX-License-Identifier: MIT
fgi_test(export_sgpt SOURCES ${CMAKE_CURRENT_LIST_DIR}/export_sgpt_test.c ${PROJECT_SOURCE_DIR}/tests/support/same_trace.c
         MODULES convert LABELS unit)
target_include_directories(test_export_sgpt PRIVATE "${PROJECT_SOURCE_DIR}/tests")
