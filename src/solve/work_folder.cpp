#include "solve/work_folder.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

#include "solve/table_bytes.hpp"
#include "solve/table_storage.hpp"

namespace paika {

namespace fs = std::filesystem;

namespace {

/// Changes whenever files of older work could not be gone on with.
constexpr std::string_view format = "paika-solve-1";

[[nodiscard]] std::string first_line(const fs::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace

Result<WorkFolder> WorkFolder::open(const std::string& path, const std::string& spec, bool owner) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return fail("cannot create the folder {}: {}", path, error.message());
  if (!owner) return WorkFolder(path, -1);
  const std::string lock_path = path + "/lock";
  const int lock = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock < 0) return fail("cannot write {}: {}", lock_path, std::strerror(errno));
  WorkFolder folder(path, lock);
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
    return fail("another process is solving {} in {}; wait for it, or choose another folder", spec, path);
  }
  const std::string wanted = std::string(format) + " " + spec;
  const fs::path label = fs::path(path) / "label";
  const std::string found = first_line(label);
  if (found.empty()) {
    // Whole or not at all: half a label would be that of another table.
    auto file = PartFile::create(label.string());
    if (!file) return tl::unexpected(file.error());
    ByteSink line;
    line.put(wanted + '\n');
    if (auto done = file->append(line.bytes()); !done) return tl::unexpected(done.error());
    if (auto done = file->commit(); !done) return tl::unexpected(done.error());
  } else if (found != wanted) {
    return fail("{} holds the work of \"{}\", not of \"{}\"; remove it to start over", path, found, wanted);
  }
  return folder;
}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

WorkFolder::~WorkFolder() {
  if (lock_ >= 0) ::close(lock_);
}

std::string WorkFolder::path(std::uint32_t tier, const std::string& kind) const {
  return fmt::format("{}/{:04}.{}", path_, tier, kind);
}

std::string WorkFolder::path(std::uint32_t tier, const std::string& kind, std::uint64_t part) const {
  return fmt::format("{}/{:04}.{}-{}", path_, tier, kind, part);
}

std::string WorkFolder::message_path(std::uint32_t tier, std::uint64_t from, std::uint64_t to, int level) const {
  return fmt::format("{}/{:04}.news-{}-{}-{}", path_, tier, from, to, level);
}

bool WorkFolder::exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) || error;
}

void WorkFolder::remove_file(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
}

void WorkFolder::remove_all_but_sections(std::uint32_t tier) const {
  const std::string prefix = fmt::format("{:04}.", tier);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name != prefix + "section") fs::remove(entry.path(), error);
  }
}

void WorkFolder::remove() const {
  std::error_code error;
  fs::remove_all(path_, error);
}

}  // namespace paika
