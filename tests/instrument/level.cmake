# SPDX-License-Identifier: MIT
# What compilers, the linker and CMake make of the levels.
if(NOT FG_SANITIZE)
    add_test(NAME instrument_levels
             COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/level/test_levels.py" "${PROJECT_SOURCE_DIR}"
                     ${FG_LEVEL} $<TARGET_FILE:frameglass_record> $<TARGET_FILE:frameglass_core>)
    set_tests_properties(instrument_levels PROPERTIES LABELS instrument TIMEOUT 600)
endif()
