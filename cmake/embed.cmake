# Turns the files of data/, po/ and docs/rules into one C++ source, so that the programs need no file at run time.
# Run as a script: cmake -DOUT=FILE "-DFILES=a;b" -P embed.cmake. See src/base/data.hpp.
# The pragma: compilers warn of literals beyond 64 KiB, which every compiler this project uses accepts.
set(text "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#include \"base/data.hpp\"\n\n#include <array>\n\nnamespace paika {\n\nnamespace {\n\n")
set(rows "")
set(number 0)
foreach(file IN LISTS FILES)
  if(file MATCHES "[.]po$")  # comments are for translators
    file(READ ${file} bytes)
    string(REGEX REPLACE "\n#[^\n]*" "" bytes "\n${bytes}")
    string(HEX "${bytes}" bytes)
  else()
    file(READ ${file} bytes HEX)
  endif()
  string(LENGTH "${bytes}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  get_filename_component(name ${file} NAME)
  if(file MATCHES "/docs/rules/[^/]*$")
    set(name "rules/${name}")
  elseif(file MATCHES "/docs/rules/([^/]*)/[^/]*$")  # a translation: rules/fr/othello.md
    set(name "rules/${CMAKE_MATCH_1}/${name}")
  endif()
  string(APPEND text "constexpr char bytes_${number}[] = \"${bytes}\";\n")
  string(APPEND rows "    Embedded{\"${name}\", {bytes_${number}, ${length}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND text "\nstruct Embedded {\n  std::string_view name;\n  std::string_view bytes;\n};\n\n"
  "constexpr std::array<Embedded, ${number}> files = {{\n${rows}}};\n\n}  // namespace\n\n"
  "std::string_view data_file(std::string_view name) noexcept {\n"
  "  for (const Embedded& file : files) {\n    if (file.name == name) return file.bytes;\n  }\n"
  "  return {};\n}\n\n"
  "std::vector<std::string_view> data_names() {\n  std::vector<std::string_view> names;\n"
  "  for (const Embedded& file : files) names.push_back(file.name);\n  return names;\n}\n\n"
  "}  // namespace paika\n")
file(WRITE ${OUT} "${text}")
