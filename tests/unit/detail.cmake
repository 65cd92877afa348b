# SPDX-License-Identifier: MIT
fgi_test(detail SOURCES "${CMAKE_CURRENT_LIST_DIR}/detail_test.c" "${CMAKE_CURRENT_LIST_DIR}/record_bed.c"
                        "${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c"
         MODULES open record gpu_software LABELS unit)
