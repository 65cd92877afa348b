# SPDX-License-Identifier: MIT
# How the engine on a device keeps house, on each software driver.
if(TARGET fg_engine_vulkan AND TARGET fgt_compute_bed)
    fgt_compute_test(gpu_home SOURCES ${CMAKE_CURRENT_LIST_DIR}/gpu_home_test.c MODULES engine_cpu engine_vulkan)
    target_include_directories(test_gpu_home PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/tests/support")
endif()
