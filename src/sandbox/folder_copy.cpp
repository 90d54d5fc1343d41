#include "sandbox/folder_copy.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "base/text.hpp"

namespace paika::sandbox {

namespace {

constexpr int max_depth = 64;
constexpr int max_removed_depth = 256;
/// Where a folder's new contents are gathered before the old ones go.
constexpr const char* gathering = ".paika-new";

int open_subfolder(int folder, const std::string& name) {
  return openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// The names in a folder.
std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(copy < 0 ? nullptr : fdopendir(copy), closedir);
  if (!list) return names;
  while (const dirent* entry = readdir(list.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  return names;
}

/// Links are copied only if they cannot lead out of the folder, wherever that comes to lie.
bool stays_inside(std::string_view target) {
  if (target.empty() || target.front() == '/') return false;
  for (const std::string_view part : split(target, '/')) {
    if (part == "..") return false;
  }
  return true;
}

class Copying {
 public:
  Copying(const CopyBounds& bounds, uid_t owner, dev_t device) : left_(bounds), owner_(owner), device_(device) {}

  Result<void> copy(int from, int to, int depth) {
    if (depth > max_depth) return fail("folders more than {} deep", max_depth);
    for (const std::string& name : names_in(from)) {
      struct stat about{};
      if (fstatat(from, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0 || about.st_dev != device_) continue;
      if (left_.files-- == 0) return fail("too many files");
      Result<void> done;
      if (S_ISDIR(about.st_mode)) done = copy_subfolder(from, to, name, depth);
      if (S_ISREG(about.st_mode)) done = copy_file(from, to, name, about);
      if (S_ISLNK(about.st_mode)) copy_link(from, to, name);
      if (!done) return done;
    }
    return {};
  }

 private:
  Result<void> copy_subfolder(int from, int to, const std::string& name, int depth) {
    fchmodat(from, name.c_str(), 0700, 0);  // its maker may have taken us the right to read it
    const Descriptor source(open_subfolder(from, name));
    if (mkdirat(to, name.c_str(), 0755) != 0 && errno != EEXIST) return trouble(name);
    const Descriptor target(open_subfolder(to, name));
    if (!source.is_open() || !target.is_open()) return trouble(name);
    if (auto copied = copy(source.number(), target.number(), depth + 1); !copied) return copied;
    return give_away(target.number(), name);
  }

  Result<void> copy_file(int from, int to, const std::string& name, const struct stat& about) {
    const auto size = static_cast<std::uint64_t>(about.st_size);
    if (size > left_.bytes) return fail("too many bytes in files");
    left_.bytes -= size;
    if ((about.st_mode & S_IRUSR) == 0) fchmodat(from, name.c_str(), about.st_mode | S_IRUSR, 0);
    const Descriptor source(openat(from, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    const mode_t mode = (about.st_mode & S_IXUSR) != 0 ? 0755 : 0644;
    const Descriptor target(openat(to, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!source.is_open() || !target.is_open()) return trouble(name);
    std::array<char, 1 << 16> bytes{};
    for (ssize_t count = 0; (count = read(source.number(), bytes.data(), bytes.size())) != 0;) {
      if (count < 0 || write(target.number(), bytes.data(), static_cast<std::size_t>(count)) != count) {
        return trouble(name);
      }
    }
    // Programs such as make decide by it what is new.
    const std::array times = {about.st_atim, about.st_mtim};
    futimens(target.number(), times.data());
    return give_away(target.number(), name);
  }

  void copy_link(int from, int to, const std::string& name) const {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = readlinkat(from, name.c_str(), target.data(), target.size() - 1);
    if (size <= 0 || !stays_inside({target.data(), static_cast<std::size_t>(size)})) return;
    if (symlinkat(target.data(), to, name.c_str()) != 0 || owner_ == 0) return;
    static_cast<void>(fchownat(to, name.c_str(), owner_, owner_, AT_SYMLINK_NOFOLLOW));
  }

  [[nodiscard]] Result<void> give_away(int file, const std::string& name) const {
    if (owner_ != 0 && fchown(file, owner_, owner_) != 0) return trouble(name);
    return {};
  }

  static Result<void> trouble(const std::string& name) { return fail("{}: {}", in_quotes(name), std::strerror(errno)); }

  CopyBounds left_;
  uid_t owner_;
  dev_t device_;
};

void remove_from(int folder, const std::string& name, int depth) {
  if (unlinkat(folder, name.c_str(), 0) == 0 || depth == max_removed_depth) return;
  {
    const Descriptor sub(open_subfolder(folder, name));
    if (sub.is_open()) {
      for (const std::string& inner : names_in(sub.number())) remove_from(sub.number(), inner, depth + 1);
    }
  }
  unlinkat(folder, name.c_str(), AT_REMOVEDIR);
}

}  // namespace

Result<void> copy_folder(int from, int to, const CopyBounds& bounds, uid_t owner) {
  struct stat about{};
  if (fstat(from, &about) != 0) return fail("the folder: {}", std::strerror(errno));
  return Copying(bounds, owner, about.st_dev).copy(from, to, 0);
}

Result<void> replace_folder(int from, int to, const CopyBounds& bounds) {
  remove_from(to, gathering, 0);
  if (mkdirat(to, gathering, 0700) != 0) return fail("the folder: {}", std::strerror(errno));
  const Descriptor gathered(open_subfolder(to, gathering));
  if (!gathered.is_open()) return fail("the folder: {}", std::strerror(errno));
  auto copied = copy_folder(from, gathered.number(), bounds);
  if (copied) {
    for (const std::string& name : names_in(to)) {
      if (name != gathering) remove_from(to, name, 0);
    }
    for (const std::string& name : names_in(gathered.number())) {
      if (name != gathering) renameat(gathered.number(), name.c_str(), to, name.c_str());
    }
  }
  remove_from(to, gathering, 0);
  return copied;
}

}  // namespace paika::sandbox
