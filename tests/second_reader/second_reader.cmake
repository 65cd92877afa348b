# SPDX-License-Identifier: MIT
# The reader in Python, written from docs/FORMAT.md alone, against ours.
add_test(NAME second_reader COMMAND "${Python3_EXECUTABLE}" -B ${CMAKE_CURRENT_LIST_DIR}/second_reader_test.py)
set_tests_properties(second_reader PROPERTIES LABELS format TIMEOUT 600
    ENVIRONMENT "FG_CAPTURE_DUMP=$<TARGET_FILE:capture_dump>;FG_GOLDEN=${PROJECT_SOURCE_DIR}/tests/golden")
