# SPDX-License-Identifier: MIT
if(TARGET fg_open AND TARGET fg_engine_cpu AND TARGET fg_capture)
    fgi_fuzz(open SOURCES ${CMAKE_CURRENT_LIST_DIR}/open_fuzz.c MODULES open
             CORPUS "${PROJECT_SOURCE_DIR}/tests/golden")
endif()
