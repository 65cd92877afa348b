# SPDX-License-Identifier: MIT
add_test(NAME view_protocol_doc
         COMMAND "${Python3_EXECUTABLE}" ${CMAKE_CURRENT_LIST_DIR}/protocol_doc_test.py ${PROJECT_SOURCE_DIR})
set_tests_properties(view_protocol_doc PROPERTIES LABELS view)
fgi_test(view_growth
         SOURCES ${CMAKE_CURRENT_LIST_DIR}/view_growth_test.c ${PROJECT_SOURCE_DIR}/tests/support/view_bed.c
                 ${PROJECT_SOURCE_DIR}/tests/unit/capture_bed.c ${PROJECT_SOURCE_DIR}/tests/golden/capture_sample.c
                 ${PROJECT_SOURCE_DIR}/tests/golden/capture_json.c
         MODULES view open LABELS view threads)
fgi_test(view_explore
         SOURCES ${CMAKE_CURRENT_LIST_DIR}/view_explore_test.c ${PROJECT_SOURCE_DIR}/tests/support/view_bed.c
         MODULES view engine_cpu LABELS view)
fgi_test(view_task
         SOURCES ${CMAKE_CURRENT_LIST_DIR}/view_task_test.c ${PROJECT_SOURCE_DIR}/tests/support/view_bed.c
         MODULES view engine_cpu LABELS view)
