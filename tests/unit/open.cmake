# SPDX-License-Identifier: MIT
if(TARGET fg_capture AND TARGET fg_engine_cpu)
    fgi_test(open_packing SOURCES ${CMAKE_CURRENT_LIST_DIR}/open_packing_test.c MODULES open LABELS unit)
endif()
