# SPDX-License-Identifier: MIT
# What compilers, the linker and CMake make of the levels. What does not depend on the library's level is
# the same in the small builds of the recorder.
if(NOT FG_SANITIZE)
    set(which all)
    if(FG_RECORDER_ONLY)
        set(which library)
    endif()
    add_test(NAME instrument_levels
             COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/level/test_levels.py" "${PROJECT_SOURCE_DIR}"
                     ${FG_LEVEL} ${which} $<TARGET_FILE:frameglass_record> $<TARGET_FILE:frameglass_core>)
    set_tests_properties(instrument_levels PROPERTIES LABELS instrument TIMEOUT 600)
endif()
