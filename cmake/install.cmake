# What `cmake --install` puts where. Components: program (the program, its web app, manual pages, completions), mpi (the
# program that paika becomes under mpirun), a3, server (a service of systemd). docs/packages.md shows their use.
include(GNUInstallDirs)

install(TARGETS paika RUNTIME COMPONENT program)
install(TARGETS paika-mpi RUNTIME COMPONENT mpi)
install(TARGETS a3 RUNTIME COMPONENT a3)

# The program writes its own manual pages and completions, from the texts of --help.
set(manual ${CMAKE_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${manual}/.stamp
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${manual}
  COMMAND paika man ${manual}/man
  COMMAND paika completion bash > ${manual}/paika.bash
  COMMAND paika completion zsh > ${manual}/paika.zsh
  COMMAND paika completion fish > ${manual}/paika.fish
  COMMAND ${CMAKE_COMMAND} -E touch ${manual}/.stamp
  DEPENDS paika
  COMMENT "Writing manual pages and completions"
  VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual}/.stamp)
install(DIRECTORY ${manual}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${manual}/paika.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME paika
  COMPONENT program)
install(FILES ${manual}/paika.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _paika
  COMPONENT program)
install(FILES ${manual}/paika.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

# The web app, if `./paika web` has built it; without it the server shows a plain page. src/apps/serve.cpp looks for it
# beside the program.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/web/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/paika/web COMPONENT program OPTIONAL
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
  PATTERN .stamp EXCLUDE)

# The unit names absolute paths, which are those of the prefix that was configured.
configure_file(${CMAKE_SOURCE_DIR}/contrib/paika.service.in ${CMAKE_BINARY_DIR}/contrib/paika.service @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/contrib/paika.service DESTINATION lib/systemd/system COMPONENT server)
install(FILES ${CMAKE_SOURCE_DIR}/contrib/paika.sysusers DESTINATION lib/sysusers.d RENAME paika.conf COMPONENT server)
install(FILES ${CMAKE_SOURCE_DIR}/contrib/paika.tmpfiles DESTINATION lib/tmpfiles.d RENAME paika.conf COMPONENT server)
install(FILES ${CMAKE_SOURCE_DIR}/contrib/paika.default DESTINATION ${CMAKE_INSTALL_SYSCONFDIR}/default RENAME paika
  COMPONENT server)
