#include "base/utf8.hpp"

#include <array>

namespace paika {

namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

constexpr char32_t bell = 0x07;
constexpr char32_t escape = 0x1b;
constexpr char32_t c1_csi = 0x9b;
constexpr char32_t c1_st = 0x9c;

bool is_between(char32_t code, char32_t least, char32_t most) { return code >= least && code <= most; }

/// As take_character, but a sign of ASCII stands alone, whatever stray bytes follow it.
std::string_view take_one(std::string_view& text) {
  if (static_cast<unsigned char>(text.front()) >= 0x80) return take_character(text);
  const std::string_view one = text.substr(0, 1);
  text.remove_prefix(1);
  return one;
}

/// The number of the next character without taking it; 0 at the end and for a stray byte.
char32_t peek(std::string_view text) { return text.empty() ? 0 : code_of(take_one(text)).value_or(0); }

/// Control sequences: parameters, intermediates and a final character (ECMA-48).
void skip_sequence(std::string_view& text) {
  while (is_between(peek(text), 0x20, 0x3f)) text.remove_prefix(1);
  if (is_between(peek(text), 0x40, 0x7e)) text.remove_prefix(1);
}

/// Control strings, such as a window's title: up to their terminator; one that has none ends with the line.
void skip_string(std::string_view& text) {
  while (!text.empty() && text.front() != '\n') {
    const auto code = code_of(take_one(text)).value_or(0);
    if (code == bell || code == c1_st) return;
    if (code != escape) continue;
    if (peek(text) == '\\') text.remove_prefix(1);
    return;
  }
}

bool begins_string(char32_t c1) { return c1 == 0x90 || c1 == 0x98 || is_between(c1, 0x9d, 0x9f); }

/// What follows an escape character; its second character is a C1 control shifted down by 64, or a short sequence.
void skip_escape(std::string_view& text) {
  const char32_t second = peek(text);
  if (is_between(second, 0x40, 0x5f)) {
    text.remove_prefix(1);
    if (second + 0x40 == c1_csi) return skip_sequence(text);
    if (begins_string(second + 0x40)) skip_string(text);
    return;
  }
  while (is_between(peek(text), 0x20, 0x2f)) text.remove_prefix(1);
  if (is_between(peek(text), 0x30, 0x7e)) text.remove_prefix(1);
}

bool turns_direction(char32_t code) {
  return code == 0x61c || code == 0x200e || code == 0x200f || is_between(code, 0x202a, 0x202e) ||
         is_between(code, 0x2066, 0x2069);
}

}  // namespace

std::string plain_text(std::string_view text) {
  constexpr std::string_view replacement = "\xef\xbf\xbd";
  std::string out;
  while (!text.empty()) {
    const std::string_view character = take_one(text);
    const auto code = code_of(character);
    if (!code) {
      out += replacement;
    } else if (*code == '\r') {
      if (peek(text) != '\n') out += '\n';
    } else if (*code == escape) {
      skip_escape(text);
    } else if (*code == c1_csi) {
      skip_sequence(text);
    } else if (begins_string(*code)) {
      skip_string(text);
    } else if (*code == '\n' || *code == '\t' ||
               (*code >= 0x20 && !is_between(*code, 0x7f, 0x9f) && !turns_direction(*code))) {
      out += character;
    }
  }
  return out;
}

std::string_view take_character(std::string_view& text) {
  std::size_t length = 1;
  while (length < text.size() && length < 4 && continues(text[length])) ++length;
  const std::string_view character = text.substr(0, length);
  text.remove_prefix(length);
  return character;
}

std::optional<char32_t> code_of(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length == 0 || length != character.size()) return std::nullopt;
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  char32_t code = length == 1 ? lead : lead & (0x7fU >> length);
  for (const char c : character.substr(1)) code = (code << 6U) | (static_cast<unsigned char>(c) & 0x3fU);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < least[length] || code > 0x10ffff || surrogate) return std::nullopt;
  return code;
}

bool is_invisible(char32_t code) noexcept {
  return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || (code >= 0xfe00 && code <= 0xfe0f) || code == 0xfeff;
}

}  // namespace paika
