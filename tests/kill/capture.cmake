# SPDX-License-Identifier: MIT
set(kill_bed ${CMAKE_CURRENT_LIST_DIR}/kill_bed.c)
fgi_test(capture_kill SOURCES ${CMAKE_CURRENT_LIST_DIR}/capture_kill_test.c ${kill_bed}
         ${CMAKE_CURRENT_LIST_DIR}/../golden/capture_sample.c MODULES capture LABELS unit TIMEOUT 300)
fgi_test(session_kill SOURCES ${CMAKE_CURRENT_LIST_DIR}/session_kill_test.c ${kill_bed}
         MODULES gpu_software LABELS unit TIMEOUT 300)
if(FG_LEVEL EQUAL 2)
    fgi_test(process_kill SOURCES ${CMAKE_CURRENT_LIST_DIR}/process_kill_test.c ${kill_bed}
             MODULES record LABELS unit TIMEOUT 300)
endif()
