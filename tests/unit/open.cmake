# SPDX-License-Identifier: MIT
fgi_test(open_packing SOURCES ${CMAKE_CURRENT_LIST_DIR}/open_packing_test.c MODULES open LABELS unit)
fgi_test(open_follow SOURCES ${CMAKE_CURRENT_LIST_DIR}/open_follow_test.c ${CMAKE_CURRENT_LIST_DIR}/capture_bed.c
         ${CMAKE_CURRENT_LIST_DIR}/../golden/capture_sample.c ${CMAKE_CURRENT_LIST_DIR}/../golden/capture_json.c
         MODULES open LABELS unit)
fgi_test(open_limit SOURCES ${CMAKE_CURRENT_LIST_DIR}/open_limit_test.c ${CMAKE_CURRENT_LIST_DIR}/capture_bed.c
         ${CMAKE_CURRENT_LIST_DIR}/../golden/capture_sample.c ${CMAKE_CURRENT_LIST_DIR}/../golden/capture_json.c
         MODULES open LABELS unit)
