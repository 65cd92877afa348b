# SPDX-License-Identifier: MIT
# README.md's lines of C, taken out of it, built as they stand and run.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/README.md")
file(READ "${PROJECT_SOURCE_DIR}/README.md" readme)
string(REGEX MATCH "```c\n([^`]*)```" found "${readme}")
set(block "${CMAKE_MATCH_1}")
set(folder "${PROJECT_BINARY_DIR}/readme")
file(CONFIGURE OUTPUT "${folder}/block.txt" CONTENT "${block}" @ONLY)
file(CONFIGURE OUTPUT "${folder}/readme_frame.c" @ONLY CONTENT
"#include \"${CMAKE_CURRENT_LIST_DIR}/readme_frame.h\"
int record(struct fg_device *device, struct fg_software_commands *native)
{
${block}fg_session_destroy(session);
return 0;
}
")
add_executable(readme_frame "${folder}/readme_frame.c")
fgi_link(readme_frame gpu_software)
add_test(NAME readme COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/readme_test.py)
set_tests_properties(readme PROPERTIES LABELS docs ENVIRONMENT
    "FG_README_BLOCK=${folder}/block.txt;FG_README_FRAME=$<TARGET_FILE:readme_frame>;FG_FRAMEGLASS=$<TARGET_FILE:frameglass>")
