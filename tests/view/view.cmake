# SPDX-License-Identifier: MIT
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME view_protocol_doc
         COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/protocol_doc_test.py ${PROJECT_SOURCE_DIR})
set_tests_properties(view_protocol_doc PROPERTIES LABELS view)
