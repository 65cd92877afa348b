# SPDX-License-Identifier: MIT
# Copies "name=file" ROWS into SITE, which holds nothing else afterwards.
file(REMOVE_RECURSE "${SITE}")
foreach(row IN LISTS ROWS)
    string(REGEX MATCH "^([^=]*)=(.*)$" matched "${row}")
    get_filename_component(folder "${SITE}/${CMAKE_MATCH_1}" DIRECTORY)
    file(COPY "${CMAKE_MATCH_2}" DESTINATION "${folder}")
endforeach()
