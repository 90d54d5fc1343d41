# The C interface: strict C99 programs against the shared library, and what it exports.
enable_language(C)
add_library(paika_c_program INTERFACE)
target_compile_options(paika_c_program INTERFACE -std=c99 -Wall -Wextra -Wpedantic -Werror)
target_link_libraries(paika_c_program INTERFACE paika::paika)
if(PAIKA_SANITIZE)
  target_compile_options(paika_c_program INTERFACE -fsanitize=${PAIKA_SANITIZE})
  target_link_options(paika_c_program INTERFACE -fsanitize=${PAIKA_SANITIZE})
endif()
add_executable(test_capi capi/conformance.c)
add_executable(example_play ${CMAKE_SOURCE_DIR}/examples/play.c)
target_link_libraries(test_capi PRIVATE paika_c_program Threads::Threads)
target_link_libraries(example_play PRIVATE paika_c_program)
add_test(NAME capi COMMAND ${PAIKA_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/capi/capi_test.py
  $<TARGET_FILE:test_capi> $<TARGET_FILE:example_play> $<TARGET_FILE:paika>)
if(NOT PAIKA_SANITIZE)  # which exports more, and needs programs that are sanitized too
  add_test(NAME capi_abi COMMAND ${PAIKA_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/capi/abi_test.py $<TARGET_FILE:libpaika>)
  add_test(NAME capi_install COMMAND ${PAIKA_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/capi/install_test.py
    ${CMAKE_COMMAND} ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
endif()
