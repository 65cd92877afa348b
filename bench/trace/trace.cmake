# SPDX-License-Identifier: MIT
fgi_bench(trace SOURCES ${CMAKE_CURRENT_LIST_DIR}/bench_trace.c
          ${CMAKE_CURRENT_LIST_DIR}/generated_trace.c MODULES open)
