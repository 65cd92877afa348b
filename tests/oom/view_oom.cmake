# SPDX-License-Identifier: MIT
fgi_test(view_oom
         SOURCES ${CMAKE_CURRENT_LIST_DIR}/view_oom_test.c ${PROJECT_SOURCE_DIR}/tests/support/view_bed.c
                 ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c
         MODULES view engine_cpu LABELS oom)
