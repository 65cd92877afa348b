# SPDX-License-Identifier: MIT
# Tests of the instrumentation (tests/instrument/guard.h). Each suite becomes a program of its own, in
# which every test has a process; and all suites become one program with one process.

# fgi_instrument_suite(subject SOURCES file... [MODULES module...] [LEVEL OFF|STATS|FULL]
#                      [LABELS label...] [LINK library...] [DEFINES definition...] [TIMEOUT seconds])
# LEVEL is the least that the library must be built for; otherwise the suite does not exist.
function(fgi_instrument_suite subject)
    cmake_parse_arguments(S "" "LEVEL;TIMEOUT" "SOURCES;MODULES;LINK;LABELS;DEFINES" ${ARGN})
    fgi_level_number(build "${FRAMEGLASS_LEVEL}")
    fgi_level_number(least "${S_LEVEL}")
    if(build LESS least)
        return()
    endif()
    if(NOT S_TIMEOUT)
        set(S_TIMEOUT 300)
    endif()
    if(NOT S_MODULES)
        set(S_MODULES record)
    endif()
    fgi_test(instrument_${subject}
             SOURCES ${S_SOURCES} "${PROJECT_SOURCE_DIR}/tests/instrument/main.c"
             MODULES ${S_MODULES} LINK ${S_LINK} LABELS instrument ${S_LABELS} TIMEOUT ${S_TIMEOUT}
             DEFINES ${S_DEFINES} FG_LEVEL=${build} "FGT_SUITES=FGT_ONE(${subject})")
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_SUBJECTS ${subject})
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_SOURCES ${S_SOURCES})
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_MODULES ${S_MODULES})
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_LINK ${S_LINK})
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_DEFINES ${S_DEFINES})
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_LABELS ${S_LABELS})
endfunction()

# All the suites that were registered, in one process. Call it after the last of them.
function(fgi_instrument_in_one_process)
    foreach(part SUBJECTS SOURCES MODULES LINK DEFINES LABELS)
        get_property(${part} GLOBAL PROPERTY FG_INSTRUMENT_${part})
        list(REMOVE_DUPLICATES ${part})
    endforeach()
    if(NOT SUBJECTS)
        return()
    endif()
    list(TRANSFORM SUBJECTS REPLACE "(.+)" "FGT_ONE(\\1)")
    list(JOIN SUBJECTS "" suites)
    fgi_level_number(build "${FRAMEGLASS_LEVEL}")
    fgi_test(instrument_in_one_process
             SOURCES ${SOURCES} "${PROJECT_SOURCE_DIR}/tests/instrument/main.c"
             MODULES ${MODULES} LINK ${LINK} LABELS instrument ${LABELS} TIMEOUT 600 ARGS --together
             DEFINES ${DEFINES} FG_LEVEL=${build} "FGT_SUITES=${suites}")
endfunction()

# 0, 1 or 2 for OFF, STATS or FULL, in any case; nothing is OFF.
function(fgi_level_number out level)
    string(TOUPPER "${level}" level)
    if(level STREQUAL "FULL")
        set(${out} 2 PARENT_SCOPE)
    elseif(level STREQUAL "STATS")
        set(${out} 1 PARENT_SCOPE)
    else()
        set(${out} 0 PARENT_SCOPE)
    endif()
endfunction()
