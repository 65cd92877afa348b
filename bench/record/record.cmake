# SPDX-License-Identifier: MIT
fgi_bench(record SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_bench.c" MODULES gpu_software)

fgi_bench(record_size SOURCES "${CMAKE_CURRENT_LIST_DIR}/size_bench.c"
                              "${CMAKE_CURRENT_LIST_DIR}/generated_session.c"
          MODULES gpu_software open)

# Captures of any size, for whoever needs large ones.
add_executable(generate_capture "${CMAKE_CURRENT_LIST_DIR}/generate_capture.c"
                                "${CMAKE_CURRENT_LIST_DIR}/generated_session.c")
fgi_link(generate_capture gpu_software)
