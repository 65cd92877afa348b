# SPDX-License-Identifier: MIT
fgi_test(chrome_reports
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/chrome_reports_test.c ${CMAKE_CURRENT_LIST_DIR}/chrome_support.c
    MODULES convert LABELS unit)
fgi_test(chrome_dialects
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/chrome_dialects_test.c ${CMAKE_CURRENT_LIST_DIR}/chrome_support.c
    MODULES convert LABELS unit)
fgi_test(chrome_items
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/chrome_items_test.c ${CMAKE_CURRENT_LIST_DIR}/chrome_support.c
    MODULES convert LABELS unit)
