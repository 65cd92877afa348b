# SPDX-License-Identifier: MIT
set(FGT_OVERDRAW "${CMAKE_CURRENT_LIST_DIR}")
fgi_test(overdraw SOURCES ${FGT_OVERDRAW}/overdraw_test.c "${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c"
         MODULES hud LABELS unit)

# With OpenGL, on EGL without a window. tools/gpu-check runs the same on a GPU.
find_library(FG_EGL_LIBRARY EGL)
find_path(FG_EGL_INCLUDE EGL/egl.h)
find_path(FG_GL_INCLUDE GL/glcorearb.h)
if(FG_EGL_LIBRARY AND FG_EGL_INCLUDE AND FG_GL_INCLUDE)
    fgi_test(overdraw_opengl
             SOURCES ${FGT_OVERDRAW}/overdraw_opengl_test.c ${FGT_OVERDRAW}/overdraw_gl_bed.c
                     "${PROJECT_SOURCE_DIR}/tests/opengl/egl_bed.c"
                     "${PROJECT_SOURCE_DIR}/tests/opengl/egl_context.c"
                     "${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c"
             MODULES overdraw_opengl LINK ${CMAKE_DL_LIBS} LABELS gpu
             ENVIRONMENT FGT_EGL=surfaceless LIBGL_ALWAYS_SOFTWARE=1 LP_NUM_THREADS=2
                         "XDG_RUNTIME_DIR=${FG_DRIVER_RUNTIME}" ASAN_OPTIONS=detect_leaks=0
                         TSAN_OPTIONS=ignore_noninstrumented_modules=1)
    target_include_directories(test_overdraw_opengl PRIVATE "${FG_EGL_INCLUDE}" "${FG_GL_INCLUDE}"
                                                            "${PROJECT_SOURCE_DIR}/tests/opengl")
else()
    fgi_test_lacks("EGL" "maps are not made with OpenGL")
endif()

# The picture in docs/OVERDRAW.md.
find_package(PNG QUIET GLOBAL)
if(PNG_FOUND)
    add_executable(overdraw_picture ${FGT_OVERDRAW}/overdraw_picture.c)
    fgi_link(overdraw_picture hud)
    target_link_libraries(overdraw_picture PRIVATE PNG::PNG)
    add_test(NAME overdraw_picture COMMAND overdraw_picture --check "${PROJECT_SOURCE_DIR}/docs/images/overdraw.png")
    set_tests_properties(overdraw_picture PROPERTIES LABELS unit)
endif()
