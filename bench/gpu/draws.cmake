# SPDX-License-Identifier: MIT
fgi_bench(draws SOURCES "${CMAKE_CURRENT_LIST_DIR}/draws_bench.c" MODULES gpu_draws)
