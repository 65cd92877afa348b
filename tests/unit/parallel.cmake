# SPDX-License-Identifier: MIT
fgi_test(parallel SOURCES ${CMAKE_CURRENT_LIST_DIR}/parallel_test.c
         MODULES convert engine_cpu LABELS unit threads)
