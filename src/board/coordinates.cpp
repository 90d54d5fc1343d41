#include "board/coordinates.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace paika {

int Coordinates::row_number(int row) const noexcept {
  return first_row_ + (from_ == RowsFrom::top ? row : rows_ - 1 - row);
}

std::string Coordinates::name(Square s) const { return fmt::format("{}{}", column_letter(s.col), row_number(s.row)); }

std::optional<Square> Coordinates::read(std::string_view& text) const {
  constexpr std::size_t max_digits = 3;
  if (text.size() < 2) return std::nullopt;
  const char letter = lowered(text[0]);
  if (letter < 'a' || letter > 'z') return std::nullopt;
  std::size_t end = 1;
  int number = 0;
  while (end < text.size() && is_digit(text[end])) {
    if (end > max_digits) return std::nullopt;
    number = number * 10 + (text[end] - '0');
    ++end;
  }
  // "a01" is not how anybody writes a square: one text for one square.
  if (end == 1 || (text[1] == '0' && end > 2)) return std::nullopt;
  text.remove_prefix(end);
  const int counted = number - first_row_;
  return Square{letter - 'a', from_ == RowsFrom::top ? counted : rows_ - 1 - counted};
}

Phrase Coordinates::range() const {
  const bool top = from_ == RowsFrom::top;
  return phrase("{} to {}", name({0, top ? 0 : rows_ - 1}), name({cols_ - 1, top ? rows_ - 1 : 0}));
}

}  // namespace paika
