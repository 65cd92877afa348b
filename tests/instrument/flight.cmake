# SPDX-License-Identifier: MIT
set(flight_bed ${CMAKE_CURRENT_LIST_DIR}/flight_bed.c ${PROJECT_SOURCE_DIR}/tests/unit/record_bed.c)
fgi_instrument_suite(flight
                     SOURCES ${CMAKE_CURRENT_LIST_DIR}/flight_test.c ${flight_bed}
                     MODULES gpu_software LABELS threads)
