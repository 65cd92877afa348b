# SPDX-License-Identifier: MIT
fgi_instrument_suite(snapshot
                     SOURCES ${CMAKE_CURRENT_LIST_DIR}/snapshot_test.c
                             ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c
                     LABELS threads
                     DEFINES FG_LIBRARY_LEVEL=${FG_LEVEL})
