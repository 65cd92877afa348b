# SPDX-License-Identifier: MIT
# Pictures by the CPU; libpng reads what we write.
find_package(PNG QUIET GLOBAL)
if(NOT PNG_FOUND OR NOT TARGET fg_render)
    fgi_test_lacks("libpng" "pictures are not read back")
    return()
endif()
fgi_test(render SOURCES ${CMAKE_CURRENT_LIST_DIR}/render_test.c "${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c"
         MODULES render engine_cpu LINK PNG::PNG LABELS unit)
target_include_directories(test_render PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${CMAKE_CURRENT_LIST_DIR}")
