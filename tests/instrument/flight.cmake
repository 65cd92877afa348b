# SPDX-License-Identifier: MIT
set(flight_bed ${CMAKE_CURRENT_LIST_DIR}/flight_bed.c ${PROJECT_SOURCE_DIR}/tests/unit/record_bed.c)
fgi_instrument_suite(flight
                     SOURCES ${CMAKE_CURRENT_LIST_DIR}/flight_test.c ${flight_bed}
                     MODULES gpu_software LABELS threads)

# Programs that crash are programs of their own; thread sanitizer holds back the signals that they get.
if(TARGET fg_gpu_software AND NOT FG_SANITIZE MATCHES "thread")
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    add_executable(flight_child "${CMAKE_CURRENT_LIST_DIR}/flight_child.c")
    fgi_link(flight_child gpu_software)
    fgi_instrument_suite(flight_crash
                         SOURCES ${CMAKE_CURRENT_LIST_DIR}/flight_crash_test.c ${flight_bed}
                         MODULES gpu_software DEPENDS flight_child
                         DEFINES FLIGHT_CHILD="$<TARGET_FILE:flight_child>" PYTHON="${Python3_EXECUTABLE}")
endif()
