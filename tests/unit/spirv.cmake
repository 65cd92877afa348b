# SPDX-License-Identifier: MIT
fgi_test(spirv SOURCES ${CMAKE_CURRENT_LIST_DIR}/spirv_test.c MODULES record LABELS unit)
