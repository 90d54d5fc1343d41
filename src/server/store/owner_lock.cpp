#include "server/store/owner_lock.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/text.hpp"

namespace paika::server {

namespace {

namespace fs = std::filesystem;

constexpr mode_t private_folder = 0700;
constexpr mode_t private_file = 0600;

tl::unexpected<Error> cannot(std::string_view what, const std::string& path) {
  const int why = errno;
  return fail("cannot {} {}: {}", what, in_quotes(path, 200), std::generic_category().message(why));
}

Result<void> make_private_folders(const fs::path& folder) {
  struct stat there = {};
  if (folder.empty() || stat(folder.c_str(), &there) == 0) return {};
  if (auto made = make_private_folders(folder.parent_path()); !made) return made;
  // Somebody else may have made it meanwhile, and that is as good.
  if (mkdir(folder.c_str(), private_folder) != 0 && errno != EEXIST)
    return cannot("create the folder", folder.string());
  return {};
}

/// True if the path still leads to the open file: who held the lock before deletes the file when he goes.
bool still_there(const std::string& path, int file) {
  struct stat opened = {};
  struct stat named = {};
  return fstat(file, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

}  // namespace

Result<OwnerLock> OwnerLock::take(const std::string& database) {
  const std::string path = database + ".lock";
  while (true) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, private_file);
    if (file < 0) return cannot("create the lock", path);
    OwnerLock lock(path, file);
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      lock.path_.clear();  // it is not ours to delete
      if (errno == EWOULDBLOCK) return fail("{} is in use by another server", in_quotes(database, 200));
      return cannot("lock", path);
    }
    if (still_there(path, file)) return lock;
    lock.path_.clear();
  }
}

OwnerLock::OwnerLock(std::string path, int file) : path_(std::move(path)), file_(file) {}

OwnerLock::OwnerLock(OwnerLock&& other) noexcept
    : path_(std::exchange(other.path_, {})), file_(std::exchange(other.file_, -1)) {}

OwnerLock::~OwnerLock() {
  if (file_ < 0) return;
  if (!path_.empty()) unlink(path_.c_str());
  close(file_);
}

Result<void> make_private_file(const std::string& path) {
  if (auto made = make_private_folders(fs::path(path).parent_path()); !made) return made;
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, private_file);
  if (file >= 0) {
    close(file);
  } else if (errno != EEXIST) {
    return cannot("create", path);
  }
  return {};
}

}  // namespace paika::server
