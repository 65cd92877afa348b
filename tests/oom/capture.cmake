# SPDX-License-Identifier: MIT
fgi_test(capture_oom SOURCES ${CMAKE_CURRENT_LIST_DIR}/capture_oom_test.c
         ${CMAKE_CURRENT_LIST_DIR}/../unit/capture_bed.c ${CMAKE_CURRENT_LIST_DIR}/../golden/capture_sample.c
         ${CMAKE_CURRENT_LIST_DIR}/../golden/capture_json.c MODULES capture LABELS oom TIMEOUT 300)
