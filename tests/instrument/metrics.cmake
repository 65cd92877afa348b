# SPDX-License-Identifier: MIT
fgi_instrument_suite(metrics
                     SOURCES ${CMAKE_CURRENT_LIST_DIR}/metrics_test.c
                             ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c
                     LEVEL STATS LABELS threads
                     DEFINES FG_LIBRARY_LEVEL=${FG_LEVEL})
