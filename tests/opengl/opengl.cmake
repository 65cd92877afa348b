# SPDX-License-Identifier: MIT
# The OpenGL device over a driver of our own, whose times are known, and over llvmpipe, whose are not.
set(FGT_OPENGL_DIR "${CMAKE_CURRENT_LIST_DIR}")
set(fake "${FGT_OPENGL_DIR}/fake_gl.c" "${FGT_OPENGL_DIR}/opengl_fake_bed.c"
         "${FGT_OPENGL_DIR}/../unit/record_bed.c")
fgi_test(opengl_times SOURCES "${FGT_OPENGL_DIR}/opengl_times_test.c" ${fake}
         MODULES gpu_opengl gpu_software LABELS unit)
fgi_test(opengl_driver SOURCES "${FGT_OPENGL_DIR}/opengl_driver_test.c" ${fake}
                               "${FGT_OPENGL_DIR}/../support/failing_memory.c"
         MODULES gpu_opengl gpu_software LABELS unit)
if(TARGET fg_gpu_vulkan)
    fgi_test(draw_counter SOURCES "${FGT_OPENGL_DIR}/draw_counter_test.c"
             MODULES gpu_draws LABELS unit threads)
    target_include_directories(test_draw_counter PRIVATE "${FG_VULKAN_INCLUDE}")
endif()

find_path(FG_GL_INCLUDE GL/glcorearb.h)
find_path(FG_GLES_INCLUDE GLES2/gl2ext.h)
if(FG_GL_INCLUDE AND FG_GLES_INCLUDE)
    fgi_test(opengl_api SOURCES "${FGT_OPENGL_DIR}/opengl_api_test.c" MODULES base LABELS unit)
    target_include_directories(test_opengl_api PRIVATE "${FG_GL_INCLUDE}" "${FG_GLES_INCLUDE}")
else()
    fgi_test_lacks("GL headers" "our declarations of OpenGL are not held against Khronos'")
endif()
