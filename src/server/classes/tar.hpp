// Tar archives, part by part, in the ustar form that every program reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace paika::server {

struct TarEntry {
  std::string path;  // relative
  std::string content;
  std::int64_t time = 0;  // seconds since 1970
};

/// A part of an archive: files that their owner may read and write. An error if a path does not fit: 100 bytes, or with
/// folders 255. An archive is any number of such parts and the end.
[[nodiscard]] Result<std::string> tar_entries(const std::vector<TarEntry>& entries);
[[nodiscard]] std::string tar_end();

}  // namespace paika::server
