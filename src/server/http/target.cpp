#include "server/http/target.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include "base/text.hpp"

namespace paika::server {

namespace {

std::optional<int> hex_value(char c) noexcept {
  if (is_digit(c)) return c - '0';
  const char low = lowered(c);
  if (low >= 'a' && low <= 'f') return low - 'a' + 10;
  return std::nullopt;
}

bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

enum class Part : unsigned char { path, query };

/// What may come out of an escape.
bool may_stand(char c, Part part) noexcept {
  if (part == Part::query && (c == '\t' || c == '\n' || c == '\r')) return true;
  return !is_control(c) && !(part == Part::path && c == '/');
}

Result<std::string> decoded(std::string_view text, Part part) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const auto high = i + 2 < text.size() ? hex_value(text[i + 1]) : std::nullopt;
      const auto low = high ? hex_value(text[i + 2]) : std::nullopt;
      if (!low)
        return fail("{} is not an escape; a '%' is followed by two hexadecimal digits", in_quotes(text.substr(i, 3)));
      c = static_cast<char>(*high * 16 + *low);
      if (!may_stand(c, part)) return fail("the escape {} may not be used here", in_quotes(text.substr(i, 3)));
      i += 2;
    } else if (c == '+' && part == Part::query) {
      c = ' ';
    }
    out += c;
  }
  if (!is_utf8(out)) return fail("{} is not UTF-8", in_quotes(out));
  return out;
}

/// Nothing, or why a decoded path is refused.
std::optional<Error> path_fault(std::string_view path) {
  const auto parts = split(path.substr(1), '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "." || parts[i] == "..")
      return Error{"the path contains \".\" or \"..\"; write out the path that is meant"};
    if (parts[i].empty() && i + 1 < parts.size()) return Error{"the path contains \"//\"; write \"/\""};
  }
  return std::nullopt;
}

}  // namespace

Result<std::map<std::string, std::string, std::less<>>> parse_form(std::string_view text) {
  std::map<std::string, std::string, std::less<>> form;
  std::size_t fields = 0;
  for (const std::string_view piece : split(text, '&')) {
    if (piece.empty()) continue;
    if (++fields > max_query_fields) return fail("the query has more than {} fields", max_query_fields);
    const auto middle = piece.find('=');
    auto name = decoded(piece.substr(0, middle), Part::query);
    if (!name) return tl::unexpected(name.error());
    auto value = decoded(middle == std::string_view::npos ? std::string_view() : piece.substr(middle + 1), Part::query);
    if (!value) return tl::unexpected(value.error());
    form.insert_or_assign(*std::move(name), *std::move(value));
  }
  return form;
}

Result<Target> parse_target(std::string_view text) {
  if (text.size() > max_target)
    return fail("the address has {} bytes; at most {} are allowed", text.size(), max_target);
  if (!text.starts_with('/'))
    return fail("{} is not a path; a path begins with '/' and names no host", in_quotes(text));
  for (const char c : text) {
    if (is_control(c) || c == ' ' || c == '#' || static_cast<unsigned char>(c) >= 0x80)
      return fail("the address contains the character {}, which must be escaped", in_quotes({&c, 1}));
  }
  const auto mark = text.find('?');
  auto path = decoded(text.substr(0, mark).substr(1), Part::path);
  // Slashes that were written as such divide the path; decoded() refuses the escaped ones only.
  if (!path) return tl::unexpected(path.error());
  Target target;
  target.path = "/" + *path;
  if (auto fault = path_fault(target.path)) return tl::unexpected(*std::move(fault));
  if (mark == std::string_view::npos) return target;
  auto query = parse_form(text.substr(mark + 1));
  if (!query) return tl::unexpected(query.error());
  target.query = std::move(*query);
  return target;
}

std::string_view cookie_value(std::string_view header, std::string_view name) noexcept {
  while (!header.empty()) {
    const auto end = header.find(';');
    const std::string_view piece = trimmed(header.substr(0, end));
    header.remove_prefix(end == std::string_view::npos ? header.size() : end + 1);
    const auto middle = piece.find('=');
    if (middle == std::string_view::npos || piece.substr(0, middle) != name) continue;
    std::string_view value = piece.substr(middle + 1);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    return value;
  }
  return {};
}

namespace {

/// How many bytes follow the first one of a character, and the smallest number it may have; nothing if none begins so.
std::optional<std::pair<int, std::uint32_t>> followers(unsigned char first) noexcept {
  if (first < 0x80) return std::pair(0, 0U);
  if (first >= 0xc2 && first < 0xe0) return std::pair(1, 0x80U);
  if (first >= 0xe0 && first < 0xf0) return std::pair(2, 0x800U);
  if (first >= 0xf0 && first < 0xf5) return std::pair(3, 0x10000U);
  return std::nullopt;
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    const auto shape = followers(first);
    if (!shape) return false;
    if (shape->first == 0) continue;
    std::uint32_t number = first & (0x3fU >> shape->first);
    for (int left = shape->first; left > 0; --left, ++i) {
      if (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) return false;
      number = number << 6U | (static_cast<unsigned char>(text[i]) & 0x3fU);
    }
    if (number < shape->second || number > 0x10ffff || (number >= 0xd800 && number < 0xe000)) return false;
  }
  return true;
}

}  // namespace paika::server
