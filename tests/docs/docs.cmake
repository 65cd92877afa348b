# SPDX-License-Identifier: MIT
# The lines of C in the documentation, taken out of it, built as they stand and run.

# fgi_doc_block(page number out_block): the text of the page's so many-th block of C, from 0.
function(fgi_doc_block page number out_block)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${page}")
    file(READ "${PROJECT_SOURCE_DIR}/${page}" text)
    string(REPLACE ";" "<semicolon>" text "${text}")
    string(REGEX MATCHALL "```c\n[^`]*```" blocks "${text}")
    list(GET blocks ${number} block)
    string(REGEX REPLACE "^```c\n|```$" "" block "${block}")
    string(REPLACE "<semicolon>" ";" block "${block}")
    set(${out_block} "${block}" PARENT_SCOPE)
endfunction()

# fgi_doc_program(name page number before after): a program of the block between two pieces of text.
function(fgi_doc_program name page number before after)
    fgi_doc_block(${page} ${number} block)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/docs/${name}.txt" CONTENT "${block}" @ONLY)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/docs/${name}.c" CONTENT "${before}${block}${after}" @ONLY)
    add_executable(${name} "${PROJECT_BINARY_DIR}/docs/${name}.c")
    fgi_link(${name} gpu_software)
endfunction()

fgi_doc_program(readme_frame README.md 0 "#include \"${CMAKE_CURRENT_LIST_DIR}/readme_frame.h\"
int record(struct fg_device *device, struct fg_software_commands *native)
{
" "fg_session_destroy(session);
return 0;
}
")
fgi_doc_program(readme_tick README.md 1 "#include \"${CMAKE_CURRENT_LIST_DIR}/readme_tick.h\"
" "")
fgi_doc_program(diagnostics_lines docs/DIAGNOSTICS.md 0 "#include \"${CMAKE_CURRENT_LIST_DIR}/diagnostics_lines.h\"
int main(void)
{
" "return 0;
}
")
if(TARGET fg_hud)
    fgi_doc_program(hud_times docs/HUD.md 1 "#include \"${CMAKE_CURRENT_LIST_DIR}/hud_times.h\"
" "
int main(void)
{
    struct times times = { .hud = NULL };
    return fg_hud_create(NULL, &times.hud) == FG_OK ? show_frames(times.hud, &times) : 2;
}
")
    fgi_link(hud_times hud)
    add_test(NAME hud_times COMMAND hud_times)
    set_tests_properties(hud_times PROPERTIES LABELS docs)
endif()
if(NOT TARGET frameglass) # its commands are part of what is tried
    return()
endif()
add_test(NAME readme COMMAND "${Python3_EXECUTABLE}" -B ${CMAKE_CURRENT_LIST_DIR}/readme_test.py)
set(environment "FG_README_BLOCK=${PROJECT_BINARY_DIR}/docs/readme_frame.txt" "FG_README_FRAME=$<TARGET_FILE:readme_frame>"
    "FG_FRAMEGLASS=$<TARGET_FILE:frameglass>" "FG_README_TICK=$<TARGET_FILE:readme_tick>"
    "FG_DIAGNOSTICS_BLOCK=${PROJECT_BINARY_DIR}/docs/diagnostics_lines.txt"
    "FG_DIAGNOSTICS_LINES=$<TARGET_FILE:diagnostics_lines>" "FG_LEVEL_NAME=${FG_LEVEL_NAME}")
set_tests_properties(readme PROPERTIES LABELS docs ENVIRONMENT "${environment}")
