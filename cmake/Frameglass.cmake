# SPDX-License-Identifier: MIT
# The two things that every folder says: what module it is, and what tests it has.

find_package(Threads REQUIRED)

include(Level)
include(Python)

# Flags for our own code only: kept out of what is installed and exported.
add_library(fg_flags INTERFACE)
target_compile_features(fg_flags INTERFACE c_std_11)
target_compile_options(fg_flags INTERFACE
    -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
    -Wvla -Wundef -Wwrite-strings -Wimplicit-fallthrough -fno-strict-aliasing)
target_compile_definitions(fg_flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE
                           FG_LEVEL=${FG_LEVEL} FG_LIBRARY_LEVEL=${FG_LEVEL})
if(FG_WERROR)
    target_compile_options(fg_flags INTERFACE -Werror)
endif()
if(FG_PROFILING)
    # What was inlined is named by the debugging information; a call in tail position keeps its caller.
    target_compile_options(fg_flags INTERFACE -g -fno-omit-frame-pointer -fno-optimize-sibling-calls)
endif()
if(FG_SANITIZE)
    target_compile_options(fg_flags INTERFACE -fsanitize=${FG_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all -g1)
    target_link_options(fg_flags INTERFACE -fsanitize=${FG_SANITIZE})
endif()

set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# fgi_module(name SOURCES file... [DEPENDS module...] [LINK library...] [DEFINES definition...])
# An object library fg_<name>; includes are written "module/file.h" from src/.
function(fgi_module name)
    cmake_parse_arguments(M "" "" "SOURCES;DEPENDS;LINK;DEFINES" ${ARGN})
    add_library(fg_${name} OBJECT ${M_SOURCES})
    target_include_directories(fg_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
    target_compile_definitions(fg_${name} PRIVATE ${M_DEFINES})
    target_link_libraries(fg_${name} PRIVATE fg_flags PUBLIC Threads::Threads ${M_LINK})
    set_property(GLOBAL APPEND PROPERTY FG_MODULES ${name})
    set_property(GLOBAL PROPERTY FG_DEPENDS_${name} "${M_DEPENDS}")
    set_property(GLOBAL PROPERTY FG_LINK_${name} "${M_LINK}")
endfunction()

# All the modules that `name` needs, itself included, without repeats.
function(fgi_closure out)
    set(todo ${ARGN})
    set(seen)
    while(todo)
        list(POP_FRONT todo name)
        if(NOT name IN_LIST seen)
            list(APPEND seen ${name})
            get_property(depends GLOBAL PROPERTY FG_DEPENDS_${name})
            list(APPEND todo ${depends})
        endif()
    endwhile()
    set(${out} ${seen} PARENT_SCOPE)
endfunction()

# Link a target against modules and everything below them.
function(fgi_link target)
    fgi_closure(modules ${ARGN})
    foreach(name ${modules})
        get_property(libraries GLOBAL PROPERTY FG_LINK_${name})
        target_link_libraries(${target} PRIVATE $<TARGET_OBJECTS:fg_${name}> ${libraries})
    endforeach()
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
    target_link_libraries(${target} PRIVATE fg_flags Threads::Threads m)
endfunction()

# fgi_test_lacks(what consequence): this machine lacks what some tests need. Where all of them must
# run that is an error: tests that silently stay away pass for tests that pass.
function(fgi_test_lacks what consequence)
    if(FG_REQUIRE_ALL_TESTS)
        message(SEND_ERROR "No ${what} here: ${consequence}, but FG_REQUIRE_ALL_TESTS is ON")
    else()
        message(STATUS "No ${what} here: ${consequence}")
    endif()
endfunction()

# What belongs to the tests with the label `threads`, so that a build for them alone can be small.
add_custom_target(tests_threads)

# Address sanitizer's large blocks, which take most of the time of tests: see the file.
if(FG_SANITIZE MATCHES "address" AND FG_BUILD_TESTS)
    add_library(fgt_kept_blocks OBJECT "${PROJECT_SOURCE_DIR}/tests/support/kept_blocks.c")
    target_link_libraries(fgt_kept_blocks PRIVATE fg_flags)
    target_link_options(fgt_kept_blocks INTERFACE
        -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=free)
endif()

# fgi_test(name SOURCES file... MODULES module... [LINK library...] [LABELS label...] [ENVIRONMENT A=B...]
#          [DEFINES definition...] [ARGS argument...] [TIMEOUT seconds] [SERIAL])
# One executable, one ctest entry: a crash in one module's tests stays there.
function(fgi_test name)
    cmake_parse_arguments(T "SERIAL" "TIMEOUT" "SOURCES;MODULES;LINK;LABELS;ENVIRONMENT;DEFINES;ARGS" ${ARGN})
    add_executable(test_${name} ${T_SOURCES})
    fgi_link(test_${name} ${T_MODULES})
    target_include_directories(test_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support")
    target_link_libraries(test_${name} PRIVATE cmocka ${T_LINK})
    if(TARGET fgt_kept_blocks)
        target_link_libraries(test_${name} PRIVATE fgt_kept_blocks)
    endif()
    target_compile_definitions(test_${name} PRIVATE ${T_DEFINES} FG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    add_test(NAME ${name} COMMAND test_${name} ${T_ARGS})
    if(NOT T_TIMEOUT)
        set(T_TIMEOUT 120)
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${T_TIMEOUT} LABELS "${T_LABELS}"
                         ENVIRONMENT "${T_ENVIRONMENT}")
    if("threads" IN_LIST T_LABELS)
        add_dependencies(tests_threads test_${name})
    endif()
    if(T_SERIAL)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()

include(Fuzz)
include(InstrumentTests)
