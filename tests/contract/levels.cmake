# SPDX-License-Identifier: MIT
set(levels_traces 150)
if(FG_SANITIZE)
    set(levels_traces 40)
endif()
fgi_test(levels SOURCES ${CMAKE_CURRENT_LIST_DIR}/levels_test.c ${CMAKE_CURRENT_LIST_DIR}/plain_graph.c
         ${CMAKE_CURRENT_LIST_DIR}/plain_trace.c
         MODULES engine_cpu LABELS contract property DEFINES TRACES=${levels_traces})
target_include_directories(test_levels PRIVATE "${PROJECT_SOURCE_DIR}/tests")
