# SPDX-License-Identifier: MIT
# Real traces of other programs are not part of this repository: FG_CORPUS says where they lie.
set(beside "${PROJECT_SOURCE_DIR}/../shared/corpus")
if(DEFINED ENV{FG_CORPUS})
    set(beside "$ENV{FG_CORPUS}")
elseif(NOT EXISTS "${beside}/INDEX.md")
    set(beside "")
endif()
cmake_path(NORMAL_PATH beside)
set(FG_CORPUS "${beside}" CACHE PATH "Folder of real traces with INDEX.md; empty: not tested")
if(TARGET frameglass)
    add_test(NAME corpus COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/corpus_test.py")
    set_tests_properties(corpus PROPERTIES LABELS corpus TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT
        "FRAMEGLASS=$<TARGET_FILE:frameglass>;FG_CORPUS=${FG_CORPUS}")
endif()
