#include "server/http/wire.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>

#include "base/text.hpp"

namespace paika::server {

namespace {

bool is_token(std::string_view text) noexcept {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    const char low = lowered(c);
    return (low >= 'a' && low <= 'z') || is_digit(c) || others.find(c) != std::string_view::npos;
  });
}

bool is_header_value(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '\t' || (c != 0x7f && !(c >= 0 && c < 0x20)); });
}

bool is_ours_to_say(std::string_view name) {
  const std::string low = lowered(name);
  return low == "content-length" || low == "transfer-encoding" || low == "connection" || low == "date" ||
         low == "content-type";
}

}  // namespace

std::string_view reason_phrase(int status) noexcept {
  switch (status) {
    case 100: return "Continue";
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 426: return "Upgrade Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

bool has_body(int status) noexcept { return status >= 200 && status != 204 && status != 304; }

std::string response_head(const Response& response, Framing framing, bool keep_alive, std::string_view date) {
  std::string head;
  head.reserve(512);
  fmt::format_to(std::back_inserter(head), "HTTP/1.1 {} {}\r\nDate: {}\r\n", response.status,
                 reason_phrase(response.status), date);
  if (has_body(response.status)) {
    if (!response.type.empty() && is_header_value(response.type))
      head.append("Content-Type: ").append(response.type).append("\r\n");
    if (framing == Framing::length) {
      fmt::format_to(std::back_inserter(head), "Content-Length: {}\r\n", response.body.size());
    } else if (framing == Framing::chunked) {
      head += "Transfer-Encoding: chunked\r\n";
    }
  }
  for (const auto& [name, value] : response.headers) {
    if (is_token(name) && is_header_value(value) && !is_ours_to_say(name))
      head.append(name).append(": ").append(value).append("\r\n");
  }
  // Said outright in both cases: a client of HTTP/1.0 takes silence for the opposite.
  head += keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  return head;
}

std::string http_date(long long seconds) {
  static constexpr std::array<std::string_view, 7> days = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", days[std::chrono::weekday(day).c_encoding()],
                     unsigned{date.day()}, months[unsigned{date.month()} - 1], int{date.year()}, clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

}  // namespace paika::server
