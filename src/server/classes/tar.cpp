#include "server/classes/tar.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.hpp"

namespace paika::server {

namespace {

constexpr std::size_t block = 512;
constexpr std::size_t max_tar_name = 100;
constexpr std::size_t max_prefix = 155;

/// A header under construction: fields at fixed places.
class Header {
 public:
  void put(std::size_t at, std::string_view text) { bytes_.replace(at, text.size(), text); }
  /// An octal number that fills its field up to a zero byte.
  void put_number(std::size_t at, std::size_t width, std::uint64_t value) {
    put(at, fmt::format("{:0{}o}", value, width - 1));
  }
  /// The sum of all bytes with the field of the sum as blanks, in its own peculiar form.
  std::string finished() {
    put(148, "        ");
    std::uint64_t sum = 0;
    for (const char c : bytes_) sum += static_cast<unsigned char>(c);
    put(148, fmt::format("{:06o}", sum));
    bytes_[154] = '\0';
    return bytes_;
  }

 private:
  std::string bytes_ = std::string(block, '\0');
};

struct Name {
  std::string_view prefix;
  std::string_view name;
};

/// Paths that are too long for one field are cut at a slash.
Result<Name> name_of(std::string_view path) {
  if (path.size() <= max_tar_name) return Name{"", path};
  const std::size_t slash = path.find('/', path.size() - max_tar_name - 1);
  if (slash == std::string_view::npos || slash > max_prefix || slash + 1 == path.size()) {
    return fail("the path {} is too long for an archive", in_quotes(path, 200));
  }
  return Name{path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace

Result<std::string> tar_entries(const std::vector<TarEntry>& entries) {
  std::string archive;
  for (const TarEntry& entry : entries) {
    const auto name = name_of(entry.path);
    if (!name) return tl::unexpected(name.error());
    Header header;
    header.put(0, name->name);
    header.put_number(100, 8, 0644);
    header.put_number(108, 8, 0);
    header.put_number(116, 8, 0);
    header.put_number(124, 12, entry.content.size());
    header.put_number(136, 12, static_cast<std::uint64_t>(std::max<std::int64_t>(0, entry.time)));
    header.put(156, "0");
    header.put(257, std::string_view("ustar\00000", 8));
    header.put(345, name->prefix);
    archive += header.finished();
    archive += entry.content;
    archive.append((block - entry.content.size() % block) % block, '\0');
  }
  return archive;
}

std::string tar_end() { return std::string(2 * block, '\0'); }

}  // namespace paika::server
