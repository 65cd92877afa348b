# SPDX-License-Identifier: MIT
# Golden captures: the generator, the printer that the second reader is compared with, the comparison.
add_executable(make_golden ${CMAKE_CURRENT_LIST_DIR}/make_golden.c ${CMAKE_CURRENT_LIST_DIR}/capture_sample.c
               ${CMAKE_CURRENT_LIST_DIR}/process_sample.c ${CMAKE_CURRENT_LIST_DIR}/converted_sample.c)
fgi_link(make_golden capture)
add_executable(capture_dump ${CMAKE_CURRENT_LIST_DIR}/capture_dump.c ${CMAKE_CURRENT_LIST_DIR}/capture_json.c)
fgi_link(capture_dump capture)
fgi_test(capture_golden SOURCES ${CMAKE_CURRENT_LIST_DIR}/capture_golden_test.c ${CMAKE_CURRENT_LIST_DIR}/capture_json.c
         ${CMAKE_CURRENT_LIST_DIR}/capture_sample.c ${CMAKE_CURRENT_LIST_DIR}/process_sample.c
         ${CMAKE_CURRENT_LIST_DIR}/converted_sample.c MODULES capture LABELS golden)
