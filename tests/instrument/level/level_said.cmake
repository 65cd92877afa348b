# SPDX-License-Identifier: MIT
include("${CMAKE_CURRENT_LIST_DIR}/../../../cmake/Level.cmake")
message("level ${FG_LEVEL}")
