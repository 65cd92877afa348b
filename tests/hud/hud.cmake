# SPDX-License-Identifier: MIT
set(FGT_HUD "${CMAKE_CURRENT_LIST_DIR}")
fgi_test(hud_statistics SOURCES ${FGT_HUD}/hud_statistics_test.c ${FGT_HUD}/hud_scene.c
                                "${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c"
         MODULES hud LABELS unit)

fgi_test(hud_list SOURCES ${FGT_HUD}/hud_list_test.c ${FGT_HUD}/hud_scene.c MODULES hud LABELS unit)

# With Vulkan, on each software driver. tools/gpu-check runs the same on a GPU.
if(TARGET fg_hud_vulkan AND TARGET fgt_vulkan_bed)
    add_executable(test_hud_vulkan ${FGT_HUD}/hud_vulkan_test.c ${FGT_HUD}/vulkan_picture.c ${FGT_HUD}/hud_compare.c ${FGT_HUD}/hud_scene.c
                                   "${PROJECT_SOURCE_DIR}/tests/gpu/counting.c")
    fgi_link(test_hud_vulkan hud_vulkan)
    target_link_libraries(test_hud_vulkan PRIVATE fgt_vulkan_bed cmocka)
    foreach(driver ${FG_SOFTWARE_DRIVERS})
        fgi_driver_environment(environment ${driver})
        add_test(NAME hud_vulkan_${driver} COMMAND test_hud_vulkan)
        set_tests_properties(hud_vulkan_${driver} PROPERTIES LABELS gpu TIMEOUT 120
                             ENVIRONMENT "${environment};FGT_DRIVER=${driver}")
    endforeach()
endif()

# With OpenGL, on EGL without a window.
find_library(FG_EGL_LIBRARY EGL)
find_path(FG_EGL_INCLUDE EGL/egl.h)
find_path(FG_GLEXT_INCLUDE GL/glext.h)
if(FG_EGL_LIBRARY AND FG_EGL_INCLUDE AND FG_GLEXT_INCLUDE)
    fgi_test(hud_opengl SOURCES ${FGT_HUD}/hud_opengl_test.c ${FGT_HUD}/hud_compare.c ${FGT_HUD}/hud_scene.c
                                "${PROJECT_SOURCE_DIR}/tests/opengl/egl_context.c"
                                "${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c"
             MODULES hud_opengl LINK ${CMAKE_DL_LIBS} LABELS gpu
             ENVIRONMENT "FGT_EGL=surfaceless" "LIBGL_ALWAYS_SOFTWARE=1" "XDG_RUNTIME_DIR=${FG_DRIVER_RUNTIME}"
                         "ASAN_OPTIONS=detect_leaks=0" "TSAN_OPTIONS=ignore_noninstrumented_modules=1")
    target_include_directories(test_hud_opengl PRIVATE "${FG_EGL_INCLUDE}" "${FG_GLEXT_INCLUDE}"
                                                       "${PROJECT_SOURCE_DIR}/tests/opengl")
else()
    fgi_test_lacks("EGL" "the HUD is not drawn with OpenGL")
endif()

# The picture in docs/HUD.md.
find_package(PNG QUIET GLOBAL)
if(PNG_FOUND)
    add_executable(hud_picture ${FGT_HUD}/hud_picture.c ${FGT_HUD}/hud_scene.c)
    fgi_link(hud_picture hud)
    target_link_libraries(hud_picture PRIVATE PNG::PNG)
    add_test(NAME hud_picture COMMAND hud_picture --check "${PROJECT_SOURCE_DIR}/docs/images/hud.png")
    set_tests_properties(hud_picture PROPERTIES LABELS unit)
endif()
