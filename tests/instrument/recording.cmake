# SPDX-License-Identifier: MIT
fgi_instrument_suite(recording
                     SOURCES ${CMAKE_CURRENT_LIST_DIR}/recording_test.c
                             ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c
                     LEVEL FULL LABELS threads)
