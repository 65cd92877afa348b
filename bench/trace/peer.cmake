# SPDX-License-Identifier: MIT
# The same questions to a peer, when FG_TRACE_PROCESSOR (or --peer) names its program.
fgi_need_python()
add_executable(bench_questions ${CMAKE_CURRENT_LIST_DIR}/bench_questions.c)
target_compile_definitions(bench_questions PRIVATE FG_COMMIT="${bench_commit}")
fgi_link(bench_questions open)
set_property(GLOBAL APPEND PROPERTY FG_BENCH_COMMANDS
             COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/peer.py"
                     --questions "$<TARGET_FILE:bench_questions>" --chrome "$<TARGET_FILE:bench_chrome>")
set_property(GLOBAL APPEND PROPERTY FG_BENCH_PROGRAMS bench_questions bench_chrome)
