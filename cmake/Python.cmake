# SPDX-License-Identifier: MIT

# fgi_need_python(): Python3_EXECUTABLE, looked for once. It is the interpreter itself: what a manager of
# versions puts in front of it takes longer to begin than most of our scripts to run.
function(fgi_need_python)
    if(Python3_EXECUTABLE)
        return()
    endif()
    find_program(python NAMES python3 python NO_CACHE REQUIRED)
    execute_process(COMMAND "${python}" -c "import sys; assert sys.version_info >= (3, 8); print(sys.executable)"
                    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    message(STATUS "Found Python: ${found}")
    set(Python3_EXECUTABLE "${found}" CACHE FILEPATH "The interpreter of scripts, 3.8 or newer")
endfunction()
