#include "apps/read_input.hpp"

#include <cerrno>
#include <cstring>

namespace paika::apps {

Result<std::string> read_input(std::FILE* file, std::string_view name, std::size_t most) {
  std::string text(most + 1, '\0');
  const std::size_t size = std::fread(text.data(), 1, text.size(), file);
  if (std::ferror(file) != 0) return fail("cannot read {}: {}", name, std::strerror(errno));
  text.resize(size);
  return text;
}

}  // namespace paika::apps
