# SPDX-License-Identifier: MIT
foreach(subject answers message questions state)
    fgi_test(view_${subject}
             SOURCES ${CMAKE_CURRENT_LIST_DIR}/view_${subject}_test.c ${PROJECT_SOURCE_DIR}/tests/support/view_bed.c
             MODULES view engine_cpu LABELS unit)
endforeach()
fgi_test(view_threads
         SOURCES ${CMAKE_CURRENT_LIST_DIR}/view_threads_test.c ${PROJECT_SOURCE_DIR}/tests/support/view_bed.c
         MODULES view engine_cpu LABELS unit threads)
