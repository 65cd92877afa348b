# SPDX-License-Identifier: MIT
file(GLOB corpus CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/golden/*.sgpt")
fgi_fuzz(copy SOURCES ${CMAKE_CURRENT_LIST_DIR}/copy_fuzz.c MODULES capture CORPUS ${corpus}
         MUTATOR ${CMAKE_CURRENT_LIST_DIR}/capture_mutator.c)
