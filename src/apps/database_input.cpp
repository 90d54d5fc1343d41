#include "apps/database_input.hpp"

#include <array>
#include <filesystem>
#include <unistd.h>

#include "base/text.hpp"
#include "database/postgresql.hpp"
#include "engine/user_folder.hpp"

namespace paika::apps {

// A folder is made for the user's own file only: elsewhere it would hide a mistake in the path.
Result<std::string> database_file(const std::string& given) {
  if (given.empty()) return user_data_folder("server") + "/games.db";
  if (is_postgresql_url(given)) return given;
  const std::filesystem::path folder = std::filesystem::path(given).parent_path();
  std::error_code error;
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return given;
  return fail("--db: there is no folder {}", in_quotes(folder.string()));
}

std::string host_name() {
  std::array<char, 64> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

}  // namespace paika::apps
