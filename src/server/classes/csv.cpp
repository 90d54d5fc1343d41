#include "server/classes/csv.hpp"

#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace paika::server {

std::string csv_field(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string date_text(WallTime time) {
  if (time == 0) return "";
  const std::chrono::sys_time<std::chrono::milliseconds> at{std::chrono::milliseconds(time)};
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::floor<std::chrono::seconds>(at)));
}

Response as_file(std::string type, std::string begin, const std::string& name) {
  Response response;
  response.type = std::move(type);
  response.body = std::move(begin);
  response.headers.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"{}\"", name));
  return response;
}

}  // namespace paika::server
