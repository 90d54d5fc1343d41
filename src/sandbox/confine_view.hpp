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
  std::vector<std::pair<std::string, std::string>> files;  // small files made for it: a path and its text
};

[[nodiscard]] View view_of(const ConfineOrder& order);

/// The size of the folders in memory that everybody may write, /tmp and /dev/shm.
inline constexpr unsigned long small_folder_bytes = 16UL << 20U;

}  // namespace paika::sandbox
