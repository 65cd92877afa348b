# SPDX-License-Identifier: MIT
# The inspector: types, the pure model under Node, the page in a real browser (npm ci installs what they need).
find_program(FG_NODE NAMES node nodejs)
if(NOT FG_NODE)
    fgi_test_lacks("node" "the inspector is not tested")
    return()
endif()
set(runner "${CMAKE_CURRENT_LIST_DIR}/run.mjs")
add_test(NAME inspector_types COMMAND "${FG_NODE}" "${runner}" types)
add_test(NAME inspector_unit COMMAND "${FG_NODE}" "${runner}" unit)
set_tests_properties(inspector_types inspector_unit PROPERTIES LABELS inspector TIMEOUT 180)
add_test(NAME inspector_browser COMMAND "${FG_NODE}" "${runner}" browser)
set(environment "FG_WORK=${CMAKE_BINARY_DIR}/inspector")
if(TARGET frameglass)
    list(APPEND environment "FG_FRAMEGLASS=$<TARGET_FILE:frameglass>" "FG_SITE=${CMAKE_BINARY_DIR}/site")
endif()
set_tests_properties(inspector_browser PROPERTIES LABELS browser TIMEOUT 1500 RUN_SERIAL ON
                     ENVIRONMENT "${environment}")
