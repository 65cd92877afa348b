# SPDX-License-Identifier: MIT
# The canvas of the examples. Without a window: EGL gives a context of whatever device there is.
if(NOT TARGET fg_canvas)
    fgi_test_lacks("EGL, GL/glcorearb.h or libpng" "no test of the canvas")
    return()
endif()
# The software driver keeps memory of its own, and uses no more threads than this.
set(driver_noise LP_NUM_THREADS=2 ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=ignore_noninstrumented_modules=1)
fgi_test(canvas_plain SOURCES ${CMAKE_CURRENT_LIST_DIR}/canvas_plain_test.c MODULES canvas LABELS unit)
fgi_test(canvas_draw SOURCES ${CMAKE_CURRENT_LIST_DIR}/canvas_draw_test.c MODULES canvas
         LABELS gpu ENVIRONMENT ${driver_noise})
fgi_test(canvas_heat SOURCES ${CMAKE_CURRENT_LIST_DIR}/canvas_heat_test.c MODULES canvas
         LABELS gpu ENVIRONMENT ${driver_noise})
fgi_test(canvas_capture SOURCES ${CMAKE_CURRENT_LIST_DIR}/canvas_capture_test.c MODULES canvas open
         LABELS gpu ENVIRONMENT ${driver_noise})
set(programs "CANVAS=$<TARGET_FILE:canvas>")
if(TARGET renderer)
    list(APPEND programs "RENDERER=$<TARGET_FILE:renderer>")
endif()
add_test(NAME canvas_command_line COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_command_line.py")
set_tests_properties(canvas_command_line PROPERTIES LABELS gpu TIMEOUT 120
                     ENVIRONMENT "${programs};LIBGL_ALWAYS_SOFTWARE=1;LP_NUM_THREADS=2;ASAN_OPTIONS=detect_leaks=0")
if(TARGET frameglass)
    add_test(NAME canvas_chain COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_chain.py")
    set_tests_properties(canvas_chain PROPERTIES LABELS gpu TIMEOUT 120
                         ENVIRONMENT "${programs};FRAMEGLASS=$<TARGET_FILE:frameglass>;LIBGL_ALWAYS_SOFTWARE=1;LP_NUM_THREADS=2;ASAN_OPTIONS=detect_leaks=0")
endif()
