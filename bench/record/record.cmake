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

# Zones and counters beside the least that they can cost. A peer's client library that is one
# translation unit can be measured beside them, by a path to a copy of it: FG_PEER_SPALL (the folder
# of spall.h), FG_PEER_TRACY (the folder that has public/TracyClient.cpp).
if(FG_LEVEL EQUAL 2)
    fgi_bench(zones SOURCES "${CMAKE_CURRENT_LIST_DIR}/zone_bench.c" "${CMAKE_CURRENT_LIST_DIR}/zone_calls.c"
              MODULES record)
    set(FG_PEER_SPALL "$ENV{FG_PEER_SPALL}" CACHE PATH "A copy of Spall to measure beside")
    set(FG_PEER_TRACY "$ENV{FG_PEER_TRACY}" CACHE PATH "A copy of Tracy to measure beside")
    if(FG_PEER_SPALL)
        target_sources(bench_zones PRIVATE "${CMAKE_CURRENT_LIST_DIR}/peer_spall.c")
        set_source_files_properties("${CMAKE_CURRENT_LIST_DIR}/peer_spall.c" PROPERTIES
            INCLUDE_DIRECTORIES "${FG_PEER_SPALL}" COMPILE_OPTIONS "-w")
        target_compile_definitions(bench_zones PRIVATE FGB_SPALL)
    endif()
    if(FG_PEER_TRACY)
        enable_language(CXX)
        add_library(bench_peer_tracy OBJECT "${CMAKE_CURRENT_LIST_DIR}/peer_tracy.cpp"
                                            "${FG_PEER_TRACY}/public/TracyClient.cpp")
        target_include_directories(bench_peer_tracy PRIVATE "${FG_PEER_TRACY}/public")
        target_compile_definitions(bench_peer_tracy PRIVATE TRACY_ENABLE TRACY_NO_SYSTEM_TRACING
                                   TRACY_NO_SAMPLING)
        target_compile_options(bench_peer_tracy PRIVATE -std=c++17 -w)
        target_link_libraries(bench_zones PRIVATE bench_peer_tracy ${CMAKE_DL_LIBS})
        set_target_properties(bench_zones PROPERTIES LINKER_LANGUAGE CXX)
        target_compile_definitions(bench_zones PRIVATE FGB_TRACY)
    endif()
endif()

# Bytes per zone; and a run of ten minutes that is a command, not a benchmark: build/bin/soak.
if(FG_LEVEL EQUAL 2)
    fgi_bench(zone_size SOURCES "${CMAKE_CURRENT_LIST_DIR}/zone_size_bench.c" MODULES record LINK fg_zstd)
    add_executable(soak "${CMAKE_CURRENT_LIST_DIR}/soak.c")
    target_compile_definitions(soak PRIVATE FG_COMMIT="${bench_commit}")
    fgi_link(soak record)
endif()

# What a detailed capture costs for each node: build/bin/bench_detail.
fgi_bench(detail SOURCES ${CMAKE_CURRENT_LIST_DIR}/detail_bench.c MODULES gpu_software)
