# SPDX-License-Identifier: MIT
# Views on the device against the engine on the CPU, on each software driver.
if(NOT TARGET fg_engine_vulkan OR NOT TARGET fgt_compute_bed)
    return()
endif()
fgt_compute_test(gpu_views SOURCES ${CMAKE_CURRENT_LIST_DIR}/gpu_views_test.c ${CMAKE_CURRENT_LIST_DIR}/plain_trace.c
                                   ${CMAKE_CURRENT_LIST_DIR}/plain_graph.c
                 MODULES gpu_trace engine_cpu engine_vulkan)
target_include_directories(test_gpu_views PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/support")

# Rows of a window, and picks.
fgt_compute_test(gpu_rows SOURCES ${CMAKE_CURRENT_LIST_DIR}/gpu_rows_test.c ${CMAKE_CURRENT_LIST_DIR}/plain_trace.c
                                  ${CMAKE_CURRENT_LIST_DIR}/plain_graph.c
                 MODULES gpu_trace engine_cpu)
target_include_directories(test_gpu_rows PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/support")
