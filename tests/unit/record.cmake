# SPDX-License-Identifier: MIT
set(bed "${CMAKE_CURRENT_LIST_DIR}/record_bed.c")
foreach(part attribution roundtrip session timers timing)
    fgi_test(record_${part} SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_${part}_test.c" "${bed}"
             MODULES gpu_software LABELS unit)
endforeach()
