# SPDX-License-Identifier: MIT
# The contract of engine.cmake and graph.cmake over the engine on a Vulkan device, on each software driver.
if(NOT FG_GLSLANG OR NOT TARGET fg_engine_vulkan OR NOT TARGET fgt_compute_bed)
    return()
endif()
# Small traces, but each answer waits for a device: fewer of them than of the CPU engine's. A run
# takes a third more of the engine's traces, and the graph's for each of nine questions.
# SwiftShader makes all pipelines anew in every process, which costs more than the traces: it runs the
# programs alone whose small blocks cross every boundary, for a few. More: make gpu-traces.
set(vulkan_traces_engine 15)
set(vulkan_traces_graph 10)
if(FG_SANITIZE)
    set(vulkan_traces_engine 6)
    set(vulkan_traces_graph 4)
endif()
set(swiftshader_traces_engine 4)
set(swiftshader_traces_graph 2)
get_target_property(sources fg_engine_vulkan SOURCES)
get_target_property(folder fg_engine_vulkan SOURCE_DIR)
list(TRANSFORM sources PREPEND "${folder}/")
add_library(fgt_engine_vulkan_small OBJECT ${sources})
target_include_directories(fgt_engine_vulkan_small PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include"
                           "${FG_VULKAN_INCLUDE}")
target_compile_definitions(fgt_engine_vulkan_small PRIVATE VK_NO_PROTOTYPES FGI_BLOCK_SPANS=8u FGI_BIN_ENTRIES=2u
                           FGI_LINK_LOOKS=2u FGI_LINK_LEAF=2u FGI_GPU_ALONE_ROWS=2u)
target_link_libraries(fgt_engine_vulkan_small PRIVATE fg_flags)

# What "make gpu-traces" runs.
add_custom_target(gpu_traces)
foreach(suite engine graph)
    if(suite STREQUAL "engine")
        set(files ${contract_sources})
    else()
        set(files ${graph_sources})
    endif()
    list(REMOVE_ITEM files "${CMAKE_CURRENT_LIST_DIR}/engine_contract_table.c")
    list(APPEND files "${CMAKE_CURRENT_LIST_DIR}/engine_contract_vulkan.c")
    fgt_compute_test(${suite}_contract_vulkan SOURCES ${files} MODULES engine_cpu engine_vulkan TIMEOUT 600
                     NOT_ON swiftshader)
    fgt_compute_test(${suite}_contract_vulkan_small
                     SOURCES ${files} $<TARGET_OBJECTS:fgt_trace_small> $<TARGET_OBJECTS:fgt_engine_cpu_small>
                             $<TARGET_OBJECTS:fgt_engine_vulkan_small> $<TARGET_OBJECTS:fg_gpu_trace>
                     MODULES base primitives TIMEOUT 600)
    target_compile_definitions(test_${suite}_contract_vulkan_small PRIVATE FGI_BLOCK_SPANS=8u FGI_BIN_ENTRIES=2u
                               FGI_LINK_LOOKS=2u FGI_LINK_LEAF=2u)
    if(TEST ${suite}_contract_vulkan_small_swiftshader)
        set_property(TEST ${suite}_contract_vulkan_small_swiftshader APPEND PROPERTY
                     ENVIRONMENT "FG_TRACES=${swiftshader_traces_${suite}}")
    endif()
    foreach(name ${suite}_contract_vulkan ${suite}_contract_vulkan_small)
        add_dependencies(gpu_traces test_${name})
        target_compile_definitions(test_${name} PRIVATE TRACES=${vulkan_traces_${suite}})
        target_include_directories(test_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/support")
    endforeach()
endforeach()

fgt_compute_test(gpu_links SOURCES ${CMAKE_CURRENT_LIST_DIR}/gpu_links_test.c MODULES engine_cpu engine_vulkan TIMEOUT 300)
target_include_directories(test_gpu_links PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/support")
fgt_compute_test(gpu_links_face SOURCES ${CMAKE_CURRENT_LIST_DIR}/gpu_links_face_test.c MODULES engine_cpu gpu_trace
                 TIMEOUT 300)
target_include_directories(test_gpu_links_face PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/support")
fgt_compute_test(gpu_links_lines SOURCES ${CMAKE_CURRENT_LIST_DIR}/gpu_links_lines_test.c MODULES gpu_trace)
target_include_directories(test_gpu_links_lines PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/support")
