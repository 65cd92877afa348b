# SPDX-License-Identifier: MIT
add_test(NAME source_rules COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/check-source")
add_test(NAME layer_rules COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/check-layers")
add_test(NAME rules_find_what_is_planted
         COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_checks.py")
add_test(NAME tests_are_counted
         COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_counting.py")
add_test(NAME profilers_find_names_in_the_profiling_build
         COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_profiling.py")
set_tests_properties(profilers_find_names_in_the_profiling_build PROPERTIES ENVIRONMENT "CMAKE=${CMAKE_COMMAND}")
set_tests_properties(profilers_find_names_in_the_profiling_build tests_are_counted source_rules layer_rules rules_find_what_is_planted PROPERTIES LABELS tools)
