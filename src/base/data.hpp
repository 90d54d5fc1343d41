// The files of data/ (weights and their like), built into the program.
//
// The source is written by cmake/embed.cmake at build time; a changed file is built in anew.
#pragma once

#include <string_view>

namespace paika {

/// The contents of data/NAME; empty if there is no such file.
[[nodiscard]] std::string_view data_file(std::string_view name) noexcept;

}  // namespace paika
