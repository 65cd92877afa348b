# SPDX-License-Identifier: MIT
# Each input becomes a whole trace and every export of it: the good files are enough of a start.
file(GLOB corpus CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/golden/v1_*.sgpt"
     "${PROJECT_SOURCE_DIR}/tests/golden/cnatrace_*.cnatrace")
fgi_fuzz(open SOURCES ${CMAKE_CURRENT_LIST_DIR}/open_fuzz.c MODULES open CORPUS ${corpus}
         MUTATOR ${CMAKE_CURRENT_LIST_DIR}/capture_mutator.c)
