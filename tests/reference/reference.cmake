# SPDX-License-Identifier: MIT
# The reference benchmark at a size that a software driver takes, and its report.
if(TARGET frameglass)
    set(environment "FRAMEGLASS=$<TARGET_FILE:frameglass>" "REFERENCE_MD=${PROJECT_SOURCE_DIR}/docs/REFERENCE.md")
    add_test(NAME reference_cpu
             COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_reference.py" cpu)
    set_tests_properties(reference_cpu PROPERTIES LABELS cli TIMEOUT 120 ENVIRONMENT "${environment}")
    if(TARGET fg_engine_vulkan)
        foreach(driver ${FG_SOFTWARE_DRIVERS})
            fgi_driver_environment(driver_environment ${driver})
            add_test(NAME reference_${driver}
                     COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_reference.py" vulkan)
            set_tests_properties(reference_${driver} PROPERTIES LABELS cli TIMEOUT 180
                                 ENVIRONMENT "${environment};${driver_environment}")
        endforeach()
    endif()
endif()
