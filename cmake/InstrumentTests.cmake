# SPDX-License-Identifier: MIT
# Tests of the instrumentation (tests/instrument/suite_guard.h). Each suite becomes a program of its own, in
# which every test has a process; and all suites become one program with one process.

# fgi_instrument_suite(subject SOURCES file... [MODULES module...] [LEVEL OFF|STATS|FULL]
#                      [LABELS label...] [LINK library...] [DEFINES definition...] [DEPENDS target...]
#                      [TIMEOUT seconds] [ALONE])
# LEVEL is the least that the library must be built for; otherwise the suite does not exist. A build of
# the recorder only leaves out the suites that need more modules. ALONE: its tests are other programs' ends,
# so it is not in the one process.
function(fgi_instrument_suite subject)
    cmake_parse_arguments(S "ALONE" "LEVEL;TIMEOUT" "SOURCES;MODULES;LINK;LABELS;DEFINES;DEPENDS" ${ARGN})
    set(levels OFF STATS FULL)
    list(FIND levels "${S_LEVEL}" least)
    if(FG_LEVEL LESS least)
        return()
    endif()
    if(NOT S_TIMEOUT)
        set(S_TIMEOUT 300)
    endif()
    if(NOT S_MODULES)
        set(S_MODULES record)
    endif()
    foreach(module ${S_MODULES})
        if(FG_RECORDER_ONLY AND NOT TARGET fg_${module})
            return()
        endif()
    endforeach()
    fgi_test(instrument_${subject}
             SOURCES ${S_SOURCES} "${PROJECT_SOURCE_DIR}/tests/instrument/suite_main.c"
             MODULES ${S_MODULES} LINK ${S_LINK} LABELS instrument ${S_LABELS} TIMEOUT ${S_TIMEOUT}
             DEFINES ${S_DEFINES} "FGT_SUITES=FGT_ONE(${subject})")
    if(S_DEPENDS)
        add_dependencies(test_instrument_${subject} ${S_DEPENDS})
    endif()
    if(S_ALONE)
        return()
    endif()
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_SUBJECTS ${subject})
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_SOURCES ${S_SOURCES})
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_MODULES ${S_MODULES})
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_LINK ${S_LINK})
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_DEFINES ${S_DEFINES})
    set_property(GLOBAL APPEND PROPERTY FG_INSTRUMENT_DEPENDS ${S_DEPENDS})
endfunction()

# All the suites that were registered, in one process. Call it after the last of them.
function(fgi_instrument_in_one_process)
    foreach(part SUBJECTS SOURCES MODULES LINK DEFINES DEPENDS)
        get_property(${part} GLOBAL PROPERTY FG_INSTRUMENT_${part})
        list(REMOVE_DUPLICATES ${part})
    endforeach()
    if(NOT SUBJECTS)
        return()
    endif()
    list(TRANSFORM SUBJECTS REPLACE "(.+)" "FGT_ONE(\\1)")
    list(JOIN SUBJECTS "" suites)
    fgi_test(instrument_in_one_process
             SOURCES ${SOURCES} "${PROJECT_SOURCE_DIR}/tests/instrument/suite_main.c"
             MODULES ${MODULES} LINK ${LINK} LABELS instrument TIMEOUT 600 ARGS --together
             DEFINES ${DEFINES} "FGT_SUITES=${suites}")
    if(DEPENDS)
        add_dependencies(test_instrument_in_one_process ${DEPENDS})
    endif()
endfunction()
