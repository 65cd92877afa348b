# SPDX-License-Identifier: MIT
# Vulkan tests: one executable, run once per software driver that this machine has. On a machine
# with a GPU, tools/gpu-check runs the same executables on it.
if(NOT TARGET fg_gpu_vulkan)
    fgi_test_lacks("Vulkan headers" "no test of the Vulkan back end")
    return()
endif()
find_program(FG_GLSLANG glslangValidator)
find_path(FG_VOLK_INCLUDE volk.h)
set(FGT_GPU_DIR "${CMAKE_CURRENT_LIST_DIR}")

# SPIR-V as a C header: an array named after the file.
function(fgt_shader out source)
    get_filename_component(file "${source}" NAME)
    string(REPLACE "." "_" name "${file}")
    set(header "${CMAKE_BINARY_DIR}/test-shaders/${name}.h")
    add_custom_command(
        OUTPUT "${header}"
        COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_BINARY_DIR}/test-shaders"
        COMMAND ${FG_GLSLANG} --quiet -V --target-env vulkan1.1 --vn ${name} -o "${header}" "${source}"
        DEPENDS "${source}" COMMENT "SPIR-V of ${file}" VERBATIM)
    set(${out} "${header}" PARENT_SCOPE)
endfunction()

# fgt_gpu_test(name SOURCES file... [SERIAL] [TIMEOUT seconds])
function(fgt_gpu_test name)
    cmake_parse_arguments(T "SERIAL" "TIMEOUT" "SOURCES" ${ARGN})
    add_executable(test_${name} ${T_SOURCES})
    fgi_link(test_${name} gpu_vulkan capture)
    target_link_libraries(test_${name} PRIVATE fgt_vulkan_bed cmocka)
    set_target_properties(test_${name} PROPERTIES BUILD_RPATH "$ORIGIN")
    foreach(driver ${FG_SOFTWARE_DRIVERS})
        fgi_driver_environment(environment ${driver})
        add_test(NAME ${name}_${driver} COMMAND test_${name})
        set_tests_properties(${name}_${driver} PROPERTIES
            LABELS gpu TIMEOUT 300 ENVIRONMENT "${environment};FGT_DRIVER=${driver}")
        if(T_SERIAL)
            set_tests_properties(${name}_${driver} PROPERTIES RUN_SERIAL ON)
        endif()
    endforeach()
endfunction()

if(NOT FG_GLSLANG OR NOT FG_VOLK_INCLUDE)
    fgi_test_lacks("glslangValidator or volk.h" "the Vulkan timers are not tested")
else()
    fgt_shader(vertex "${FGT_GPU_DIR}/shaders/fullscreen.vert")
    fgt_shader(fragment "${FGT_GPU_DIR}/shaders/burn.frag")
    fgt_shader(compute "${FGT_GPU_DIR}/shaders/burn.comp")
    add_library(fgt_vulkan_bed STATIC
        ${FGT_GPU_DIR}/vulkan_bed.c ${FGT_GPU_DIR}/vulkan_bed_work.c ${FGT_GPU_DIR}/equal_work.c
        ${vertex} ${fragment} ${compute})
    target_include_directories(fgt_vulkan_bed
        PUBLIC "${FGT_GPU_DIR}" "${PROJECT_SOURCE_DIR}/tests/support" "${PROJECT_SOURCE_DIR}/src"
               "${PROJECT_SOURCE_DIR}/include" "${FG_VOLK_INCLUDE}"
        PRIVATE "${CMAKE_BINARY_DIR}/test-shaders")
    target_link_libraries(fgt_vulkan_bed PRIVATE fg_flags PUBLIC ${CMAKE_DL_LIBS})

    fgt_gpu_test(gpu_timer SOURCES ${FGT_GPU_DIR}/vulkan_timer_test.c)
    fgt_gpu_test(gpu_session SOURCES ${FGT_GPU_DIR}/vulkan_session_test.c ${FGT_GPU_DIR}/capture_seen.c
                         ${FGT_GPU_DIR}/counting.c)
    fgt_gpu_test(gpu_equal_work SOURCES ${FGT_GPU_DIR}/equal_work_test.c SERIAL)

    # For people, and for drivers that are not known yet; tools/gpu-check runs it.
    add_executable(gpu_check ${FGT_GPU_DIR}/gpu_check.c)
    fgi_link(gpu_check gpu_vulkan)
    target_link_libraries(gpu_check PRIVATE fgt_vulkan_bed)
endif()
