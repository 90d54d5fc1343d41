#include "base/base64.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace paika {

namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr unsigned char no_digit = 64;

constexpr std::array<unsigned char, 256> values_of_digits() {
  std::array<unsigned char, 256> values{};
  values.fill(no_digit);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    values[static_cast<unsigned char>(digits[i])] = static_cast<unsigned char>(i);
  }
  return values;
}

constexpr auto values = values_of_digits();

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

Result<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return fail("base64 has four characters for every three bytes, padded with '='");
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_padding = i + padding >= text.size();
    const std::uint32_t value = is_padding ? 0 : values[static_cast<unsigned char>(text[i])];
    if (value == no_digit) return fail("character {} is not one of base64", i + 1);
    bits = bits << 6U | value;
    if (i % 4 != 3) continue;
    for (const unsigned shift : {16U, 8U, 0U}) bytes += static_cast<char>(bits >> shift & 0xFFU);
    bits = 0;
  }
  for (std::size_t i = 0; i < padding; ++i) {
    if (bytes.back() != '\0') return fail("the last character of base64 has bits that belong to no byte");
    bytes.pop_back();
  }
  return bytes;
}

}  // namespace paika
