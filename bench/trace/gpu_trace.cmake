# SPDX-License-Identifier: MIT
# Questions to the engine on a device, beside the CPU's. The trace is the reference benchmark's.
if(TARGET fgt_compute_bed AND TARGET fg_engine_vulkan)
    fgi_bench(gpu_trace SOURCES ${CMAKE_CURRENT_LIST_DIR}/bench_gpu_trace.c
              ${CMAKE_CURRENT_LIST_DIR}/gpu_trace_nodes.c ${CMAKE_CURRENT_LIST_DIR}/gpu_trace_operations.c
              ${CMAKE_CURRENT_LIST_DIR}/gpu_trace_watch.c
              ${PROJECT_SOURCE_DIR}/src/cli/reference_trace.c ${PROJECT_SOURCE_DIR}/src/cli/process_dataset.c
              MODULES open LINK fgt_compute_bed)
endif()
