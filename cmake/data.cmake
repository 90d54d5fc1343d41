# paika_data_source(TOP RESULT): the source with the files of data/, po/ and docs/rules built in (src/base/data.hpp), written
# when one of them changes. TOP is the root of the repository; RESULT names a variable for the path.
function(paika_data_source top result)
  file(GLOB files CONFIGURE_DEPENDS ${top}/data/*.weights ${top}/data/demos/*.demo ${top}/po/*.po
    ${top}/docs/rules/*.md ${top}/docs/rules/*/*.md)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/data.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DOUT=${source} "-DFILES=${files}" -P ${top}/cmake/embed.cmake
    DEPENDS ${files} ${top}/cmake/embed.cmake
    VERBATIM)
  set(${result} ${source} PARENT_SCOPE)
endfunction()
