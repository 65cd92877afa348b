# SPDX-License-Identifier: MIT
fgi_test(open_packing SOURCES ${CMAKE_CURRENT_LIST_DIR}/open_packing_test.c MODULES open LABELS unit)
