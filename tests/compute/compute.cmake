# SPDX-License-Identifier: MIT
# What is computed on GPUs: without a driver, and on each software driver that this machine has.
set(FGT_COMPUTE "${CMAKE_CURRENT_LIST_DIR}")
if(NOT TARGET fg_compute)
    fgi_test_lacks("Vulkan headers" "nothing that is computed on GPUs is tested")
    return()
endif()

# Without a driver.
foreach(name compute_device compute_hazard compute_memory compute_plan)
    fgi_test(${name} SOURCES ${FGT_COMPUTE}/${name}_test.c ${FGT_COMPUTE}/fake_vulkan.c
                             "${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c"
             MODULES compute LABELS unit)
    target_include_directories(test_${name} PRIVATE "${FGT_COMPUTE}")
endforeach()

# fgt_compute_test(name SOURCES file... MODULES module... [TIMEOUT seconds] [NOT_ON driver...])
# One program, run once per driver.
function(fgt_compute_test name)
    cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;MODULES;NOT_ON" ${ARGN})
    if(NOT T_TIMEOUT)
        set(T_TIMEOUT 120)
    endif()
    add_executable(test_${name} ${T_SOURCES})
    fgi_link(test_${name} compute ${T_MODULES})
    target_link_libraries(test_${name} PRIVATE fgt_compute_bed cmocka)
    foreach(driver ${FG_SOFTWARE_DRIVERS})
        if(driver IN_LIST T_NOT_ON)
            continue()
        endif()
        fgi_driver_environment(environment ${driver})
        add_test(NAME ${name}_${driver} COMMAND test_${name})
        set_tests_properties(${name}_${driver} PROPERTIES
            LABELS gpu TIMEOUT ${T_TIMEOUT} ENVIRONMENT "${environment};FGT_DRIVER=${driver}")
    endforeach()
endfunction()

include(Kernels)
find_path(FG_VOLK_INCLUDE volk.h)
if(NOT FG_GLSLANG OR NOT FG_VOLK_INCLUDE)
    fgi_test_lacks("glslangValidator or volk.h" "nothing is computed on software drivers")
    return()
endif()
add_library(fgt_compute_bed STATIC ${FGT_COMPUTE}/compute_bed.c)
target_include_directories(fgt_compute_bed
    PUBLIC "${FGT_COMPUTE}" "${PROJECT_SOURCE_DIR}/tests/support" "${PROJECT_SOURCE_DIR}/src"
           "${PROJECT_SOURCE_DIR}/include" "${FG_VOLK_INCLUDE}")
target_link_libraries(fgt_compute_bed PRIVATE fg_flags PUBLIC ${CMAKE_DL_LIBS})

fgt_compute_test(compute_run SOURCES ${FGT_COMPUTE}/compute_run_test.c ${FGT_COMPUTE}/compute_programs.c)
fgi_kernel(test_compute_run mix SOURCE ${FGT_COMPUTE}/kernels/mix.comp)
fgi_kernel(test_compute_run variant SOURCE ${FGT_COMPUTE}/kernels/variant.comp VARIANTS int64 subgroup)
