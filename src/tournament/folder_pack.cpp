#include "tournament/folder_pack.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
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

/// One file of a pack: its mark, name and bytes.
struct Packed {
  bool runs = false;
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
  if ((mark != "x" && mark != "f") || !size || *size < 0 || static_cast<std::size_t>(*size) > pack.size() ||
      line.empty()) {
    return fail("the pack is damaged");
  }
  file.runs = mark == "x";
  file.name = line.substr(1);
  if (!stays_inside(file.name))
    return fail("the pack has a file {} that leads out of its folder", in_quotes(file.name));
  file.bytes = pack.substr(0, static_cast<std::size_t>(*size));
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
  fs::permissions(path, file.runs ? read | run : read, error);
  return {};
}

Result<void> unpack(std::string_view pack, const std::string& folder) {
  if (!pack.starts_with(head)) return fail("this is not a packed folder");
  pack.remove_prefix(head.size());
  for (std::size_t count = 0; !pack.empty(); ++count) {
    if (count == max_pack_files) return fail("the pack has more than {} files", max_pack_files);
    const auto file = take_file(pack);
    if (!file) return tl::unexpected(file.error());
    if (auto written = write_file(folder, *file); !written) return written;
  }
  return {};
}

}  // namespace

Result<std::string> pack_folder(const std::string& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_symlink() || (!it->is_regular_file() && !it->is_directory())) {
      return fail("{} cannot be sent to workers: it is not a plain file", in_quotes(it->path().string(), 200));
    }
    if (it->is_regular_file()) paths.push_back(it->path());
    if (paths.size() > max_pack_files) return fail("{} has more than {} files", in_quotes(folder, 200), max_pack_files);
  }
  if (error) return fail("cannot read {}: {}", in_quotes(folder, 200), error.message());
  std::sort(paths.begin(), paths.end());
  std::string pack(head);
  for (const fs::path& path : paths) {
    const auto bytes = read_bytes(path);
    if (!bytes) return tl::unexpected(bytes.error());
    const std::string name = path.lexically_relative(folder).generic_string();
    if (!stays_inside(name)) return fail("{} cannot be sent to workers: its name", in_quotes(path.string(), 200));
    pack += fmt::format("{} {} {}\n", runnable(path) ? "x" : "f", bytes->size(), name);
    pack += *bytes;
    if (pack.size() > max_pack_bytes) {
      return fail("{} is larger than {} MiB: too much to send to workers", in_quotes(folder, 200),
                  max_pack_bytes >> 20);
    }
  }
  return pack;
}

Result<void> unpack_folder(std::string_view pack, const std::string& folder) {
  std::error_code error;
  if (!fs::create_directory(folder, error)) return fail("cannot create {}", in_quotes(folder, 200));
  auto unpacked = unpack(pack, folder);
  if (!unpacked) fs::remove_all(folder, error);
  return unpacked;
}

}  // namespace paika::tournament
