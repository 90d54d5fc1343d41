// Autosave: the record of a running game in a file that is always whole, so that a crash loses nothing.
//
// One file a game, and beside it a lock that its process holds: the system lets go of it however the
// process ends, so an unlocked unfinished game is one that can be taken up again.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "play/record.hpp"

namespace paika::play {

/// The largest record file that is read.
inline constexpr std::size_t max_record_bytes = std::size_t{16} << 20;

/// Where running games are kept: $XDG_STATE_HOME/paika, or ~/.local/state/paika; "" if neither is known.
[[nodiscard]] std::string state_folder();

/// A file in `folder` for what programs write to standard error while this process plays; nobody makes it here.
[[nodiscard]] std::string error_log_in(const std::string& folder);

/// Writes a file so that it is either as before or whole: to a temporary file beside it, to the disk, renamed. A
/// symbolic link stays one, and its target is written; a file that is replaced keeps its mode.
[[nodiscard]] Result<void> write_whole_file(const std::string& path, std::string_view text);
/// Writes a file that can be made again at any time: it need not be on the disk when this returns.
[[nodiscard]] Result<void> write_report_file(const std::string& path, std::string_view text);
/// Adds a text to the end of a file, on the disk when this returns.
[[nodiscard]] Result<void> add_to_file(const std::string& path, std::string_view text);
/// What a file holds; refuses more than max_record_bytes.
[[nodiscard]] Result<std::string> read_whole_file(const std::string& path);

class Autosave {
 public:
  /// A file for a new game in `folder`, which is made with the first write.
  explicit Autosave(std::string folder, std::string_view game_name);
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;
  /// The file stays; the lock goes.
  ~Autosave();

  /// A game that was left, with its file, whose lock is taken.
  struct Left;
  /// The newest unfinished game of `folder` that no process plays; nothing if there is none. Files that are
  /// no records are left alone.
  [[nodiscard]] static std::optional<Left> newest_left(const std::string& folder);
  /// The last game of this very file; an error if it is no record or another process plays it.
  [[nodiscard]] static Result<Left> take(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Result<void> write(const GameRecord& record);
  /// Deletes the file, because nothing in it is worth keeping.
  void remove();

 private:
  explicit Autosave(std::string path);
  [[nodiscard]] Result<void> lock();

  std::string path_;
  int lock_ = -1;
};

struct Autosave::Left {
  std::unique_ptr<Autosave> save;
  GameRecord record;
};

/// The last game of a file, which is only read; an error if it is no record.
[[nodiscard]] Result<GameRecord> last_record(const std::string& path);

}  // namespace paika::play
