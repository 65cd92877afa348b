# SPDX-License-Identifier: MIT
fgi_test(view_visits SOURCES ${CMAKE_CURRENT_LIST_DIR}/view_visits_test.c MODULES engine_cpu LABELS unit)
