# SPDX-License-Identifier: MIT
set(FGT_HUD "${CMAKE_CURRENT_LIST_DIR}")
fgi_test(hud_statistics SOURCES ${FGT_HUD}/hud_statistics_test.c ${FGT_HUD}/hud_scene.c
                                "${PROJECT_SOURCE_DIR}/tests/support/failing_memory.c"
         MODULES hud LABELS unit)

fgi_test(hud_list SOURCES ${FGT_HUD}/hud_list_test.c ${FGT_HUD}/hud_scene.c MODULES hud LABELS unit)

# The picture in docs/HUD.md.
find_package(PNG QUIET GLOBAL)
if(PNG_FOUND)
    add_executable(hud_picture ${FGT_HUD}/hud_picture.c ${FGT_HUD}/hud_scene.c)
    fgi_link(hud_picture hud)
    target_link_libraries(hud_picture PRIVATE PNG::PNG)
endif()
