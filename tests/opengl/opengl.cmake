# SPDX-License-Identifier: MIT
# The OpenGL device over a driver of our own, whose times are known, and over llvmpipe, whose are not.
set(FGT_OPENGL_DIR "${CMAKE_CURRENT_LIST_DIR}")
set(fake "${FGT_OPENGL_DIR}/fake_gl.c" "${FGT_OPENGL_DIR}/opengl_fake_bed.c"
         "${FGT_OPENGL_DIR}/../unit/record_bed.c")
fgi_test(opengl_times SOURCES "${FGT_OPENGL_DIR}/opengl_times_test.c" ${fake}
         MODULES gpu_opengl gpu_software LABELS unit)
fgi_test(opengl_order SOURCES "${FGT_OPENGL_DIR}/opengl_order_test.c" ${fake}
         MODULES gpu_opengl gpu_software LABELS unit)
fgi_test(opengl_driver SOURCES "${FGT_OPENGL_DIR}/opengl_driver_test.c" ${fake}
                               "${FGT_OPENGL_DIR}/../support/failing_memory.c"
         MODULES gpu_opengl gpu_software LABELS unit)
if(TARGET fg_gpu_vulkan)
    fgi_test(draw_counter SOURCES "${FGT_OPENGL_DIR}/draw_counter_test.c"
                                  "${FGT_OPENGL_DIR}/../support/failing_memory.c"
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

# A context without a window: over llvmpipe here, over a GPU by hand (tools/gpu-check).
find_path(FG_EGL_INCLUDE EGL/eglext.h)
find_library(FG_EGL_LIBRARY NAMES libEGL.so.1)
if(NOT FG_GL_INCLUDE OR NOT FG_EGL_INCLUDE OR NOT FG_EGL_LIBRARY)
    fgi_test_lacks("EGL" "the OpenGL device is not tested over a context")
    return()
endif()
add_library(fgt_egl_bed STATIC "${FGT_OPENGL_DIR}/egl_bed.c" "${FGT_OPENGL_DIR}/egl_context.c")
target_include_directories(fgt_egl_bed PUBLIC "${FGT_OPENGL_DIR}" "${PROJECT_SOURCE_DIR}/include"
                                              "${FG_EGL_INCLUDE}" "${FG_GL_INCLUDE}")
target_link_libraries(fgt_egl_bed PRIVATE fg_flags PUBLIC ${CMAKE_DL_LIBS})

fgi_test(opengl_context
         SOURCES "${FGT_OPENGL_DIR}/opengl_context_test.c" "${FGT_OPENGL_DIR}/../unit/record_bed.c"
         MODULES gpu_opengl gpu_draws gpu_software LINK fgt_egl_bed LABELS gpu TIMEOUT 300
         ENVIRONMENT FGT_EGL=surfaceless LIBGL_ALWAYS_SOFTWARE=1 "XDG_RUNTIME_DIR=${FG_DRIVER_RUNTIME}"
                     ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=ignore_noninstrumented_modules=1)

# For people, and for drivers that are not known yet; tools/gpu-check runs it.
add_executable(gl_check "${FGT_OPENGL_DIR}/gl_check.c" "${FGT_OPENGL_DIR}/gl_order.c")
fgi_link(gl_check gpu_opengl)
target_link_libraries(gl_check PRIVATE fgt_egl_bed)
