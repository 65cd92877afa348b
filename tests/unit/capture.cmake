# SPDX-License-Identifier: MIT
set(golden ${CMAKE_CURRENT_LIST_DIR}/../golden)
foreach(subject codec file section repair amend redact damage)
    fgi_test(capture_${subject} SOURCES ${CMAKE_CURRENT_LIST_DIR}/capture_${subject}_test.c
             ${CMAKE_CURRENT_LIST_DIR}/capture_fill.c ${CMAKE_CURRENT_LIST_DIR}/capture_bed.c
             ${golden}/capture_sample.c ${golden}/converted_sample.c ${golden}/capture_json.c MODULES capture LABELS unit TIMEOUT 300)
endforeach()
