#include "solve/table_storage.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/descriptor.hpp"
#include "base/text.hpp"

namespace paika {

namespace {

constexpr std::size_t max_path_shown = 200;

/// Puts a new name on the disk; a file system that has no such operation is no reason to complain.
Result<void> sync_folder(const std::filesystem::path& folder) {
  const std::string path = folder.empty() ? "." : folder.string();
  const Descriptor opened(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0 && (fsync(opened.number()) == 0 || errno == EINVAL || errno == ENOTSUP)) return {};
  const int why = errno;
  return fail("cannot sync the folder {} to disk: {}", in_quotes(path, max_path_shown), std::strerror(why));
}

}  // namespace

Result<std::shared_ptr<const TableStorage>> WholeStorage::map(const std::string& path) {
  const std::string shown = in_quotes(path, max_path_shown);
  // Not to be held up by a pipe that nobody writes to.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status{};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) {
    const int why = errno;
    return fail("cannot open the file {}: {}", shown, std::strerror(why));
  }
  if (!S_ISREG(status.st_mode)) return fail("{} is not an ordinary file", shown);
  std::shared_ptr<WholeStorage> storage(new WholeStorage(shown, {}));
  if (status.st_size == 0) return storage;  // nothing to map
  const auto size = static_cast<std::size_t>(status.st_size);
  void* at = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (at == MAP_FAILED) {
    const int why = errno;
    return fail("cannot map the {} bytes of the file {}: {}", size, shown, std::strerror(why));
  }
  storage->bytes_ = {static_cast<const std::uint8_t*>(at), size};
  storage->is_mapped_ = true;
  return storage;
}

std::shared_ptr<const TableStorage> WholeStorage::hold(std::string_view name, std::vector<std::uint8_t> bytes) {
  return std::shared_ptr<const TableStorage>(new WholeStorage(in_quotes(name, max_path_shown), std::move(bytes)));
}

Result<Bytes> WholeStorage::read(std::uint64_t offset, std::uint64_t size) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset) {
    return fail("the file {} has {} bytes: there are no {} from byte {} on", name(), bytes_.size(), size, offset);
  }
  return bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

WholeStorage::~WholeStorage() {
  if (is_mapped_) munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

PartFile::PartFile(std::string path, int file) : path_(std::move(path)), part_path_(path_ + ".part"), file_(file) {}

PartFile::PartFile(PartFile&& other) noexcept
    : path_(std::move(other.path_)),
      part_path_(std::move(other.part_path_)),
      file_(std::exchange(other.file_, -1)),
      size_(other.size_) {}

PartFile::~PartFile() {
  if (file_ < 0) return;
  close(file_);
  unlink(part_path_.c_str());
}

tl::unexpected<Error> PartFile::cannot(const std::string& what) const {
  const int why = errno;
  return fail("cannot {} the file {}: {}; {} was not written", what, in_quotes(part_path_, max_path_shown),
              std::strerror(why), in_quotes(path_, max_path_shown));
}

Result<PartFile> PartFile::create(std::string path) {
  PartFile part(std::move(path), -1);
  part.file_ = open(part.part_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (part.file_ < 0) return part.cannot("make");
  return part;
}

Result<void> PartFile::append(Bytes bytes) {
  auto written = write_at(size_, bytes);
  if (written) size_ += bytes.size();
  return written;
}

Result<void> PartFile::write_at(std::uint64_t offset, Bytes bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = pwrite(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = EIO;
    if (count <= 0) return cannot(fmt::format("write {} bytes at byte {} of", bytes.size(), offset));
    done += static_cast<std::size_t>(count);
  }
  return {};
}

Result<void> PartFile::commit() {
  if (fsync(file_) != 0) return cannot("sync");
  if (rename(part_path_.c_str(), path_.c_str()) != 0) return cannot("rename");
  const int file = std::exchange(file_, -1);
  // After fsync nothing is left that closing could fail to write.
  close(file);
  return sync_folder(std::filesystem::path(path_).parent_path());
}

}  // namespace paika
