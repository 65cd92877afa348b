# SPDX-License-Identifier: MIT
set(FGT_RENDERER "${PROJECT_SOURCE_DIR}/examples/renderer")

# Without a device: the frame graph and the scene, compiled alone. That they compile alone is a test, too:
# neither knows Vulkan or the recorder.
fgi_test(renderer_frame_graph
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/frame_graph_test.c ${FGT_RENDERER}/frame_graph_build.c
            ${FGT_RENDERER}/frame_graph_compile.c ${FGT_RENDERER}/frame_graph_place.c
    LABELS unit)
target_include_directories(test_renderer_frame_graph PRIVATE "${FGT_RENDERER}")
fgi_test(renderer_scene
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/scene_test.c ${FGT_RENDERER}/scene.c ${FGT_RENDERER}/scene_data.c
            ${FGT_RENDERER}/scene_meshes.c
            ${FGT_RENDERER}/camera.c ${FGT_RENDERER}/linear.c
    LABELS unit)
target_include_directories(test_renderer_scene PRIVATE "${FGT_RENDERER}")

if(TARGET fg_software_demo)
    fgi_test(software_demo SOURCES ${CMAKE_CURRENT_LIST_DIR}/software_demo_test.c MODULES software_demo LABELS unit)
endif()
if(TARGET renderer)
    file(GLOB gltf_sources CONFIGURE_DEPENDS "${FGT_RENDERER}/gltf/*.c")
    fgi_test(renderer_gltf
        SOURCES ${CMAKE_CURRENT_LIST_DIR}/gltf_test.c ${FGT_RENDERER}/scene_data.c ${FGT_RENDERER}/log.c
                ${gltf_sources}
        LINK PNG::PNG ${FG_JANSSON_LIBRARY}
        LABELS unit)
    target_include_directories(test_renderer_gltf PRIVATE "${FGT_RENDERER}")
endif()

# On each software driver that this machine has.
if(TARGET renderer)
    add_executable(test_renderer_run ${CMAKE_CURRENT_LIST_DIR}/demo_run_test.c)
    fgi_link(test_renderer_run renderer)
    target_link_libraries(test_renderer_run PRIVATE cmocka)
    foreach(driver ${FG_SOFTWARE_DRIVERS})
        fgi_driver_environment(environment ${driver})
        file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/renderer-${driver}")
        add_test(NAME renderer_run_${driver} COMMAND test_renderer_run
                 WORKING_DIRECTORY "${CMAKE_BINARY_DIR}/renderer-${driver}")
        set_tests_properties(renderer_run_${driver} PROPERTIES LABELS gpu TIMEOUT 600 RUN_SERIAL ON
                             ENVIRONMENT "${environment}")
    endforeach()
    if("lavapipe" IN_LIST FG_SOFTWARE_DRIVERS)
        fgi_driver_environment(environment lavapipe)
        list(APPEND environment "FRAMEGLASS=$<TARGET_FILE:frameglass>"
                                "SCENES=${FGT_RENDERER}/scenes"
                                "SECOND_READER=${CMAKE_CURRENT_LIST_DIR}/../second_reader")
        foreach(subject demo contents gltf_scene)
            add_test(NAME renderer_${subject}
                     COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_${subject}.py")
            set_tests_properties(renderer_${subject} PROPERTIES LABELS gpu TIMEOUT 600 RUN_SERIAL ON
                                 ENVIRONMENT "${environment}")
        endforeach()
    endif()
endif()
