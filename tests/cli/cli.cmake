# SPDX-License-Identifier: MIT
if(TARGET frameglass)
    add_executable(make_capture ${CMAKE_CURRENT_LIST_DIR}/make_capture.c
                   ${PROJECT_SOURCE_DIR}/tests/support/record_some.c)
    fgi_link(make_capture record gpu_software)
    target_include_directories(make_capture PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
    foreach(subject commands cnatrace filters import interrupt questions diff demo_without_gpu info_state numbers shown docs)
        add_test(NAME cli_${subject}
                 COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_${subject}.py")
        set_tests_properties(cli_${subject} PROPERTIES LABELS cli TIMEOUT 300 ENVIRONMENT
            "FRAMEGLASS=$<TARGET_FILE:frameglass>;MAKE_CAPTURE=$<TARGET_FILE:make_capture>")
    endforeach()
    if(FG_BUILD_BENCH)
        add_test(NAME cli_peer COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/test_peer.py")
        set_tests_properties(cli_peer PROPERTIES LABELS cli TIMEOUT 300 ENVIRONMENT
            "BENCH_QUESTIONS=$<TARGET_FILE:bench_questions>;BENCH_CHROME=$<TARGET_FILE:bench_chrome>")
    endif()
endif()
