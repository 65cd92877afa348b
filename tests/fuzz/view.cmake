# SPDX-License-Identifier: MIT
fgi_fuzz(view
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/view_fuzz.c ${PROJECT_SOURCE_DIR}/tests/support/view_bed.c
    MODULES view engine_cpu
    LINK cmocka
    INCLUDE ${PROJECT_SOURCE_DIR}/tests/support
    CORPUS ${CMAKE_CURRENT_LIST_DIR}/view_corpus
    MUTATOR ${CMAKE_CURRENT_LIST_DIR}/view_mutator.c)
