# The Python package, imported from where it is built.
if(TARGET paika_python)
  function(paika_python_test name script)
    add_test(NAME ${name} COMMAND ${PAIKA_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/python/${script})
    set_property(TEST ${name} PROPERTY ENVIRONMENT
      PYTHONPATH=${CMAKE_BINARY_DIR}/python PAIKA_PROGRAM=$<TARGET_FILE:paika> ${ARGN})
  endfunction()
  if(PAIKA_SANITIZE MATCHES "address")  # the interpreter itself is not sanitized, and leaks at its end
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE asan
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.so OUTPUT_VARIABLE stdcxx
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(sanitized "LD_PRELOAD=${asan} ${stdcxx}" ASAN_OPTIONS=detect_leaks=0)
  endif()
  if(NOT PAIKA_SANITIZE MATCHES "thread")
    paika_python_test(python test_api.py ${sanitized})
    paika_python_test(python_environments test_environments.py ${sanitized})
    paika_python_test(python_fuzz test_fuzz.py ${sanitized})
    paika_python_test(python_docs test_docs.py ${sanitized})
    paika_python_test(python_fuzz_slow test_fuzz.py PAIKA_FUZZ_CALLS=100000 PAIKA_FUZZ_SEED=2 ${sanitized})
    paika_python_test(python_environments_slow test_environments.py PAIKA_ENV_GAMES=1000 ${sanitized})
    paika_python_test(python_memory_slow test_memory.py ${sanitized})
    set_tests_properties(python_fuzz_slow python_environments_slow python_memory_slow PROPERTIES LABELS slow)
  endif()
  if(NOT PAIKA_SANITIZE)
    paika_python_test(python_wheel test_wheel.py PAIKA_BUILD=${CMAKE_BINARY_DIR})
  endif()
endif()
