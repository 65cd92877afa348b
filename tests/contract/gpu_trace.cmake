# SPDX-License-Identifier: MIT
# A trace on the device against plain loops, on each software driver.
if(NOT TARGET fg_gpu_trace OR NOT TARGET fgt_compute_bed)
    return()
endif()
fgt_compute_test(gpu_trace SOURCES ${CMAKE_CURRENT_LIST_DIR}/gpu_trace_test.c ${CMAKE_CURRENT_LIST_DIR}/plain_trace.c
                                   ${CMAKE_CURRENT_LIST_DIR}/plain_graph.c
                 MODULES gpu_trace)
target_include_directories(test_gpu_trace PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/support")

# Twenty million rows: on the driver that is quicker at it.
fgt_compute_test(gpu_trace_big SOURCES ${CMAKE_CURRENT_LIST_DIR}/gpu_trace_big_test.c MODULES gpu_trace TIMEOUT 300
                 NOT_ON swiftshader)
target_include_directories(test_gpu_trace_big PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/support")

# Its numbers against those of the other engine.
if(TARGET fg_engine_vulkan)
    fgt_compute_test(gpu_numbers SOURCES ${CMAKE_CURRENT_LIST_DIR}/gpu_numbers_test.c MODULES engine_cpu engine_vulkan)
    target_include_directories(test_gpu_numbers PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/support")
endif()

# And as callers of the library get them, against plain loops.
fgt_compute_test(gpu_numbers_face SOURCES ${CMAKE_CURRENT_LIST_DIR}/gpu_numbers_face_test.c MODULES gpu_trace)
target_include_directories(test_gpu_numbers_face PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/support")
