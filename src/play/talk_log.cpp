#include "play/talk_log.hpp"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/utf8.hpp"

namespace paika::play {

namespace {

constexpr std::size_t max_logged = 2000;

}  // namespace

TalkLog::TalkLog(const std::string& path)
    : file_(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {}

TalkLog::~TalkLog() {
  if (file_ >= 0) close(file_);
}

void TalkLog::add(char who, std::string_view line) {
  if (file_ < 0 || written_ >= max_bytes) return;
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - since_;
  std::string text = fmt::format("{:9.3f} {} {}", time.count(), who, plain_text(line.substr(0, max_logged)));
  if (line.size() > max_logged) text += fmt::format(" … ({} bytes in all)", line.size());
  std::replace(text.begin(), text.end(), '\n', '?');  // a line stays one
  written_ += text.size() + 1;
  if (written_ >= max_bytes) text += "\n          # the log is full: the rest is not recorded";
  text += '\n';
  // A log that cannot be written is no reason to stop a game.
  static_cast<void>(!write(file_, text.data(), text.size()));
}

}  // namespace paika::play
