#include "sandbox/scratch.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <system_error>

#include "base/text.hpp"

namespace paika::sandbox {

Result<ScratchFolder> ScratchFolder::make(std::string_view kind) {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / fmt::format("paika-{}-XXXXXX", kind)).string();
  if (error || mkdtemp(name.data()) == nullptr) {
    return fail("cannot create a temporary folder at {}: {}", in_quotes(name, 200), std::strerror(errno));
  }
  return ScratchFolder(std::move(name));
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace paika::sandbox
