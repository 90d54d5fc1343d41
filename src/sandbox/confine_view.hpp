// What a confined program sees of the file system, for both kinds of sandbox.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sandbox/confine.hpp"

namespace paika::sandbox {

struct View {
  std::vector<std::pair<std::string, std::string>> links;  // a path, and where it leads
  std::vector<std::string> readable;                       // files and folders that are there, at their own paths
  std::vector<std::string> devices;                        // the same, and they work
  std::vector<std::pair<std::string, std::string>> files;  // small files made for it: a path and its text
};

[[nodiscard]] View view_of(const ConfineOrder& order);

/// So many files and folders may be written, whatever their size.
inline constexpr unsigned long max_files = 10'000;

}  // namespace paika::sandbox
