# SPDX-License-Identifier: MIT
fgi_instrument_suite(sources SOURCES ${CMAKE_CURRENT_LIST_DIR}/sources_test.c
                     LEVEL STATS LABELS threads
                     DEFINES FG_LIBRARY_LEVEL=${FG_LEVEL})
