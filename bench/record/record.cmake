# SPDX-License-Identifier: MIT
fgi_bench(record SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_bench.c" MODULES gpu_software)

fgi_bench(record_size SOURCES "${CMAKE_CURRENT_LIST_DIR}/size_bench.c"
                              "${CMAKE_CURRENT_LIST_DIR}/generated_session.c"
          MODULES gpu_software open)

# Captures of any size, for whoever needs large ones.
add_executable(generate_capture "${CMAKE_CURRENT_LIST_DIR}/generate_capture.c"
                                "${CMAKE_CURRENT_LIST_DIR}/generated_session.c")
fgi_link(generate_capture gpu_software)

# Needs a Vulkan device and takes minutes on a software driver: not one of `make bench`.
if(TARGET renderer)
    add_executable(bench_scene "${CMAKE_CURRENT_LIST_DIR}/scene_bench.c")
    target_compile_definitions(bench_scene PRIVATE FG_COMMIT="${bench_commit}")
    fgi_link(bench_scene renderer capture)
    target_link_libraries(bench_scene PRIVATE ZLIB::ZLIB)
endif()
