# SPDX-License-Identifier: MIT
if(TARGET frameglass AND NOT FG_SANITIZE)
    add_test(NAME installed_for_others
             COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_install.py"
                     "${PROJECT_BINARY_DIR}" "${CMAKE_C_COMPILER}" "${FG_LEVEL_NAME}")
    set_tests_properties(installed_for_others PROPERTIES LABELS install TIMEOUT 300)
endif()
