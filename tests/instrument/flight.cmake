# SPDX-License-Identifier: MIT
set(flight_bed ${CMAKE_CURRENT_LIST_DIR}/flight_bed.c ${PROJECT_SOURCE_DIR}/tests/unit/record_bed.c)
fgi_instrument_suite(flight
                     SOURCES ${CMAKE_CURRENT_LIST_DIR}/flight_test.c ${flight_bed}
                     MODULES gpu_software LABELS threads)
fgi_instrument_suite(flight_oom
                     SOURCES ${CMAKE_CURRENT_LIST_DIR}/flight_oom_test.c ${flight_bed}
                             ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c
                     MODULES gpu_software)

# Programs that crash are programs of their own; thread sanitizer holds back the signals that they get.
if(TARGET fg_gpu_software AND NOT FG_SANITIZE MATCHES "thread")
    add_executable(flight_child "${CMAKE_CURRENT_LIST_DIR}/flight_child.c")
    fgi_link(flight_child gpu_software)
    fgi_instrument_suite(flight_crash
                         SOURCES ${CMAKE_CURRENT_LIST_DIR}/flight_crash_test.c ${flight_bed}
                         MODULES gpu_software DEPENDS flight_child LEVEL FULL ALONE TIMEOUT 900
                         DEFINES FLIGHT_CHILD="$<TARGET_FILE:flight_child>" PYTHON="${Python3_EXECUTABLE}")
endif()

# The objects that a signal handler runs: what they may call is a list.
if(CMAKE_NM AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
    set(objects "$<TARGET_OBJECTS:fg_base>;$<TARGET_OBJECTS:fg_record>")
    add_test(NAME flight_calls_nothing_unsafe_in_a_handler
             COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_LIST_DIR}/flight_calls_test.py" "${CMAKE_NM}"
                     "$<FILTER:${objects},INCLUDE,/(os_posix_crash|flight_crash|flight_crash_threads|off_flight|flight_format)\\.c\\.o$>"
             COMMAND_EXPAND_LISTS)
    set_tests_properties(flight_calls_nothing_unsafe_in_a_handler PROPERTIES LABELS instrument)
endif()
