# SPDX-License-Identifier: MIT
fgi_instrument_suite(objects
                     SOURCES ${CMAKE_CURRENT_LIST_DIR}/objects_test.c
                             ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c
                     LEVEL STATS LABELS threads
                     DEFINES FG_LIBRARY_LEVEL=${FG_LEVEL})
