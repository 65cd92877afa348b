# SPDX-License-Identifier: MIT
fgi_test(export_sgpt SOURCES ${CMAKE_CURRENT_LIST_DIR}/export_sgpt_test.c MODULES convert LABELS unit)
