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
find_file(VULKAN_CORE_HEADER vulkan/vulkan_core.h REQUIRED)
fgi_test(record_footprint SOURCES "${CMAKE_CURRENT_LIST_DIR}/record_footprint_test.c"
         MODULES record LABELS unit DEFINES VULKAN_HEADER="${VULKAN_CORE_HEADER}")
