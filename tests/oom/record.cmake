# SPDX-License-Identifier: MIT
fgi_test(record_oom SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_oom_test.c"
         "${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c"
         MODULES gpu_software LABELS oom TIMEOUT 300)
