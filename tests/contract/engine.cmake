# SPDX-License-Identifier: MIT
set(contract_sources
    ${CMAKE_CURRENT_LIST_DIR}/engine_test.c ${CMAKE_CURRENT_LIST_DIR}/engine_contract.c
    ${CMAKE_CURRENT_LIST_DIR}/engine_contract_more.c ${CMAKE_CURRENT_LIST_DIR}/engine_contract_views.c ${CMAKE_CURRENT_LIST_DIR}/engine_contract_compare.c
    ${PROJECT_SOURCE_DIR}/tests/support/same_comparison.c
    ${CMAKE_CURRENT_LIST_DIR}/engine_contract_events.c ${CMAKE_CURRENT_LIST_DIR}/engine_contract_filter.c ${CMAKE_CURRENT_LIST_DIR}/engine_contract_graph.c ${CMAKE_CURRENT_LIST_DIR}/engine_contract_links.c
    ${CMAKE_CURRENT_LIST_DIR}/engine_contract_numbers.c ${CMAKE_CURRENT_LIST_DIR}/engine_contract_scores.c
    ${CMAKE_CURRENT_LIST_DIR}/contract_selection.c
    ${CMAKE_CURRENT_LIST_DIR}/plain_graph.c
    ${CMAKE_CURRENT_LIST_DIR}/engine_contract_table.c ${CMAKE_CURRENT_LIST_DIR}/plain_trace.c)
# Sanitizers look for other mistakes than the oracle does, at a tenth of the speed.
set(contract_traces 1500)
if(FG_SANITIZE)
    set(contract_traces 400)
endif()
fgi_test(engine_contract SOURCES ${contract_sources} MODULES engine_cpu LABELS contract property
         DEFINES TRACES=${contract_traces} TIMEOUT 600)
target_include_directories(test_engine_contract PRIVATE "${PROJECT_SOURCE_DIR}/tests")

# The same modules once more with blocks of 8 spans and bins of 2: small traces cross every boundary.
foreach(module trace engine_cpu)
    get_target_property(sources fg_${module} SOURCES)
    get_target_property(folder fg_${module} SOURCE_DIR)
    list(TRANSFORM sources PREPEND "${folder}/")
    add_library(fgt_${module}_small OBJECT ${sources})
    target_include_directories(fgt_${module}_small PRIVATE "${PROJECT_SOURCE_DIR}/src"
                               "${PROJECT_SOURCE_DIR}/include")
    target_compile_definitions(fgt_${module}_small PUBLIC FGI_BLOCK_SPANS=8u FGI_BIN_ENTRIES=2u
                               FGI_LINK_LOOKS=2u FGI_LINK_LEAF=2u)
    target_link_libraries(fgt_${module}_small PRIVATE fg_flags)
endforeach()
fgi_test(engine_contract_small
         SOURCES ${contract_sources} $<TARGET_OBJECTS:fgt_trace_small>
                 $<TARGET_OBJECTS:fgt_engine_cpu_small>
         MODULES base LABELS contract property DEFINES FGI_BLOCK_SPANS=8u FGI_BIN_ENTRIES=2u
         TRACES=${contract_traces} TIMEOUT 600)
target_include_directories(test_engine_contract_small PRIVATE "${PROJECT_SOURCE_DIR}/tests")
