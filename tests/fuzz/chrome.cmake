# SPDX-License-Identifier: MIT
fgi_fuzz(chrome SOURCES ${CMAKE_CURRENT_LIST_DIR}/chrome_fuzz.c MODULES convert
         CORPUS ${CMAKE_CURRENT_LIST_DIR}/chrome_corpus)
