# SPDX-License-Identifier: MIT
foreach(subject bytes sort text time)
    fgi_test(base_${subject} SOURCES ${CMAKE_CURRENT_LIST_DIR}/base_${subject}_test.c MODULES base LABELS unit)
endforeach()
