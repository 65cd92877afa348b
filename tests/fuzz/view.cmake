# SPDX-License-Identifier: MIT
fgi_fuzz(view
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/view_fuzz.c ${PROJECT_SOURCE_DIR}/tests/support/view_bed.c
    MODULES view engine_cpu
    LINK cmocka
    CORPUS ${CMAKE_CURRENT_LIST_DIR}/view_corpus)
target_include_directories(test_fuzz_view PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
if(TARGET fuzz_view)
    target_include_directories(fuzz_view PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
endif()
