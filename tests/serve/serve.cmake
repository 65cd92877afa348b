# SPDX-License-Identifier: MIT
find_package(Python3 COMPONENTS Interpreter)
if(TARGET fg_serve AND Python3_FOUND)
    add_executable(serve_fixture ${CMAKE_CURRENT_LIST_DIR}/serve_fixture.c)
    fgi_link(serve_fixture serve)
    add_test(NAME serve_attack
             COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/attack_test.py $<TARGET_FILE:serve_fixture>)
    set_tests_properties(serve_attack PROPERTIES TIMEOUT 180 LABELS serve)
endif()
