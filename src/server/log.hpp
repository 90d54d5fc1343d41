// Log: what the server reports to its operator, one JSON object per line. Never a secret: no cookies, tokens,
// passwords, chat.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "engine/json.hpp"

namespace paika::server {

enum class LogLevel : unsigned char { debug, info, warning, error };
[[nodiscard]] std::string_view name(LogLevel level) noexcept;
/// The level of that name; an error names them all.
[[nodiscard]] Result<LogLevel> read_log_level(std::string_view name);

/// May be used by many threads.
class Log {
 public:
  using Write = std::function<void(std::string_view line)>;
  /// Lines of at least `least` go to `write`, each ended by '\n' and whole.
  Log(LogLevel least, Write write);

  /// True if lines of this level are written.
  [[nodiscard]] bool writes(LogLevel level) const noexcept { return level >= min_; }
  /// {"time": …, "level": …, "event": …, "request": …, and the fields}: the request is that for which this thread
  /// works.
  void write(LogLevel level, std::string_view event, const Json& fields);
  void write(LogLevel level, std::string_view event);

 private:
  LogLevel min_;
  std::mutex mutex_;
  Write write_;
};

/// For parts that say in words what went wrong: each text is a warning of this event.
[[nodiscard]] std::function<void(std::string_view)> warnings_as(std::string event, LogLevel least, Log::Write write);

}  // namespace paika::server
