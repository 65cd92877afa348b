# SPDX-License-Identifier: MIT
fgi_instrument_suite(frames SOURCES ${CMAKE_CURRENT_LIST_DIR}/frames_test.c
                     LEVEL STATS LABELS threads
                     DEFINES FG_LIBRARY_LEVEL=${FG_LEVEL})
