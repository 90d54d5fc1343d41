#include "server/log.hpp"

#include <chrono>
#include <fmt/chrono.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "server/store/trace.hpp"

namespace paika::server {

std::string_view name(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::debug: return "debug";
    case LogLevel::info: return "info";
    case LogLevel::warning: return "warning";
    case LogLevel::error: break;
  }
  return "error";
}

Result<LogLevel> read_log_level(std::string_view text) {
  for (const LogLevel level : {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error}) {
    if (name(level) == text) return level;
  }
  return fail("--log-level takes debug, info, warning or error, not {}", in_quotes(text));
}

Log::Log(LogLevel least, Write write) : min_(least), write_(std::move(write)) {}

void Log::write(LogLevel level, std::string_view event, const Json& fields) {
  if (level < min_) return;
  const auto now = std::chrono::system_clock::now();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  Json line = {
      {"time", fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(now)), ms)},
      {"level", name(level)},
      {"event", event}};
  if (std::string request = Trace::current_id(); !request.empty()) line["request"] = std::move(request);
  for (const auto& [key, value] : fields.items()) line[key] = value;
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const std::scoped_lock lock(mutex_);
  write_(text);
}

void Log::write(LogLevel level, std::string_view event) { write(level, event, Json::object()); }

std::function<void(std::string_view)> warnings_as(std::string event, LogLevel least, Log::Write write) {
  return [log = std::make_shared<Log>(least, std::move(write)), event = std::move(event)](std::string_view what) {
    log->write(LogLevel::warning, event, {{"what", what}});
  };
}

}  // namespace paika::server
