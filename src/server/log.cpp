#include "server/log.hpp"

#include <chrono>
#include <fmt/chrono.h>
#include <nlohmann/json.hpp>
#include <utility>

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

Log::Log(LogLevel least, Write write) : min_(least), write_(std::move(write)) {}

void Log::write(LogLevel level, std::string_view event, const Json& fields) {
  if (level < min_) return;
  const auto now = std::chrono::system_clock::now();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  Json line = {
      {"time", fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(now)), ms)},
      {"level", name(level)},
      {"event", event}};
  for (const auto& [key, value] : fields.items()) line[key] = value;
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const std::scoped_lock lock(mutex_);
  write_(text);
}

void Log::write(LogLevel level, std::string_view event) { write(level, event, Json::object()); }

}  // namespace paika::server
