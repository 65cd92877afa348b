# SPDX-License-Identifier: MIT
fgi_test(open_oom
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/open_oom_test.c
            ${PROJECT_SOURCE_DIR}/tests/support/record_some.c
            ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c
    MODULES open record gpu_software LABELS oom TIMEOUT 300)
