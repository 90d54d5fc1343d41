#include "database/files.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "base/text.hpp"

namespace paika {

namespace {

namespace fs = std::filesystem;

constexpr mode_t private_folder_mode = 0700;

Result<void> make_folders(const fs::path& folder) {
  if (folder.empty() || file_identity(folder.string()) != FileIdentity()) return {};
  if (auto made = make_folders(folder.parent_path()); !made) return made;
  // Somebody else may have made it meanwhile, and that is as good.
  if (mkdir(folder.c_str(), private_folder_mode) != 0 && errno != EEXIST) {
    return system_failure("create the folder", folder.string());
  }
  return {};
}

Result<void> sync_path(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) return system_failure("open", path);
  const bool synced = fsync(file) == 0;
  const int why = errno;
  close(file);
  errno = why;
  if (!synced) return system_failure("write to the disk", path);
  return {};
}

}  // namespace

Result<void> make_folders_for(const std::string& path) { return make_folders(fs::path(path).parent_path()); }

Result<void> make_private_file(const std::string& path) {
  if (auto made = make_folders_for(path); !made) return made;
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, private_file_mode);
  if (file >= 0) {
    close(file);
  } else if (errno != EEXIST) {
    return system_failure("create", path);
  }
  return {};
}

FileIdentity file_identity(const std::string& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) return {};
  return {found.st_dev, found.st_ino};
}

FileIdentity file_identity(int file) {
  struct stat found = {};
  if (fstat(file, &found) != 0) return {};
  return {found.st_dev, found.st_ino};
}

Result<void> sync_file(const std::string& path) { return sync_path(path, O_RDONLY); }

Result<void> sync_folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return sync_path(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY);
}

tl::unexpected<Error> system_failure(std::string_view verb, const std::string& path) {
  const int why = errno;
  return fail("cannot {} {}: {}", verb, in_quotes(path, 200), std::generic_category().message(why));
}

}  // namespace paika
