# SPDX-License-Identifier: MIT
set(stream_bed ${CMAKE_CURRENT_LIST_DIR}/stream_bed.c ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c)
fgi_instrument_suite(stream SOURCES ${CMAKE_CURRENT_LIST_DIR}/stream_test.c ${stream_bed}
                     LEVEL FULL LABELS threads TIMEOUT 300)
fgi_instrument_suite(stream_writer SOURCES ${CMAKE_CURRENT_LIST_DIR}/stream_writer_test.c ${stream_bed}
                     LEVEL FULL LABELS threads TIMEOUT 300)
