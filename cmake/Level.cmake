# SPDX-License-Identifier: MIT
# FRAMEGLASS_LEVEL, written in any case, as FG_LEVEL_NAME, and as the number that the
# headers take: FG_LEVEL.
string(TOUPPER "${FRAMEGLASS_LEVEL}" FG_LEVEL_NAME)
set(levels OFF STATS FULL)
list(FIND levels "${FG_LEVEL_NAME}" FG_LEVEL)
if(FG_LEVEL EQUAL -1)
    message(FATAL_ERROR "FRAMEGLASS_LEVEL is \"${FRAMEGLASS_LEVEL}\": OFF, STATS and FULL are the levels")
endif()
