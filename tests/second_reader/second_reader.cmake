# SPDX-License-Identifier: MIT
# The second reader, written from docs/FORMAT.md alone, against the C reader: every golden file, and
# cuts and changes of them.
if(TARGET capture_dump)
    find_package(Python3 COMPONENTS Interpreter)
    if(Python3_FOUND)
        add_test(NAME second_reader COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_agreement.py
                 $<TARGET_FILE:capture_dump> ${PROJECT_SOURCE_DIR}/tests/golden)
        set_tests_properties(second_reader PROPERTIES LABELS golden TIMEOUT 600)
    endif()
endif()
