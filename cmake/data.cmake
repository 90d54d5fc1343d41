# paika_data_source(TOP RESULT [NAME GAMES…]): the source with the files of data/, po/ and docs/rules built in
# (src/base/data.hpp), written when one of them changes. TOP is the root of the repository; RESULT names a variable for the
# path. NAME is that of the source, data if it is not given, and then it has the puzzles too; files of GAMES are left out,
# and files that are named.
function(paika_data_source top result)
  set(name data)
  if(ARGC GREATER 2)
    list(POP_FRONT ARGN name)
  endif()
  file(GLOB files CONFIGURE_DEPENDS ${top}/data/*.weights ${top}/data/*.book ${top}/data/demos/*.demo ${top}/po/*.po
    ${top}/docs/rules/*.md ${top}/docs/rules/*/*.md)
  if(name STREQUAL data)
    # Only the server judges puzzles: a page has them itself.
    file(GLOB puzzles CONFIGURE_DEPENDS ${top}/data/puzzles/*.tsv)
    list(APPEND files ${puzzles})
  endif()
  foreach(game ${ARGN})
    if(game MATCHES "[.]")
      list(FILTER files EXCLUDE REGEX "/${game}$")
    else()
      list(FILTER files EXCLUDE REGEX "/${game}[^/]*\\.(weights|book|demo|md)$")
    endif()
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DOUT=${source} "-DFILES=${files}" -P ${top}/cmake/embed.cmake
    DEPENDS ${files} ${top}/cmake/embed.cmake
    VERBATIM)
  set(${result} ${source} PARENT_SCOPE)
endfunction()
