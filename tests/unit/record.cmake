# SPDX-License-Identifier: MIT
set(bed "${CMAKE_CURRENT_LIST_DIR}/record_bed.c")
foreach(part attribution roundtrip session timers timing)
    fgi_test(record_${part} SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_${part}_test.c" "${bed}"
             MODULES gpu_software LABELS unit)
endforeach()
fgi_test(record_clocks SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_clocks_test.c" "${bed}"
         MODULES gpu_software LABELS unit)
fgi_test(record_threads SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_threads_test.c" "${bed}"
         MODULES gpu_software LABELS unit threads)
fgi_test(record_sizes SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_sizes_test.c"
         "${PROJECT_SOURCE_DIR}/bench/record/generated_session.c" MODULES gpu_software LABELS unit)
find_file(VULKAN_CORE_HEADER vulkan/vulkan_core.h REQUIRED)
fgi_test(record_footprint SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_footprint_test.c"
         MODULES record LABELS unit DEFINES VULKAN_HEADER="${VULKAN_CORE_HEADER}")

# A program that never uses the recorder carries none of it.
fgi_closure(record_modules gpu_software)
set(record_objects)
foreach(module ${record_modules})
    list(APPEND record_objects $<TARGET_OBJECTS:fg_${module}>)
endforeach()
add_library(record_dead_strip STATIC ${record_objects})
foreach(program empty little)
    add_executable(record_${program} "${CMAKE_CURRENT_LIST_DIR}/record_${program}.c")
    target_include_directories(record_${program} PRIVATE "${PROJECT_SOURCE_DIR}/include")
    target_link_libraries(record_${program} PRIVATE record_dead_strip fg_flags Threads::Threads m)
endforeach()
add_test(NAME record_carries_nothing_unused
         COMMAND sh -c "! nm '$<TARGET_FILE:record_empty>' | grep -E ' [A-Za-z] fgi?_'")
add_test(NAME record_carries_only_what_is_used
         COMMAND sh -c "nm '$<TARGET_FILE:record_little>' | grep -q ' fg_graph_listeners_add$' && ! nm '$<TARGET_FILE:record_little>' | grep -E ' fg_(session|capture|frame)_'")

if(TARGET example_minimal AND TARGET example_foreign_graph)
    fgi_test(record_examples SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_examples_test.c" "${bed}"
             MODULES gpu_software LABELS unit
             DEFINES EXAMPLE_MINIMAL="$<TARGET_FILE:example_minimal>"
                     EXAMPLE_FOREIGN="$<TARGET_FILE:example_foreign_graph>")
    add_dependencies(test_record_examples example_minimal example_foreign_graph)
endif()

# Each probe is a note in the program: name and provider.
find_path(FG_SDT_INCLUDE sys/sdt.h)
find_program(FG_READELF readelf)
if(FG_SDT_INCLUDE AND FG_READELF)
    add_test(NAME record_has_probes_for_tracers
             COMMAND sh -c "for probe in frame_begin frame_end graph_pass_begin graph_pass_end gpu_pass_begin gpu_pass_end; do '${FG_READELF}' -n '$<TARGET_FILE:test_record_session>' | grep -A1 'Provider: frameglass' | grep -q \"Name: \$probe$\" || exit 1; done")
else()
    fgi_test_lacks("sys/sdt.h" "no probes, and no test of them")
endif()
