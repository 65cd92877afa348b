# SPDX-License-Identifier: MIT
fgi_bench(chrome SOURCES ${CMAKE_CURRENT_LIST_DIR}/bench_chrome.c MODULES convert)
