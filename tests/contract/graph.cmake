# SPDX-License-Identifier: MIT
set(graph_sources
    ${CMAKE_CURRENT_LIST_DIR}/graph_test.c ${CMAKE_CURRENT_LIST_DIR}/graph_bed.c ${CMAKE_CURRENT_LIST_DIR}/graph_derived.c ${CMAKE_CURRENT_LIST_DIR}/graph_focus.c
    ${CMAKE_CURRENT_LIST_DIR}/graph_limits.c ${CMAKE_CURRENT_LIST_DIR}/graph_display.c
    ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c ${CMAKE_CURRENT_LIST_DIR}/graph_path.c
    ${CMAKE_CURRENT_LIST_DIR}/engine_contract_table.c)
# Sanitizers look for other mistakes than the oracle does, at a tenth of the speed.
set(graph_traces 1000)
if(FG_SANITIZE)
    set(graph_traces 150)
endif()
fgi_test(graph_contract SOURCES ${graph_sources} MODULES engine_cpu LABELS contract property
         DEFINES TRACES=${graph_traces} TIMEOUT 600)
target_include_directories(test_graph_contract PRIVATE "${PROJECT_SOURCE_DIR}/tests")
# With the modules of engine.cmake that have small blocks, few looks at a cell, and small leaves.
fgi_test(graph_contract_small
         SOURCES ${graph_sources} $<TARGET_OBJECTS:fgt_trace_small>
                 $<TARGET_OBJECTS:fgt_engine_cpu_small>
         MODULES base LABELS contract property DEFINES FGI_BLOCK_SPANS=8u FGI_BIN_ENTRIES=2u
         FGI_LINK_LOOKS=2u FGI_LINK_LEAF=2u TRACES=${graph_traces} TIMEOUT 600)
target_include_directories(test_graph_contract_small PRIVATE "${PROJECT_SOURCE_DIR}/tests")
