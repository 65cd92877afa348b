# SPDX-License-Identifier: MIT
# The foreign renderer, on each software driver that this machine has, watched by the validation layer: it says
# what it finds on standard output.
if(NOT TARGET fg_foreign_draws)
    return()
endif()
add_executable(test_foreign_draws ${CMAKE_CURRENT_LIST_DIR}/foreign_draws_test.c)
fgi_link(test_foreign_draws foreign_draws trace)
target_include_directories(test_foreign_draws PRIVATE "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(test_foreign_draws PRIVATE cmocka)
foreach(driver ${FG_SOFTWARE_DRIVERS})
    fgi_driver_environment(environment ${driver})
    add_test(NAME foreign_draws_${driver} COMMAND test_foreign_draws)
    set_tests_properties(foreign_draws_${driver} PROPERTIES
        LABELS gpu TIMEOUT 120 FAIL_REGULAR_EXPRESSION "Validation (Error|Warning)|VUID-|SYNC-HAZARD"
        ENVIRONMENT "${environment};VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation;VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT")
endforeach()
