# SPDX-License-Identifier: MIT
# Sanitizers look for other mistakes than the oracle does, at a tenth of the speed.
set(many_names 1000000)
if(FG_SANITIZE)
    set(many_names 100000)
endif()
fgi_test(many_names SOURCES ${CMAKE_CURRENT_LIST_DIR}/many_names_test.c MODULES engine_cpu LABELS contract
         DEFINES NAMES=${many_names}u)
target_include_directories(test_many_names PRIVATE "${PROJECT_SOURCE_DIR}/tests")
