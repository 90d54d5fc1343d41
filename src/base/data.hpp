// The files of data/ (weights and their like), the translations of po/ and the rules of the games, built into the
// program.
//
// The source is written by cmake/embed.cmake at build time; a changed file is built in anew.
#pragma once

#include <string_view>
#include <vector>

namespace paika {

/// The contents of a file by its name in its folder of data/ or po/ ("fr.po"), or of a page of docs/rules as
/// "rules/othello.md", of a translation as "rules/fr/othello.md"; empty if there is no such file.
[[nodiscard]] std::string_view data_file(std::string_view name) noexcept;

/// The names of all files that are built in, in the order of the alphabet within each folder.
[[nodiscard]] std::vector<std::string_view> data_names();

}  // namespace paika
