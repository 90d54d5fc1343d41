# How sources are compiled, and why so: docs/decisions/0010-how-it-is-compiled.md.

# The headers most sources include, compiled once for each set of flags. They are an accelerator alone: sources still
# include what they use, which the builds without precompiled headers (dev, clang) see to.
set(paika_pch_headers <algorithm> <array> <atomic> <chrono> <cstdint> <filesystem> <fmt/format.h> <functional> <map>
  <memory> <mutex> <optional> <span> <stop_token> <string> <string_view> <thread> <tl/expected.hpp> <utility> <variant>
  <vector>)

# In a group a source looks like a header and sees the names of its neighbours, which is no fault. The builds without
# groups (dev, clang) warn of what is. g++ 12 sees copies of short strings beyond their bounds where there are none (GCC
# bug 105329), more of them the more it inlines. Linked after paika_flags, so that it comes later on the command line.
add_library(paika_grouped INTERFACE)
target_compile_options(paika_grouped INTERFACE -Wno-shadow
  $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage;-Wno-array-bounds>)

# paika_compile(TARGET LEVEL): optimises a release of TARGET by LEVEL (-O1 for what talks, -O3 for what computes),
# compiles its sources in groups and begins each with the precompiled headers of that level. The further arguments are
# headers of its kind, as <gtest/gtest.h> is for tests, which find them by the libraries of paika_pch_libraries.
# Sanitized, what computes has -O1 and what talks -O0, which takes four tenths off the compiler's time.
function(paika_compile target level)
  set(optimise $<$<CONFIG:Release>:${level}>)
  if(PAIKA_FUZZ)
    set(optimise "")  # the more inputs the better: the preset says -O1 for all
  elseif(PAIKA_SANITIZE AND level STREQUAL "-O3")
    set(optimise -O1)
  elseif(PAIKA_SANITIZE AND NOT target MATCHES "^test_")
    set(optimise -O0)
  endif()
  target_compile_options(${target} PRIVATE ${optimise})
  if(PAIKA_UNITY AND (NOT PAIKA_UNITY STREQUAL "tests" OR target MATCHES "^test_"))
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    target_link_libraries(${target} PRIVATE paika_grouped)
  endif()
  if(PAIKA_PCH)
    string(MAKE_C_IDENTIFIER "paika_pch${level}${ARGN}" pch)
    if(NOT TARGET ${pch})
      file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${pch}.cpp CONTENT "")  # written only if it is not there
      add_library(${pch} OBJECT ${CMAKE_BINARY_DIR}/${pch}.cpp)
      target_link_libraries(${pch} PRIVATE paika_flags fmt::fmt tl::expected ${paika_pch_libraries})
      target_compile_options(${pch} PRIVATE ${optimise} $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
      target_precompile_headers(${pch} PRIVATE ${paika_pch_headers} ${ARGN})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${pch})
    target_link_libraries(${target} PRIVATE fmt::fmt tl::expected)  # they define macros, which must agree
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # for ccache
  endif()
endfunction()

# paika_layer(NAME FOLDER DEPS…): one library for the sources of one folder under src.
# A folder with headers only becomes an interface library of the same name.
function(paika_layer name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PRIVATE paika_flags)
    if(folder MATCHES "^(play|study|capi|sandbox|protocols|grading|database|tournament|server)(/|$)")
      paika_compile(${name} -O1)
    elseif(NOT folder MATCHES "^instances/")  # a game's templates: each source is so much work that it stands alone
      paika_compile(${name} -O3)
    elseif(PAIKA_SANITIZE MATCHES "undefined")
      # Values that no pointer leads to: checks of pointers take a third of the compiler's time and find nothing.
      target_compile_options(${name} PRIVATE -fno-sanitize=null,alignment,object-size,vptr)
    endif()
    target_include_directories(${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ARGN})
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${ARGN})
  endif()
endfunction()

# paika_set_apart(TARGET RESULT NAME): takes the source called NAME out of TARGET, adding it to the list RESULT instead.
function(paika_set_apart target result name)
  get_target_property(sources ${target} SOURCES)
  set(apart ${sources})
  list(FILTER sources EXCLUDE REGEX "/${name}$")
  list(FILTER apart INCLUDE REGEX "/${name}$")
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
  set(${result} ${${result}} ${apart} PARENT_SCOPE)
endfunction()
