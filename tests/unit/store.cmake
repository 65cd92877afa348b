# SPDX-License-Identifier: MIT
fgi_test(rising SOURCES ${CMAKE_CURRENT_LIST_DIR}/rising_test.c MODULES trace LABELS unit)
fgi_test(capture_columns SOURCES ${CMAKE_CURRENT_LIST_DIR}/capture_columns_test.c MODULES convert LABELS unit)
foreach(test rising capture_columns)
    target_include_directories(test_${test} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
endforeach()
