#include "play/autosave.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fmt/chrono.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "base/descriptor.hpp"
#include "base/text.hpp"

namespace paika::play {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".record";

/// Why the system refused something: in every language if people meet it, else as the system says it.
Phrase reason_of(int error) {
  switch (error) {
    case ENOENT: return phrase("No such file or directory");
    case EACCES: return phrase("Permission denied");
    case EPERM: return phrase("Operation not permitted");
    case EISDIR: return phrase("Is a directory");
    case ENOTDIR: return phrase("Not a directory");
    case ENOSPC: return phrase("No space left on device");
    case EDQUOT: return phrase("Disk quota exceeded");
    case EFBIG: return phrase("File too large");
    case EROFS: return phrase("Read-only file system");
    case ENAMETOOLONG: return phrase("File name too long");
    case ELOOP: return phrase("Too many levels of symbolic links");
    case EIO: return phrase("Input/output error");
    default: return Phrase::verbatim(std::strerror(error));
  }
}

tl::unexpected<Error> cannot_write(const std::string& path) {
  const int why = errno;
  return fail(phrase("cannot write {}: {}", in_quotes(path, 200), reason_of(why)));
}

tl::unexpected<Error> cannot_read(const std::string& path) {
  const int why = errno;
  return fail(phrase("cannot read {}: {}", in_quotes(path, 200), reason_of(why)));
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Puts a renamed file's name on the disk too; a file system that cannot do that is no reason to complain.
void sync_folder(const fs::path& folder) {
  const Descriptor opened(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) (void)fsync(opened.number());
}

/// The file that a path means in the end: symbolic links are followed, also to a file that is not there yet.
Result<std::string> link_target(const std::string& path) {
  constexpr int max_links = 40;  // as the system follows them
  std::string target = path;
  for (int i = 0; i <= max_links; ++i) {
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) return target;
    target = (fs::path(target).parent_path() / next).string();
  }
  errno = ELOOP;
  return cannot_write(path);
}

std::string lock_path(const std::string& path) { return path + ".lock"; }

/// True if a text is a record of a game that is not over. It may still be wrong in other ways.
bool looks_unfinished(std::string_view text) {
  const std::string line = fmt::format("\nresult {} {}\n", name(Verdict::ongoing), unfinished_reason);
  return text.starts_with("paika-record ") && text.find(line) != std::string_view::npos;
}

struct Found {
  fs::file_time_type time;
  std::string path;
};

/// The files that could be games, newest first.
std::vector<Found> candidates(const std::string& folder) {
  std::vector<Found> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() != extension || !entry->is_regular_file(error)) continue;
    const auto time = entry->last_write_time(error);
    if (!error) found.push_back({time, entry->path().string()});
  }
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.time != b.time ? a.time > b.time : a.path > b.path; });
  return found;
}

}  // namespace

std::string state_folder() {
  // NOLINTBEGIN(concurrency-mt-unsafe): nothing here sets the environment
  const char* state = std::getenv("XDG_STATE_HOME");
  // The standard says that a path which is not absolute is to be ignored.
  if (state != nullptr && *state == '/') return std::string(state) + "/paika";
  const char* home = std::getenv("HOME");
  // NOLINTEND(concurrency-mt-unsafe)
  if (home != nullptr && *home == '/') return std::string(home) + "/.local/state/paika";
  return "";
}

std::string error_log_in(const std::string& folder) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{}/programs-{:%Y%m%d-%H%M%S}-{}.log", folder, fmt::localtime(now), getpid());
}

Result<void> write_report_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return fail("cannot write {}", in_quotes(path, 200));
  return {};
}

Result<void> write_whole_file(const std::string& path, std::string_view text) {
  const auto target = link_target(path);
  if (!target) return tl::unexpected(target.error());
  const std::string temporary = fmt::format("{}.{}.new", *target, getpid());
  struct stat before = {};
  const bool replaces = stat(target->c_str(), &before) == 0;
  const mode_t mode = replaces ? before.st_mode & 07777U : 0666U;
  {
    const Descriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode & 0777U));
    if (file.number() < 0) return cannot_write(path);
    // What the umask took away comes back; a file system without modes has none to keep.
    if (replaces) (void)fchmod(file.number(), mode);
    if (!write_all(file.number(), text) || fsync(file.number()) != 0) {
      auto error = cannot_write(path);
      unlink(temporary.c_str());
      return error;
    }
  }
  if (rename(temporary.c_str(), target->c_str()) != 0) {
    auto error = cannot_write(path);
    unlink(temporary.c_str());
    return error;
  }
  sync_folder(fs::path(*target).parent_path());
  return {};
}

