# SPDX-License-Identifier: MIT
# Pictures by a device against those by the CPU, on each software driver.
if(NOT TARGET fg_render_device OR NOT TARGET fgt_compute_bed)
    return()
endif()
fgt_compute_test(render_device SOURCES ${CMAKE_CURRENT_LIST_DIR}/render_device_test.c MODULES render_device engine_cpu)
target_include_directories(test_render_device PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${CMAKE_CURRENT_LIST_DIR}")
