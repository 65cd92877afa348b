# SPDX-License-Identifier: MIT
add_executable(serve_fixture ${CMAKE_CURRENT_LIST_DIR}/serve_fixture.c)
fgi_link(serve_fixture serve)
add_test(NAME serve_attack
         COMMAND "${Python3_EXECUTABLE}" ${CMAKE_CURRENT_LIST_DIR}/attack_test.py $<TARGET_FILE:serve_fixture>)
set_tests_properties(serve_attack PROPERTIES TIMEOUT 180 LABELS serve)
if(TARGET frameglass)
    add_executable(serve_capture ${PROJECT_SOURCE_DIR}/tests/cli/make_capture.c
                   ${PROJECT_SOURCE_DIR}/tests/support/record_some.c)
    fgi_link(serve_capture record gpu_software)
    target_include_directories(serve_capture PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
    add_test(NAME serve_view_command
             COMMAND "${Python3_EXECUTABLE}" ${CMAKE_CURRENT_LIST_DIR}/view_command_test.py $<TARGET_FILE:frameglass>
                     $<TARGET_FILE:serve_capture>)
    set_tests_properties(serve_view_command PROPERTIES TIMEOUT 180 LABELS serve)
    foreach(subject download follow)
        add_test(NAME serve_${subject}
                 COMMAND "${Python3_EXECUTABLE}" ${CMAKE_CURRENT_LIST_DIR}/${subject}_test.py $<TARGET_FILE:frameglass>
                         $<TARGET_FILE:serve_capture>)
        set_tests_properties(serve_${subject} PROPERTIES TIMEOUT 300 LABELS serve)
    endforeach()
endif()
