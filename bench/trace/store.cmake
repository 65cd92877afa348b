# SPDX-License-Identifier: MIT
# Captures of any size and a fixed seed, and what loading one costs. Neither runs by itself.
add_executable(generate_spans ${CMAKE_CURRENT_LIST_DIR}/generate_spans.c
               ${CMAKE_CURRENT_LIST_DIR}/span_file.c ${PROJECT_SOURCE_DIR}/src/cli/process_dataset.c)
fgi_link(generate_spans capture)

add_executable(bench_load ${CMAKE_CURRENT_LIST_DIR}/bench_load.c)
target_compile_definitions(bench_load PRIVATE FG_COMMIT="${bench_commit}")
fgi_link(bench_load open)

add_executable(bench_path ${CMAKE_CURRENT_LIST_DIR}/bench_path.c)
target_compile_definitions(bench_path PRIVATE FG_COMMIT="${bench_commit}")
fgi_link(bench_path open)
