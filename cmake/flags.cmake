# Compiler flags for all of our own targets, as one interface target.
add_library(paika_flags INTERFACE)
target_compile_options(paika_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough $<$<BOOL:${PAIKA_WERROR}>:-Werror>)
# g++ 12 sees overlapping copies in std::string's operator+ where there are none (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(paika_flags INTERFACE -Wno-restrict)
endif()

# The same objects make the programs and the shared libraries (src/capi, python). Hidden symbols keep position-independent
# code as fast as that of a program alone; what a library exports says so itself.
target_compile_options(paika_flags INTERFACE -fPIC -fvisibility=hidden)

# Messages of failed checks name sources from the project's root, so that every checkout makes the same objects.
target_compile_options(paika_flags INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)

set(paika_march "")
if(PAIKA_ARCH)
  set(paika_march -march=${PAIKA_ARCH})
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND NOT PAIKA_SANITIZE MATCHES "address")
  # The address-sanitized build is the one without extensions of the instruction set, so that the code
  # for older machines is compiled and tested too.
  set(paika_march -march=x86-64-v3)
endif()
target_compile_options(paika_flags INTERFACE ${paika_march})

if(PAIKA_SANITIZE)
  target_compile_options(paika_flags INTERFACE
    -fsanitize=${PAIKA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(paika_flags INTERFACE -fsanitize=${PAIKA_SANITIZE})
  # Asio has fences, which g++'s thread sanitizer does not see and warns of; what they order is under locks too.
  if(PAIKA_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(paika_flags INTERFACE -Wno-tsan)
  endif()
endif()

# Every library tells libFuzzer what an input reached.
if(PAIKA_FUZZ)
  target_compile_options(paika_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(PAIKA_MOLD mold)
if(PAIKA_MOLD)
  target_link_options(paika_flags INTERFACE -fuse-ld=mold)
endif()

find_program(PAIKA_CCACHE ccache)
if(PAIKA_CCACHE)
  # Paths relative to the build folder: every checkout finds what another one has compiled. Debug information names the
  # folder, so ccache keeps objects with it apart.
  set(paika_ccache CCACHE_BASEDIR=${CMAKE_SOURCE_DIR})
  if(PAIKA_PCH)  # precompiled headers count only if macros and times in them do not matter
    list(APPEND paika_ccache CCACHE_SLOPPINESS=pch_defines,time_macros)
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env ${paika_ccache} ${PAIKA_CCACHE})
endif()
