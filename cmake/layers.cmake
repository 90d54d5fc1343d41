# Layers that talk rather than compute are optimised less: they wait for others most of the time, and they are
# many files, which compile a quarter faster so.
function(paika_light target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# paika_layer(NAME FOLDER DEPS…): one library for the sources of one folder under src.
# A folder with headers only becomes an interface library of the same name.
function(paika_layer name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PRIVATE paika_flags)
    # (g++ 12 warns of Asio's coroutines at -O1 where there is nothing wrong.)
    if(folder MATCHES "^(play|sandbox|protocols|grading|tournament|server)(/|$)" AND NOT folder STREQUAL "server/net")
      paika_light(${name})
    endif()
    target_include_directories(${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ARGN})
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${ARGN})
  endif()
endfunction()
