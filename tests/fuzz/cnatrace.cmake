# SPDX-License-Identifier: MIT
file(GLOB corpus CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/golden/*.cnatrace")
fgi_fuzz(cnatrace SOURCES ${CMAKE_CURRENT_LIST_DIR}/cnatrace_fuzz.c MODULES capture CORPUS ${corpus})
