# SPDX-License-Identifier: MIT
# Fuzz targets: LLVMFuzzerTestOneInput() in one file each.

option(FG_FUZZ "Build the fuzz targets with libFuzzer (needs clang)" OFF)
if(FG_FUZZ)
    # The modules are to be instrumented too, so that the fuzzer sees where it gets.
    target_compile_options(fg_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# fgi_fuzz(name SOURCES file... MODULES module... [CORPUS file-or-folder...])
# Always: test_fuzz_<name>, which replays the corpus and every truncation and bit flip that the
# driver makes of it, under ctest. With FG_FUZZ also fuzz_<name>, which looks for new inputs.
function(fgi_fuzz name)
    cmake_parse_arguments(F "" "" "SOURCES;MODULES;LINK;CORPUS" ${ARGN})
    add_executable(test_fuzz_${name} ${F_SOURCES} "${PROJECT_SOURCE_DIR}/tests/fuzz/replay_main.c")
    fgi_link(test_fuzz_${name} ${F_MODULES})
    target_link_libraries(test_fuzz_${name} PRIVATE ${F_LINK})
    add_test(NAME fuzz_${name} COMMAND test_fuzz_${name} ${F_CORPUS})
    set_tests_properties(fuzz_${name} PROPERTIES LABELS fuzz TIMEOUT 600)
    if(FG_FUZZ)
        add_executable(fuzz_${name} ${F_SOURCES})
        fgi_link(fuzz_${name} ${F_MODULES})
        target_link_libraries(fuzz_${name} PRIVATE ${F_LINK} -fsanitize=fuzzer)
    endif()
endfunction()
