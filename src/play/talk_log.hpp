// TalkLog: what was said to and by a program, with times, in a file that cannot grow for ever.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace paika::play {

class TalkLog {
 public:
  /// So much is kept of one program's life.
  static constexpr std::size_t max_bytes = std::size_t{1} << 20;

  /// Keeps nothing.
  TalkLog() = default;
  /// Adds to the file, whose folder is there; one that cannot be opened keeps nothing.
  explicit TalkLog(const std::string& path);
  TalkLog(const TalkLog&) = delete;
  TalkLog& operator=(const TalkLog&) = delete;
  ~TalkLog();

  void said_to(std::string_view line) { add('>', line); }
  void said_by(std::string_view line) { add('<', line); }
  void remark(std::string_view line) { add('#', line); }

 private:
  void add(char who, std::string_view line);

  int file_ = -1;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::size_t written_ = 0;
};

}  // namespace paika::play
