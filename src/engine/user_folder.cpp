#include "engine/user_folder.hpp"

#include <cstdlib>

namespace paika {

std::string user_data_folder(std::string_view name) {
  const auto variable = [](const char* wanted) -> std::string {
    const char* value = std::getenv(wanted);  // NOLINT(concurrency-mt-unsafe): nothing of ours changes the environment
    return value == nullptr ? "" : value;
  };
  // The XDG rules: a relative path there counts as none.
  const std::string data = variable("XDG_DATA_HOME");
  if (!data.empty() && data.front() == '/') return data + "/paika/" + std::string(name);
  const std::string home = variable("HOME");
  return home.empty() ? "paika-" + std::string(name) : home + "/.local/share/paika/" + std::string(name);
}

}  // namespace paika
