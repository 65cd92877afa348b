# SPDX-License-Identifier: MIT
set(FGT_HUD "${CMAKE_CURRENT_LIST_DIR}")
fgi_test(hud_statistics SOURCES ${FGT_HUD}/hud_statistics_test.c ${FGT_HUD}/hud_scene.c
                                "${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c"
         MODULES hud LABELS unit)

fgi_test(hud_list SOURCES ${FGT_HUD}/hud_list_test.c ${FGT_HUD}/hud_scene.c MODULES hud LABELS unit)

# With Vulkan, on each software driver. tools/gpu-check runs the same on a GPU.
if(TARGET fg_hud_vulkan AND TARGET fgt_vulkan_bed)
    add_executable(test_hud_vulkan ${FGT_HUD}/hud_vulkan_test.c ${FGT_HUD}/hud_compare.c ${FGT_HUD}/hud_scene.c
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

# The picture in docs/HUD.md.
find_package(PNG QUIET GLOBAL)
if(PNG_FOUND)
    add_executable(hud_picture ${FGT_HUD}/hud_picture.c ${FGT_HUD}/hud_scene.c)
    fgi_link(hud_picture hud)
    target_link_libraries(hud_picture PRIVATE PNG::PNG)
endif()
