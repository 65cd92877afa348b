# SPDX-License-Identifier: MIT
# Lists of a frame's calls over functions of our own, over software drivers, and RenderDoc's interface.
set(FGT_COMMANDS_DIR "${CMAKE_CURRENT_LIST_DIR}")
find_path(FG_GL_INCLUDE GL/glcorearb.h)
if(FG_VULKAN_INCLUDE AND FG_GL_INCLUDE)
    fgi_test(command_types SOURCES "${FGT_COMMANDS_DIR}/command_types_test.c" MODULES gpu_commands LABELS unit)
    target_include_directories(test_command_types PRIVATE "${FG_VULKAN_INCLUDE}" "${FG_GL_INCLUDE}")
else()
    fgi_test_lacks("GL and Vulkan headers" "our declarations of their calls are not held against them")
endif()
if(FG_VULKAN_INCLUDE)
    fgi_test(command_list SOURCES "${FGT_COMMANDS_DIR}/command_list_test.c" "${FGT_COMMANDS_DIR}/command_bed.c"
                                  "${FGT_COMMANDS_DIR}/../support/failing_memory.c"
             MODULES gpu_commands LABELS unit threads)
    fgi_test(command_vulkan SOURCES "${FGT_COMMANDS_DIR}/command_vulkan_test.c" "${FGT_COMMANDS_DIR}/command_bed.c"
             MODULES gpu_commands LABELS unit threads)
    foreach(test command_list command_vulkan)
        target_include_directories(test_${test} PRIVATE "${FG_VULKAN_INCLUDE}")
    endforeach()
endif()

# A RenderDoc of our own: the name is what programs look for.
add_library(fgt_renderdoc SHARED "${FGT_COMMANDS_DIR}/fake_renderdoc.c")
target_link_libraries(fgt_renderdoc PRIVATE fg_flags)
set_target_properties(fgt_renderdoc PROPERTIES OUTPUT_NAME renderdoc C_VISIBILITY_PRESET default
                                               LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fake-renderdoc")
fgi_test(renderdoc SOURCES "${FGT_COMMANDS_DIR}/renderdoc_test.c" MODULES gpu_commands LINK ${CMAKE_DL_LIBS}
         LABELS unit ENVIRONMENT "FGT_RENDERDOC=$<TARGET_FILE:fgt_renderdoc>")
add_dependencies(test_renderdoc fgt_renderdoc)

if(TARGET fg_canvas)
    fgi_test(command_canvas SOURCES "${FGT_COMMANDS_DIR}/command_canvas_test.c" "${FGT_COMMANDS_DIR}/command_bed.c"
                                    "${FGT_COMMANDS_DIR}/../support/failing_memory.c"
             MODULES canvas LABELS gpu
             ENVIRONMENT LP_NUM_THREADS=2 ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=ignore_noninstrumented_modules=1
                         "FGT_GOLDEN=${FGT_COMMANDS_DIR}/golden")
    add_test(NAME command_programs_canvas
             COMMAND "${Python3_EXECUTABLE}" "${FGT_COMMANDS_DIR}/test_programs.py" canvas)
    set_tests_properties(command_programs_canvas PROPERTIES LABELS gpu TIMEOUT 120
        ENVIRONMENT "CANVAS=$<TARGET_FILE:canvas>;FGT_RENDERDOC=$<TARGET_FILE:fgt_renderdoc>;LP_NUM_THREADS=2;ASAN_OPTIONS=detect_leaks=0;FGT_SANITIZED=${FG_SANITIZE}")
endif()
if(TARGET renderer)
    foreach(driver ${FG_SOFTWARE_DRIVERS})
        fgi_driver_environment(environment ${driver})
        if(NOT driver STREQUAL "lavapipe") # which is the quicker one
            list(APPEND environment FGT_BRIEF=1)
        endif()
        add_test(NAME command_programs_${driver}
                 COMMAND "${Python3_EXECUTABLE}" "${FGT_COMMANDS_DIR}/test_programs.py" renderer)
        set_tests_properties(command_programs_${driver} PROPERTIES LABELS gpu TIMEOUT 300
            ENVIRONMENT "${environment};RENDERER=$<TARGET_FILE:renderer>;FGT_RENDERDOC=$<TARGET_FILE:fgt_renderdoc>;FGT_SANITIZED=${FG_SANITIZE}")
    endforeach()
endif()

# The page: its lines as a program, and what it shows of the examples.
file(READ "${PROJECT_SOURCE_DIR}/docs/COMMANDS.md" page)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/COMMANDS.md")
string(REPLACE ";" "<semicolon>" page "${page}")
string(REGEX MATCH "```c\n([^`]*)```" ignored "${page}")
string(REPLACE "<semicolon>" ";" block "${CMAKE_MATCH_1}")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/docs/commands_lines.c" @ONLY
     CONTENT "#include \"${FGT_COMMANDS_DIR}/commands_lines.h\"\nint main(void)\n{\n${block}return result != FG_OK;\n}\n")
add_executable(commands_lines "${PROJECT_BINARY_DIR}/docs/commands_lines.c")
fgi_link(commands_lines gpu_commands)
add_test(NAME commands_page COMMAND "${Python3_EXECUTABLE}" -B "${FGT_COMMANDS_DIR}/test_page.py" lines
                                    $<TARGET_FILE:commands_lines> "${PROJECT_SOURCE_DIR}/docs/COMMANDS.md")
set_tests_properties(commands_page PROPERTIES LABELS docs)
if(TARGET fg_canvas)
    add_test(NAME commands_page_canvas COMMAND "${Python3_EXECUTABLE}" -B "${FGT_COMMANDS_DIR}/test_page.py" canvas
                                               $<TARGET_FILE:canvas> "${PROJECT_SOURCE_DIR}/docs/COMMANDS.md")
    set_tests_properties(commands_page_canvas PROPERTIES LABELS "docs;gpu" TIMEOUT 120
                         ENVIRONMENT "LP_NUM_THREADS=2;ASAN_OPTIONS=detect_leaks=0")
endif()
if(TARGET renderer AND "lavapipe" IN_LIST FG_SOFTWARE_DRIVERS)
    fgi_driver_environment(environment lavapipe)
    add_test(NAME commands_page_renderer COMMAND "${Python3_EXECUTABLE}" -B "${FGT_COMMANDS_DIR}/test_page.py" renderer
                                                 $<TARGET_FILE:renderer> "${PROJECT_SOURCE_DIR}/docs/COMMANDS.md")
    set_tests_properties(commands_page_renderer PROPERTIES LABELS "docs;gpu" TIMEOUT 300 ENVIRONMENT "${environment}")
endif()
