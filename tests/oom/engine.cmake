# SPDX-License-Identifier: MIT
fgi_test(engine_oom SOURCES ${CMAKE_CURRENT_LIST_DIR}/engine_oom_test.c
         ${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c MODULES engine_cpu
         LABELS oom TIMEOUT 300)
target_include_directories(test_engine_oom PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
