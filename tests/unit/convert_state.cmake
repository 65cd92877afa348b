# SPDX-License-Identifier: MIT
fgi_test(convert_state
         SOURCES ${CMAKE_CURRENT_LIST_DIR}/convert_state_test.c ${CMAKE_CURRENT_LIST_DIR}/convert_bed.c
                 ${PROJECT_SOURCE_DIR}/tests/golden/capture_sample.c
         MODULES convert engine_cpu LABELS unit)
target_include_directories(test_convert_state PRIVATE "${PROJECT_SOURCE_DIR}/tests/support"
                           "${PROJECT_SOURCE_DIR}/tests/golden")
