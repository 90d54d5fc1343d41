#include "tournament/folder_pack.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "base/text.hpp"

namespace paika::tournament {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view head = "paika-folder 1\n";

/// A name that stays in its folder: parts between slashes, none empty, "." or "..".
bool stays_inside(std::string_view name) {
  if (name.empty() || name.find('\0') != std::string_view::npos || name.find('\n') != std::string_view::npos)
    return false;
  for (const std::string_view part : split(name, '/')) {
    if (part.empty() || part == "." || part == "..") return false;
  }
  return true;
}

Result<std::string> read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) return fail("cannot read {}", in_quotes(path.string(), 200));
  return bytes;
}

bool runnable(const fs::path& path) {
  return (fs::status(path).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

/// One file of a pack: what it is, its name and bytes.
struct Packed {
  char mark = 'f';  // 'x': it can be run; 'l': a link, whose bytes are where it leads
  std::string_view name;
  std::string_view bytes;
};

/// Takes a file off the front of a pack.
Result<Packed> take_file(std::string_view& pack) {
  const auto end = pack.find('\n');
  if (end == std::string_view::npos) return fail("the pack is cut off");
  std::string_view line = pack.substr(0, end);
  pack.remove_prefix(end + 1);
  Packed file;
  const std::string_view mark = take_word(line);
  const auto size = parse_int(take_word(line));
  if ((mark != "x" && mark != "f" && mark != "l") || !size || *size < 0 ||
      static_cast<std::size_t>(*size) > pack.size() || line.empty()) {
    return fail("the pack is damaged");
  }
  file.mark = mark.front();
  file.name = line.substr(1);
  if (!stays_inside(file.name))
    return fail("the pack has a file {} that leads out of its folder", in_quotes(file.name));
  file.bytes = pack.substr(0, static_cast<std::size_t>(*size));
  if (file.mark == 'l' && (file.bytes.empty() || file.bytes.find('\0') != std::string_view::npos)) {
    return fail("the pack has a link {} to nowhere", in_quotes(file.name));
  }
  pack.remove_prefix(file.bytes.size());
  return file;
}

Result<void> write_file(const fs::path& folder, const Packed& file) {
  const fs::path path = folder / file.name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  // A name that the system cannot even look up (one that is too long) is none to write to.
  if (error || fs::exists(path, error) || error) return fail("cannot write {}", in_quotes(path.string(), 200));
  std::ofstream out(path, std::ios::binary);
  out << file.bytes;
  out.close();
  if (!out) return fail("cannot write {}", in_quotes(path.string(), 200));
  const auto read = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
  const auto run = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  fs::permissions(path, file.mark == 'x' ? read | run : read, error);
  return {};
}

void make_passable(const fs::path& folder) {
  const auto pass = fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read |
                    fs::perms::others_exec;
  std::error_code error;
  fs::permissions(folder, pass, error);
}

Result<void> make_link(const fs::path& folder, const Packed& link) {
  const fs::path path = folder / link.name;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (!error) fs::create_symlink(fs::path(link.bytes), path, error);
  if (error) return fail("cannot make the link {}", in_quotes(path.string(), 200));
  return {};
}

/// True if one of the links leads to a place where another file of the pack is to lie.
bool has_file_below_link(const std::vector<Packed>& files) {
  std::set<std::string_view> links;
  for (const Packed& file : files) {
    if (file.mark == 'l') links.insert(file.name);
  }
  return std::any_of(files.begin(), files.end(), [&](const Packed& file) {
    for (auto slash = file.name.find('/'); slash != std::string_view::npos; slash = file.name.find('/', slash + 1)) {
      if (links.contains(file.name.substr(0, slash))) return true;
    }
    return false;
  });
}

Result<std::vector<Packed>> read_pack(std::string_view pack) {
  if (!pack.starts_with(head)) return fail("this is not a packed folder");
  pack.remove_prefix(head.size());
  std::vector<Packed> files;
  while (!pack.empty()) {
    if (files.size() == max_pack_files) return fail("the pack has more than {} files", max_pack_files);
    const auto file = take_file(pack);
    if (!file) return tl::unexpected(file.error());
    files.push_back(*file);
  }
  if (has_file_below_link(files)) return fail("the pack has a file below a link, which may lead out of its folder");
  return files;
}

Result<void> unpack(std::string_view pack, const std::string& folder) {
  const auto files = read_pack(pack);
  if (!files) return tl::unexpected(files.error());
  for (const Packed& file : *files) {
    if (file.mark == 'l') continue;
    if (auto written = write_file(folder, file); !written) return written;
  }
  // Links come last: nothing is written through them.
  for (const Packed& link : *files) {
    if (link.mark != 'l') continue;
    if (auto made = make_link(folder, link); !made) return made;
  }
  // Whatever our umask is: programs may be users of their own.
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_directory() && !it->is_symlink()) make_passable(it->path());
  }
  make_passable(folder);
  return {};
}

}  // namespace

Result<std::string> pack_folder(const std::string& folder, Links links) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const bool is_link = it->is_symlink();
    if (is_link ? links == Links::refused : !it->is_regular_file() && !it->is_directory()) {
      return fail("{} cannot be sent to workers: it is not a plain file", in_quotes(it->path().string(), 200));
    }
    if (is_link || it->is_regular_file()) paths.push_back(it->path());
    if (paths.size() > max_pack_files) return fail("{} has more than {} files", in_quotes(folder, 200), max_pack_files);
  }
  if (error) return fail("cannot read {}: {}", in_quotes(folder, 200), error.message());
  std::sort(paths.begin(), paths.end());
  std::string pack(head);
  for (const fs::path& path : paths) {
    const bool is_link = fs::is_symlink(path, error);
    const auto bytes = is_link ? Result<std::string>(fs::read_symlink(path, error).string()) : read_bytes(path);
    if (!bytes) return tl::unexpected(bytes.error());
    const std::string name = path.lexically_relative(folder).generic_string();
    if (!stays_inside(name)) return fail("{} cannot be sent to workers: its name", in_quotes(path.string(), 200));
    pack += fmt::format("{} {} {}\n", is_link ? "l" : runnable(path) ? "x" : "f", bytes->size(), name);
    pack += *bytes;
    if (pack.size() > max_pack_bytes) {
      return fail("{} is larger than {} MiB: too much to send to workers", in_quotes(folder, 200),
                  max_pack_bytes >> 20);
    }
  }
  return pack;
}

Result<void> check_pack(std::string_view pack) {
  const auto files = read_pack(pack);
  return files ? Result<void>() : tl::unexpected(files.error());
}

Result<void> unpack_folder(std::string_view pack, const std::string& folder) {
  std::error_code error;
  if (!fs::create_directory(folder, error)) return fail("cannot create {}", in_quotes(folder, 200));
  auto unpacked = unpack(pack, folder);
  if (!unpacked) fs::remove_all(folder, error);
  return unpacked;
}

}  // namespace paika::tournament
