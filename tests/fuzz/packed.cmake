# SPDX-License-Identifier: MIT
fgi_fuzz(packed SOURCES ${CMAKE_CURRENT_LIST_DIR}/packed_fuzz.c MODULES open
         CORPUS ${CMAKE_CURRENT_LIST_DIR}/packed_corpus)
