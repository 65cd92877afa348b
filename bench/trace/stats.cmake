# SPDX-License-Identifier: MIT
fgi_bench(stats SOURCES ${CMAKE_CURRENT_LIST_DIR}/bench_stats.c
          ${CMAKE_CURRENT_LIST_DIR}/generated_trace.c MODULES engine_cpu)