Result<void> add_to_file(const std::string& path, std::string_view text) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (file.number() < 0 || !write_all(file.number(), text)) return cannot_write(path);
  (void)fsync(file.number());  // not everything that can be written to can do that
  return {};
}

Result<std::string> read_whole_file(const std::string& path) {
  // Not to be held up by a pipe that nobody writes to.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) return cannot_read(path);
  std::string text;
  std::array<char, 1 << 16> bytes{};
  for (;;) {
    const ssize_t count = read(file.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot_read(path);
    if (count == 0) return text;
    text.append(bytes.data(), static_cast<std::size_t>(count));
    if (text.size() > max_record_bytes) {
      return fail(
          phrase("{} is longer than {} bytes, too long for a game record", in_quotes(path, 200), max_record_bytes));
    }
  }
}

Autosave::Autosave(std::string path) : path_(std::move(path)) {}

Autosave::Autosave(std::string folder, std::string_view game_name) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const auto stem = fmt::format("{}/{}-{:%Y%m%d-%H%M%S}-{}", folder, game_name, fmt::localtime(now), getpid());
  std::error_code error;
  path_ = fmt::format("{}{}", stem, extension);
  for (int n = 2; fs::exists(path_, error); ++n) path_ = fmt::format("{}-{}{}", stem, n, extension);
}

Autosave::~Autosave() {
  if (lock_ < 0) return;
  unlink(lock_path(path_).c_str());
  close(lock_);
}

Result<void> Autosave::lock() {
  if (lock_ >= 0) return {};
  const std::string path = lock_path(path_);
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return cannot_write(path);
  struct stat opened = {};
  struct stat named = {};
  // Whoever held it before may have deleted it in between; then what we hold is nobody's lock any more.
  const bool held = flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &opened) == 0 &&
                    stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino;
  if (!held) {
    close(file);
    return fail(phrase("another process is playing the game in {}", in_quotes(path_, 200)));
  }
  lock_ = file;
  return {};
}

std::optional<Autosave::Left> Autosave::newest_left(const std::string& folder) {
  for (const Found& found : candidates(folder)) {
    const auto text = read_whole_file(found.path);
    if (!text || !looks_unfinished(*text)) continue;
    auto left = take(found.path);
    if (left && left->record.result.reason == unfinished_reason) return std::move(*left);
  }
  return std::nullopt;
}

Result<Autosave::Left> Autosave::take(const std::string& path) {
  // A file that is not there must not get a lock beside it.
  if (auto there = read_whole_file(path); !there) return tl::unexpected(there.error());
  std::unique_ptr<Autosave> save(new Autosave(path));
  if (auto locked = save->lock(); !locked) return tl::unexpected(locked.error());
  auto record = last_record(path);
  if (!record) return tl::unexpected(record.error());
  return Left{std::move(save), std::move(*record)};
}

Result<GameRecord> last_record(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) return tl::unexpected(text.error());
  auto records = parse_records(*text);
  if (!records) return fail(phrase("{}: {}", in_quotes(path, 200), records.error().words()));
  if (records->empty()) return fail(phrase("{} contains no game record", in_quotes(path, 200)));
  return std::move(records->back());
}

Result<void> Autosave::write(const GameRecord& record) {
  std::error_code error;
  fs::create_directories(fs::path(path_).parent_path(), error);
  if (error) return fail(phrase("cannot create the folder of {}: {}", in_quotes(path_, 200), reason_of(error.value())));
  if (auto locked = lock(); !locked) return locked;
  return write_whole_file(path_, record_text(record));
}

void Autosave::remove() { unlink(path_.c_str()); }

}  // namespace paika::play
