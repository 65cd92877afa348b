# SPDX-License-Identifier: MIT
find_package(PNG QUIET GLOBAL)
if(PNG_FOUND)
    add_executable(hud_picture "${CMAKE_CURRENT_LIST_DIR}/hud_picture.c" "${CMAKE_CURRENT_LIST_DIR}/hud_scene.c")
    fgi_link(hud_picture hud)
    target_link_libraries(hud_picture PRIVATE PNG::PNG)
endif()
