#include "database/owner_lock.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/text.hpp"
#include "database/files.hpp"

namespace paika {

namespace {

/// True if the path still leads to the open file: who held the lock before deletes the file when he goes.
bool still_there(const std::string& path, int file) { return file_identity(path) == file_identity(file); }

/// A lock that root leaves behind in a crash must not keep out the user whose file it is.
void give_to_owner_of(const std::string& database, int file) {
  struct stat found = {};
  if (geteuid() != 0 || stat(database.c_str(), &found) != 0) return;
  static_cast<void>(fchown(file, found.st_uid, found.st_gid));
}

}  // namespace

Result<OwnerLock> OwnerLock::take(const std::string& database, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds interval(10);
  const std::string path = database + ".lock";
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, private_file_mode);
    if (file < 0) return system_failure("create the lock", path);
    OwnerLock lock(path, file);
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      lock.path_.clear();  // it is not ours to delete
      if (errno != EWOULDBLOCK) return system_failure("lock", path);
      if (std::chrono::steady_clock::now() >= deadline) {
        return fail("{} is in use by another server", in_quotes(database, 200));
      }
      std::this_thread::sleep_for(interval);
      continue;
    }
    if (still_there(path, file)) {
      give_to_owner_of(database, file);
      return lock;
    }
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

}  // namespace paika
