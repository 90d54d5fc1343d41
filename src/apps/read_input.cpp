#include "apps/read_input.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace paika::apps {

Result<std::string> read_input(std::FILE* file, std::string_view name, std::size_t most) {
  // In blocks that grow with the text: most inputs are far shorter than they may be.
  std::string text;
  std::size_t size = 0;
  for (std::size_t block = 1U << 16U; size <= most; block = text.size()) {
    text.resize(std::min(size + block, most + 1));
    const std::size_t read = std::fread(text.data() + size, 1, text.size() - size, file);
    if (std::ferror(file) != 0) return fail("cannot read {}: {}", name, std::strerror(errno));
    size += read;
    if (size < text.size()) break;
  }
  text.resize(size);
  return text;
}

}  // namespace paika::apps
