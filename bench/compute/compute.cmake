# SPDX-License-Identifier: MIT
if(TARGET fgt_compute_bed AND TARGET fg_primitives)
    include(Kernels)
    fgi_bench(compute SOURCES "${CMAKE_CURRENT_LIST_DIR}/compute_bench.c" MODULES primitives LINK fgt_compute_bed)
    fgi_kernel(bench_compute noise SOURCE "${CMAKE_CURRENT_LIST_DIR}/kernels/noise.comp")
endif()
