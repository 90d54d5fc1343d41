// Copying a folder's files into a sandbox and out of it.
#pragma once

#include <cstdint>
#include <sys/types.h>

#include "base/result.hpp"

namespace paika::sandbox {

struct CopyBounds {
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;  // and folders
};

/// Copies what is in the open folder `from` to the open folder `to`: regular files, folders, and links that lead no
/// higher than the folder itself; whatever else there is, is left out. No link is followed, and nothing that is mounted
/// in `from` is entered. The copies belong to `owner`, unless that is 0. Nobody else may change `from` meanwhile. An
/// error says what there is too much of.
[[nodiscard]] Result<void> copy_folder(int from, int to, const CopyBounds& bounds, uid_t owner = 0);

/// Makes the open folder `to` hold what copy_folder() takes of `from`, and nothing else. After an error it is as
/// before.
[[nodiscard]] Result<void> replace_folder(int from, int to, const CopyBounds& bounds);

}  // namespace paika::sandbox
