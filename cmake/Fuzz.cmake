# SPDX-License-Identifier: MIT
# Fuzz targets: LLVMFuzzerTestOneInput() in one file each.

option(FG_FUZZ "Build the fuzz targets with libFuzzer (needs clang)" OFF)
if(FG_FUZZ)
    # The modules are to be instrumented too, so that the fuzzer sees where it gets.
    target_compile_options(fg_flags INTERFACE -fsanitize=fuzzer-no-link)
    # All that look for new inputs, without the tests.
    add_custom_target(fuzzers)
endif()

# fgi_fuzz(name SOURCES file... MODULES module... [LINK library...] [INCLUDE folder...]
#          [CORPUS file-or-folder...] [MUTATOR file...])
# Always: test_fuzz_<name>, which replays the corpus and many truncations and changed bytes that the
# driver makes of it, under ctest, and what was found and kept in <name>_found, as it is.
# With FG_FUZZ also fuzz_<name>, which looks for new inputs, and changes them with the mutator.
function(fgi_fuzz name)
    cmake_parse_arguments(F "" "" "SOURCES;MODULES;LINK;INCLUDE;CORPUS;MUTATOR" ${ARGN})
    set(programs test_fuzz_${name})
    list(APPEND F_SOURCES "${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_memory.c")
    add_executable(test_fuzz_${name} ${F_SOURCES} "${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.c")
    if(FG_FUZZ)
        add_executable(fuzz_${name} ${F_SOURCES} ${F_MUTATOR})
        target_link_libraries(fuzz_${name} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzzers fuzz_${name})
        list(APPEND programs fuzz_${name})
    endif()
    foreach(program ${programs})
        fgi_link(${program} ${F_MODULES})
        target_link_libraries(${program} PRIVATE ${F_LINK})
        target_include_directories(${program} PRIVATE ${F_INCLUDE})
    endforeach()
    set(found "${PROJECT_SOURCE_DIR}/tests/fuzz/${name}_found")
    if(IS_DIRECTORY "${found}")
        list(APPEND F_CORPUS --as-it-is "${found}")
    endif()
    add_test(NAME fuzz_${name} COMMAND test_fuzz_${name} ${F_CORPUS})
    set_tests_properties(fuzz_${name} PROPERTIES LABELS fuzz TIMEOUT 600)
endfunction()
