# SPDX-License-Identifier: MIT
# What bounds a frame: workloads whose truth is known, said the same by all who say it.
set(FGT_VERDICT "${CMAKE_CURRENT_LIST_DIR}")
fgi_test(verdict_workloads SOURCES ${FGT_VERDICT}/verdict_workloads_test.c ${FGT_VERDICT}/workload.c
         MODULES hud gpu_software open LABELS unit)

add_executable(make_workload ${FGT_VERDICT}/make_workload.c ${FGT_VERDICT}/workload.c)
fgi_link(make_workload hud gpu_software)
if(TARGET frameglass)
    add_test(NAME cli_verdict COMMAND "${Python3_EXECUTABLE}" "${FGT_VERDICT}/test_verdict.py")
    set_tests_properties(cli_verdict PROPERTIES LABELS cli TIMEOUT 300 ENVIRONMENT
        "FRAMEGLASS=$<TARGET_FILE:frameglass>;MAKE_WORKLOAD=$<TARGET_FILE:make_workload>;MAKE_CAPTURE=$<TARGET_FILE:make_capture>;PYTHONPATH=${PROJECT_SOURCE_DIR}/tests/cli")
endif()

# On real drivers, as far as one without a GPU can show it.
if(TARGET fgt_vulkan_bed)
    add_executable(test_verdict_vulkan ${FGT_VERDICT}/verdict_vulkan_test.c)
    fgi_link(test_verdict_vulkan gpu_vulkan open)
    target_link_libraries(test_verdict_vulkan PRIVATE fgt_vulkan_bed cmocka)
    foreach(driver ${FG_SOFTWARE_DRIVERS})
        fgi_driver_environment(environment ${driver})
        add_test(NAME verdict_vulkan_${driver} COMMAND test_verdict_vulkan)
        set_tests_properties(verdict_vulkan_${driver} PROPERTIES LABELS gpu TIMEOUT 120
                             ENVIRONMENT "${environment};FGT_DRIVER=${driver}")
    endforeach()
endif()
