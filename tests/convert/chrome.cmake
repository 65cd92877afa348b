# SPDX-License-Identifier: MIT
fgi_test(chrome
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/chrome_test.c ${CMAKE_CURRENT_LIST_DIR}/chrome_support.c
    MODULES convert LABELS unit)
fgi_test(chrome_property
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/chrome_property_test.c ${CMAKE_CURRENT_LIST_DIR}/chrome_support.c
            ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c
    MODULES convert LABELS property TIMEOUT 300)
add_test(NAME chrome_repairs COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_LIST_DIR}/chrome_repairs_test.py")
