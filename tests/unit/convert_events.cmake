# SPDX-License-Identifier: MIT
fgi_test(convert_events
         SOURCES ${CMAKE_CURRENT_LIST_DIR}/convert_events_test.c ${CMAKE_CURRENT_LIST_DIR}/convert_bed.c
                 ${PROJECT_SOURCE_DIR}/tests/golden/capture_sample.c
         MODULES convert engine_cpu LABELS unit)
target_include_directories(test_convert_events PRIVATE "${PROJECT_SOURCE_DIR}/tests/support"
                           "${PROJECT_SOURCE_DIR}/tests/golden")
