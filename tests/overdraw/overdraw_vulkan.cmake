# SPDX-License-Identifier: MIT
# Maps with Vulkan, on each software driver. tools/gpu-check runs the same on a GPU.
if(TARGET fg_overdraw_vulkan AND TARGET fgt_vulkan_bed)
    set(FGT_OVERDRAW "${CMAKE_CURRENT_LIST_DIR}")
    fgt_shader(vertex "${FGT_OVERDRAW}/shaders/rectangle.vert")
    fgt_shader(fragment "${FGT_OVERDRAW}/shaders/chequer.frag")
    add_executable(test_overdraw_vulkan
        ${FGT_OVERDRAW}/overdraw_vulkan_test.c ${FGT_OVERDRAW}/overdraw_rectangles.c
        ${FGT_OVERDRAW}/failing_vulkan.c
        ${FGT_OVERDRAW}/../hud/vulkan_picture.c ${FGT_OVERDRAW}/../hud/hud_compare.c
        "${PROJECT_SOURCE_DIR}/tests/gpu/counting.c" ${vertex} ${fragment})
    fgi_link(test_overdraw_vulkan overdraw_vulkan)
    target_include_directories(test_overdraw_vulkan PRIVATE ${FGT_OVERDRAW}/../hud "${CMAKE_BINARY_DIR}/test-shaders")
    target_link_libraries(test_overdraw_vulkan PRIVATE fgt_vulkan_bed cmocka)
    foreach(driver ${FG_SOFTWARE_DRIVERS})
        fgi_driver_environment(environment ${driver})
        add_test(NAME overdraw_vulkan_${driver} COMMAND test_overdraw_vulkan)
        set_tests_properties(overdraw_vulkan_${driver} PROPERTIES LABELS gpu TIMEOUT 120
                             ENVIRONMENT "${environment};FGT_DRIVER=${driver}")
    endforeach()
endif()
