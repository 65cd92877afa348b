# SPDX-License-Identifier: MIT
find_package(Git QUIET)
set(commit "unknown")
if(GIT_FOUND)
    execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${PROJECT_SOURCE_DIR}" rev-parse --short HEAD
                    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(found)
        set(commit "${found}")
    endif()
endif()

fgi_bench(record SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_bench.c" MODULES gpu_software)
target_compile_definitions(bench_record PRIVATE FG_COMMIT="${commit}")

if(TARGET fg_open AND TARGET fg_convert)
    fgi_bench(record_size SOURCES "${CMAKE_CURRENT_LIST_DIR}/size_bench.c"
                                  "${CMAKE_CURRENT_LIST_DIR}/generated_session.c"
              MODULES gpu_software open)
    target_compile_definitions(bench_record_size PRIVATE FG_COMMIT="${commit}")
endif()

# Captures of any size, for whoever needs large ones.
add_executable(generate_capture "${CMAKE_CURRENT_LIST_DIR}/generate_capture.c"
                                "${CMAKE_CURRENT_LIST_DIR}/generated_session.c")
fgi_link(generate_capture gpu_software)
