# The games of Paika's programs, in the order in which people see them: the one list of games. A game has a folder in
# src/games and one in src/instances.
set(paika_games fanorona abalone othello wildebeest)

# paika_source_for_games(TEMPLATE OUTPUT GAMES…): writes OUTPUT from a template, in which a line with "<game>" stands for
# one such line per game.
function(paika_source_for_games template output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${template})
  file(READ ${template} text)
  string(REPLACE ";" "<semicolon>" text "${text}")
  string(REGEX MATCHALL "[^\n]*<game>[^\n]*\n" lines "${text}")
  list(REMOVE_DUPLICATES lines)
  foreach(line IN LISTS lines)
    set(all "")
    foreach(game ${ARGN})
      string(REPLACE "<game>" "${game}" one "${line}")
      string(APPEND all "${one}")
    endforeach()
    string(REPLACE "${line}" "${all}" text "${text}")
  endforeach()
  string(REPLACE "<semicolon>" ";" text "${text}")
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)  # written only if it differs
endfunction()
