# SPDX-License-Identifier: MIT
fgi_instrument_suite(zones SOURCES ${CMAKE_CURRENT_LIST_DIR}/zones_test.c LEVEL FULL LABELS threads)
fgi_instrument_suite(threads
                     SOURCES ${CMAKE_CURRENT_LIST_DIR}/threads_test.c
                             ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c
                     LEVEL FULL LABELS threads)
fgi_instrument_suite(ticks SOURCES ${CMAKE_CURRENT_LIST_DIR}/ticks_test.c LEVEL STATS LABELS threads)
fgi_instrument_suite(names SOURCES ${CMAKE_CURRENT_LIST_DIR}/names_test.c LEVEL STATS)
