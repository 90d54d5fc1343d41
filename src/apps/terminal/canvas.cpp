#include "apps/terminal/canvas.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace paika::terminal {

namespace {

constexpr std::size_t max_cell = 16;  // bytes: a character and some marks on it

bool is_printable(std::string_view character) {
  const auto code = code_of(character);
  // U+0080 to U+009F are control characters too.
  return code && *code >= 0x20 && (*code < 0x7f || *code >= 0xa0);
}

}  // namespace

std::string cut_to(std::string_view text, int width, bool unicode) {
  if (width_of(text) <= width) return std::string(text);
  std::string cut;
  for (int left = width - 1; !text.empty();) {
    const std::string_view character = take_character(text);
    left -= columns_of(character);
    if (left < 0) break;
    cut += character;
  }
  return width > 0 ? cut + (unicode ? "…" : "~") : cut;
}

std::vector<std::string> wrapped(std::string_view text, int width) {
  const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
  std::vector<std::string> lines = {std::string(text.substr(0, indent))};
  text.remove_prefix(indent);
  int column = static_cast<int>(indent);
  bool first = true;  // of its line
  const auto break_line = [&] {
    lines.emplace_back();
    column = 0;
    first = true;
  };
  while (!text.empty()) {
    const std::size_t length = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (!first && column + 1 + width_of(word) > width) break_line();
    if (!first) {
      lines.back() += ' ';
      ++column;
    }
    for (first = false; !word.empty(); first = false) {
      const std::string_view character = take_character(word);
      const int columns = columns_of(character);
      if (column > 0 && column + columns > std::max(width, 1)) break_line();
      lines.back() += character;
      column += columns;
    }
  }
  return lines;
}

Canvas::Canvas(Extent size)
    : size_{std::max(size.width, 0), std::max(size.height, 0)},
      cells_(static_cast<std::size_t>(size_.width) * static_cast<std::size_t>(size_.height)) {}

bool Canvas::contains(ScreenPoint place) const noexcept {
  return place.x >= 0 && place.x < size_.width && place.y >= 0 && place.y < size_.height;
}

PictureCell& Canvas::cell(ScreenPoint place) {
  PAIKA_CHECK(contains(place));
  return cells_[static_cast<std::size_t>(place.y) * static_cast<std::size_t>(size_.width) +
                static_cast<std::size_t>(place.x)];
}

const PictureCell& Canvas::at(ScreenPoint place) const {
  PAIKA_CHECK(contains(place));
  return cells_[static_cast<std::size_t>(place.y) * static_cast<std::size_t>(size_.width) +
                static_cast<std::size_t>(place.x)];
}

void Canvas::set(ScreenPoint place, PictureCell content) {
  if (!contains(place)) return;
  const ScreenPoint left{place.x - 1, place.y};
  const ScreenPoint right{place.x + 1, place.y};
  // Half of a wide character is nothing.
  if (cell(place).text.empty() && contains(left)) cell(left).text = " ";
  if (contains(right) && cell(right).text.empty()) cell(right).text = " ";
  cell(place) = std::move(content);
}

int Canvas::put(ScreenPoint place, std::string_view text, Look look, Mark mark) {
  ScreenPoint last{-1, place.y};  // the character that a mark combines with
  while (!text.empty()) {
    const std::string_view character = take_character(text);
    const int columns = columns_of(character);
    if (columns == 0) {
      const bool fits = contains(last) && cell(last).text.size() + character.size() <= max_cell;
      if (fits && !is_invisible(*code_of(character))) cell(last).text += character;
      continue;
    }
    const ScreenPoint end{place.x + columns - 1, place.y};
    const bool whole = columns == 1 || (contains(place) && contains(end));
    set(place, {std::string(!whole ? " " : is_printable(character) ? character : "?"), look, mark});
    if (columns == 2) set(end, {whole ? "" : " ", look, mark});
    last = place;
    place.x += columns;
  }
  return place.x;
}

void Canvas::put(ScreenPoint place, const Picture& picture) {
  for (int y = 0; y < picture.size.height; ++y) {
    for (int x = 0; x < picture.size.width; ++x) {
      set({place.x + x, place.y + y}, picture.lines[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)]);
    }
  }
}

void Canvas::box(ScreenPoint corner, Extent size, bool unicode) {
  const int right = size.width - 1;
  const int bottom = size.height - 1;
  const auto sign = [&](std::string_view pretty, std::string_view plain) { return unicode ? pretty : plain; };
  const auto row = [&](int y, std::string_view left_end, std::string_view middle, std::string_view right_end) {
    for (int x = 1; x < right; ++x) put({corner.x + x, corner.y + y}, middle, Look::line);
    put({corner.x, corner.y + y}, left_end, Look::line);
    put({corner.x + right, corner.y + y}, right_end, Look::line);
  };
  for (int y = 1; y < bottom; ++y) row(y, sign("│", "|"), " ", sign("│", "|"));
  row(0, sign("┌", "+"), sign("─", "-"), sign("┐", "+"));
  row(bottom, sign("└", "+"), sign("─", "-"), sign("┘", "+"));
}

std::string Canvas::text() const {
  std::string out;
  for (int y = 0; y < size_.height; ++y) {
    std::string line;
    for (int x = 0; x < size_.width; ++x) line += at({x, y}).text;
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace paika::terminal
