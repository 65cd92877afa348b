# SPDX-License-Identifier: MIT
fgi_instrument_suite(history
                     SOURCES ${CMAKE_CURRENT_LIST_DIR}/history_test.c
                             ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c
                     LEVEL FULL LABELS threads
                     DEFINES FG_LIBRARY_LEVEL=${FG_LEVEL})
