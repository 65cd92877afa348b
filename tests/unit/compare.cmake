# SPDX-License-Identifier: MIT
fgi_test(compare SOURCES ${CMAKE_CURRENT_LIST_DIR}/compare_test.c ${CMAKE_CURRENT_LIST_DIR}/compare_bed.c
         ${PROJECT_SOURCE_DIR}/tests/support/same_comparison.c
         MODULES engine_cpu LABELS unit)
fgi_test(compare_work SOURCES ${CMAKE_CURRENT_LIST_DIR}/compare_work_test.c ${CMAKE_CURRENT_LIST_DIR}/compare_bed.c
         ${PROJECT_SOURCE_DIR}/tests/support/same_comparison.c
         MODULES engine_cpu LABELS unit)
fgi_test(view_compare
         SOURCES ${CMAKE_CURRENT_LIST_DIR}/view_compare_test.c ${PROJECT_SOURCE_DIR}/tests/support/view_bed.c
         MODULES view engine_cpu LABELS unit)
foreach(test compare compare_work view_compare)
    target_include_directories(test_${test} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
endforeach()
