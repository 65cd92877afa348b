# SPDX-License-Identifier: MIT
fgi_instrument_suite(draws SOURCES "${CMAKE_CURRENT_LIST_DIR}/draws_test.c" MODULES gpu_software LEVEL STATS)
