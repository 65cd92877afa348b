# SPDX-License-Identifier: MIT
if(TARGET fg_record)
    fgi_test(spirv SOURCES ${CMAKE_CURRENT_LIST_DIR}/spirv_test.c MODULES record LABELS unit)
endif()
