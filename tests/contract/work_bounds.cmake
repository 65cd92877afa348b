# SPDX-License-Identifier: MIT
fgi_test(work_bounds SOURCES ${CMAKE_CURRENT_LIST_DIR}/work_bounds_test.c MODULES engine_cpu LABELS contract)
target_include_directories(test_work_bounds PRIVATE "${PROJECT_SOURCE_DIR}/tests")
