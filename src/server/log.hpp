// Log: what the server tells its operator, a JSON object a line. Never a secret: no cookies, tokens, passwords, chat.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/json.hpp"

namespace paika::server {

enum class LogLevel : unsigned char { debug, info, warning, error };
[[nodiscard]] std::string_view name(LogLevel level) noexcept;

/// May be used by many threads.
class Log {
 public:
  using Write = std::function<void(std::string_view line)>;
  /// Lines of at least `least` go to `write`, each ended by '\n' and whole.
  Log(LogLevel least, Write write);

  /// {"time": …, "level": …, "event": …, and the fields}.
  void write(LogLevel level, std::string_view event, const Json& fields);
  void write(LogLevel level, std::string_view event);

 private:
  LogLevel min_;
  std::mutex mutex_;
  Write write_;
};

}  // namespace paika::server
