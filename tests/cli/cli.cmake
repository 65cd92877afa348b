# SPDX-License-Identifier: MIT
if(TARGET frameglass)
    add_executable(make_capture ${CMAKE_CURRENT_LIST_DIR}/make_capture.c
                   ${PROJECT_SOURCE_DIR}/tests/support/record_some.c)
    fgi_link(make_capture record gpu_software)
    target_include_directories(make_capture PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
    foreach(subject commands cnatrace filters import interrupt questions diff demo_without_gpu info_state numbers render shown docs)
        add_test(NAME cli_${subject}
                 COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_${subject}.py")
        set_tests_properties(cli_${subject} PROPERTIES LABELS cli TIMEOUT 300 ENVIRONMENT
            "FRAMEGLASS=$<TARGET_FILE:frameglass>;MAKE_CAPTURE=$<TARGET_FILE:make_capture>")
    endforeach()
    # Who answers; with a loader that breaks as it is told.
    find_library(FG_VULKAN_LOADER libvulkan.so.1)
    list(GET FG_SOFTWARE_DRIVERS 0 driver)
    if(TARGET fg_engine_vulkan)
        fgi_test(touched SOURCES ${CMAKE_CURRENT_LIST_DIR}/touched_test.c MODULES cli LABELS unit)
    endif()
    if(TARGET fg_render_device)
        foreach(each ${FG_SOFTWARE_DRIVERS})
            fgi_driver_environment(environment ${each})
            add_test(NAME cli_render_${each} COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_render.py" Device)
            set_tests_properties(cli_render_${each} PROPERTIES LABELS "cli;gpu" TIMEOUT 120 ENVIRONMENT
                "${environment};FG_DEVICE=1;FRAMEGLASS=$<TARGET_FILE:frameglass>;MAKE_CAPTURE=$<TARGET_FILE:make_capture>")
        endforeach()
    endif()
    if(TARGET fg_engine_vulkan AND FG_VULKAN_LOADER AND driver)
        add_library(faulty_vulkan MODULE ${CMAKE_CURRENT_LIST_DIR}/faulty_vulkan.c)
        target_link_libraries(faulty_vulkan PRIVATE fg_flags ${CMAKE_DL_LIBS})
        set_target_properties(faulty_vulkan PROPERTIES PREFIX "" OUTPUT_NAME "libvulkan" SUFFIX ".so.1" C_VISIBILITY_PRESET default
            LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/faulty-vulkan")
        fgi_driver_environment(environment ${driver})
        add_test(NAME cli_engine COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_engine.py")
        set_tests_properties(cli_engine PROPERTIES LABELS "cli;gpu" TIMEOUT 300 ENVIRONMENT
            "${environment};FRAMEGLASS=$<TARGET_FILE:frameglass>;MAKE_CAPTURE=$<TARGET_FILE:make_capture>;FAULTY_VULKAN=$<TARGET_FILE:faulty_vulkan>;FGT_VULKAN=${FG_VULKAN_LOADER}")
    else()
        fgi_test_lacks("Vulkan headers, its loader or a driver" "who answers is not tested on the command line")
    endif()
    if(FG_BUILD_BENCH)
        add_test(NAME cli_peer COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_peer.py")
        set_tests_properties(cli_peer PROPERTIES LABELS cli TIMEOUT 300 ENVIRONMENT
            "BENCH_QUESTIONS=$<TARGET_FILE:bench_questions>;BENCH_CHROME=$<TARGET_FILE:bench_chrome>")
    endif()
endif()
