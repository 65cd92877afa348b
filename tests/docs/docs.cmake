# SPDX-License-Identifier: MIT
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME readme COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/readme_test.py)
set_tests_properties(readme PROPERTIES ENVIRONMENT "FG_SOURCE_DIR=${PROJECT_SOURCE_DIR}" LABELS docs)
