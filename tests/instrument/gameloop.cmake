# SPDX-License-Identifier: MIT
# The host of the examples at the level of this build; its capture where the command line is built.
if(TARGET example_gameloop)
    set(environment "FG_GAMELOOP=$<TARGET_FILE:example_gameloop>" "FG_LEVEL_NAME=${FG_LEVEL_NAME}")
    if(TARGET frameglass)
        list(APPEND environment "FG_FRAMEGLASS=$<TARGET_FILE:frameglass>")
    endif()
    add_test(NAME gameloop COMMAND "${Python3_EXECUTABLE}" -B ${CMAKE_CURRENT_LIST_DIR}/gameloop_test.py)
    set_tests_properties(gameloop PROPERTIES LABELS instrument TIMEOUT 300 ENVIRONMENT "${environment}")
endif()
