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
    SOURCES ${CMAKE_CURRENT_LIST_DIR}/scene_test.c ${FGT_RENDERER}/scene.c ${FGT_RENDERER}/scene_meshes.c
            ${FGT_RENDERER}/camera.c ${FGT_RENDERER}/linear.c ${FGT_RENDERER}/hud.c ${FGT_RENDERER}/hud_font.c
    LABELS unit)
target_include_directories(test_renderer_scene PRIVATE "${FGT_RENDERER}")

# On each software driver that this machine has.
if(TARGET fg_renderer)
    find_file(FG_LAVAPIPE_ICD lvp_icd.x86_64.json lvp_icd.aarch64.json lvp_icd.json
              PATHS /usr/share/vulkan/icd.d /usr/local/share/vulkan/icd.d /etc/vulkan/icd.d)
    find_file(FG_SWIFTSHADER_ICD vk_swiftshader_icd.json
              PATHS /usr/lib/chromium /usr/lib64/chromium-browser /usr/share/vulkan/icd.d)
    set(FGT_RENDERER_RUNTIME "${CMAKE_BINARY_DIR}/xdg-runtime")
    file(MAKE_DIRECTORY "${FGT_RENDERER_RUNTIME}")
    file(CHMOD "${FGT_RENDERER_RUNTIME}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    add_executable(test_renderer_run ${CMAKE_CURRENT_LIST_DIR}/demo_run_test.c)
    fgi_link(test_renderer_run renderer)
    target_link_libraries(test_renderer_run PRIVATE cmocka)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    foreach(driver LAVAPIPE SWIFTSHADER)
        set(icd "${FG_${driver}_ICD}")
        string(TOLOWER ${driver} name)
        if(NOT icd)
            message(STATUS "No ${name} here: the demo renderer is not run on it")
            continue()
        endif()
        set(environment "VK_ICD_FILENAMES=${icd};VK_DRIVER_FILES=${icd};XDG_RUNTIME_DIR=${FGT_RENDERER_RUNTIME}"
                        "ASAN_OPTIONS=detect_leaks=0")
        file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/renderer-${name}")
        add_test(NAME renderer_run_${name} COMMAND test_renderer_run
                 WORKING_DIRECTORY "${CMAKE_BINARY_DIR}/renderer-${name}")
        set_tests_properties(renderer_run_${name} PROPERTIES LABELS gpu TIMEOUT 600 RUN_SERIAL ON
                             ENVIRONMENT "${environment}")
    endforeach()
    if(TARGET frameglass AND FG_LAVAPIPE_ICD)
        foreach(subject demo contents)
            add_test(NAME renderer_${subject}
                     COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_${subject}.py")
            set_tests_properties(renderer_${subject} PROPERTIES LABELS gpu TIMEOUT 600 RUN_SERIAL ON ENVIRONMENT
                "FRAMEGLASS=$<TARGET_FILE:frameglass>;SECOND_READER=${CMAKE_CURRENT_LIST_DIR}/../second_reader;VK_ICD_FILENAMES=${FG_LAVAPIPE_ICD};VK_DRIVER_FILES=${FG_LAVAPIPE_ICD};XDG_RUNTIME_DIR=${FGT_RENDERER_RUNTIME};ASAN_OPTIONS=detect_leaks=0")
        endforeach()
    endif()
endif()
