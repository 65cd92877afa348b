# SPDX-License-Identifier: MIT
fgi_test(capture_kill SOURCES ${CMAKE_CURRENT_LIST_DIR}/capture_kill_test.c ${CMAKE_CURRENT_LIST_DIR}/../golden/capture_sample.c
         MODULES capture LABELS unit TIMEOUT 300)
