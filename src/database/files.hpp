// The store's files as the system sees them: made for one user alone, told apart, and written to the disk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "base/result.hpp"

namespace paika {

inline constexpr mode_t private_file_mode = 0600;

/// Makes the file, readable by this user alone, with the folders it lies in, where they are missing.
[[nodiscard]] Result<void> make_private_file(const std::string& path);
/// Makes the folders that a file is to lie in, where they are missing, for this user alone.
[[nodiscard]] Result<void> make_folders_for(const std::string& path);

/// Which file it is; none is {0, 0}.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
[[nodiscard]] FileIdentity file_identity(const std::string& path);
[[nodiscard]] FileIdentity file_identity(int file);

/// Waits until the file, or the names in its folder, are on the disk.
[[nodiscard]] Result<void> sync_file(const std::string& path);
[[nodiscard]] Result<void> sync_folder_of(const std::string& path);

/// "cannot VERB PATH: …", with what the system said last (errno).
[[nodiscard]] tl::unexpected<Error> system_failure(std::string_view verb, const std::string& path);

}  // namespace paika
