# SPDX-License-Identifier: MIT
# What trace operations are built of.
if(NOT TARGET fg_primitives OR NOT TARGET fgt_compute_bed)
    return()
endif()
set(FGT_COMPUTE "${CMAKE_CURRENT_LIST_DIR}")
fgt_compute_test(primitives SOURCES ${FGT_COMPUTE}/prim_test.c ${FGT_COMPUTE}/prim_bed.c MODULES primitives)
fgi_kernel(test_primitives u64_check SOURCE ${FGT_COMPUTE}/kernels/u64_check.comp VARIANTS int64)
fgt_compute_test(primitives_sort SOURCES ${FGT_COMPUTE}/prim_sort_test.c ${FGT_COMPUTE}/prim_bed.c MODULES primitives)
fgt_compute_test(primitives_big SOURCES ${FGT_COMPUTE}/prim_big_test.c ${FGT_COMPUTE}/prim_bed.c MODULES primitives)
