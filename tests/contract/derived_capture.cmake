# SPDX-License-Identifier: MIT
fgi_test(derived_capture SOURCES ${CMAKE_CURRENT_LIST_DIR}/derived_capture_test.c
         ${PROJECT_SOURCE_DIR}/tests/support/record_some.c
         MODULES open record gpu_software LABELS contract)
target_include_directories(test_derived_capture PRIVATE "${PROJECT_SOURCE_DIR}/tests")
