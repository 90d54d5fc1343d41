#include "apps/terminal/picture.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "engine/board_lines.hpp"
#include "engine/module.hpp"
#include "engine/tone.hpp"
#include "rules/spec.hpp"

namespace paika::terminal {

namespace {

/// How the squares of a board lie in a picture.
struct Geometry {
  int cols = 0;
  int rows = 0;    // of the board
  int digits = 0;  // columns for the row numbers
  bool lines = false;
  PictureForm form = PictureForm::compact;

  [[nodiscard]] bool framed() const { return form == PictureForm::spacious && !lines; }
  [[nodiscard]] int step_x() const { return form == PictureForm::spacious ? 4 : 2; }
  [[nodiscard]] int step_y() const { return form == PictureForm::spacious ? 2 : 1; }
  [[nodiscard]] int x_of(int col) const { return digits + (framed() ? 3 : 2) + col * step_x(); }
  /// The line of a row, counted among the rows shown.
  [[nodiscard]] int y_of(int row) const { return (framed() ? 2 : 1) + row * step_y(); }
  [[nodiscard]] int width() const { return x_of(cols - 1) + (framed() ? 3 : 2); }
  /// Where not all rows are shown a last line says so.
  [[nodiscard]] int height(int shown) const {
    return y_of(shown - 1) + (framed() ? 2 : 1) + (shown < rows && !framed() ? 1 : 0);
  }
};

Geometry geometry_of(const Notation& notation, PictureForm form) {
  const Coordinates& names = notation.coordinates();
  const int last = std::max(names.row_number(0), names.row_number(names.rows() - 1));
  return {names.cols(), names.rows(), last >= 10 ? 2 : 1, has_lines(notation), form};
}

/// The brackets of a mark, left and right of a square.
std::array<std::string_view, 2> brackets(Mark mark, bool unicode) {
  switch (mark) {
    case Mark::none: return {"", ""};
    case Mark::last:
      return unicode ? std::array<std::string_view, 2>{"‹", "›"} : std::array<std::string_view, 2>{"<", ">"};
    case Mark::target: return {"", ""};
    case Mark::hint: return {"!", "!"};
    case Mark::refused:
      return unicode ? std::array<std::string_view, 2>{"×", "×"} : std::array<std::string_view, 2>{"#", "#"};
    case Mark::chosen: return {"(", ")"};
    case Mark::cursor: return {"[", "]"};
  }
  return {"", ""};
}

class Painter {
 public:
  Painter(const Notation& notation, const Board& board, const PictureOptions& options)
      : notation_(notation), board_(board), options_(options), geometry_(geometry_of(notation, options.form)) {
    const int all = geometry_.rows;
    shown_ = options.rows <= 0 ? all : std::min(options.rows, all);
    first_ = std::clamp(options.first_row, 0, all - shown_);
    picture_.size = {geometry_.width(), geometry_.height(shown_)};
    picture_.lines.assign(size_t(picture_.size.height), std::vector<PictureCell>(size_t(picture_.size.width)));
    picture_.squares = Grid<std::optional<Square>>(picture_.size.width, picture_.size.height);
    marks_ = Grid<Mark>(geometry_.cols, all, Mark::none);
  }

  Picture paint() {
    collect_marks();
    paint_edges();
    if (geometry_.framed()) paint_frames();
    if (geometry_.lines && options_.form == PictureForm::spacious) paint_lines();
    for_each_shown([&](Square s, ScreenPoint p) { paint_square(s, p); });
    // Brackets of a later mark cover those of an earlier one where two squares share a column.
    for (int mark = 1; mark <= int(Mark::cursor); ++mark) {
      for_each_shown([&](Square s, ScreenPoint p) {
        if (marks_[s] == Mark(mark)) paint_brackets(s, p);
      });
    }
    return std::move(picture_);
  }

 private:
  [[nodiscard]] Square turned(Square s) const {
    return options_.flipped ? Square{geometry_.cols - 1 - s.col, geometry_.rows - 1 - s.row} : s;
  }
  [[nodiscard]] PictureCell& at(ScreenPoint p) { return picture_.lines[size_t(p.y)][size_t(p.x)]; }
  void put(ScreenPoint p, std::string_view text, Look look) {
    at(p).text = text;
    at(p).look = look;
  }
  [[nodiscard]] std::string_view sign(std::string_view unicode, std::string_view ascii) const {
    return options_.unicode ? unicode : ascii;
  }

  template <class F>
  void for_each_shown(F&& f) {
    for (int row = 0; row < shown_; ++row) {
      for (int col = 0; col < geometry_.cols; ++col) {
        f(turned({col, row + first_}), ScreenPoint{geometry_.x_of(col), geometry_.y_of(row)});
      }
    }
  }

  void collect_marks() {
    const auto add = [&](const std::vector<Square>& squares, Mark mark) {
      for (const Square s : squares) {
        if (marks_.contains(s)) marks_[s] = std::max(marks_[s], mark);
      }
    };
    add(options_.last, Mark::last);
    add(options_.targets, Mark::target);
    add(options_.hints, Mark::hint);
    add(options_.refused, Mark::refused);
    add(options_.chosen, Mark::chosen);
    if (options_.cursor) add({*options_.cursor}, Mark::cursor);
  }

  void paint_edges() {
    const Coordinates& names = notation_.coordinates();
    for (int col = 0; col < geometry_.cols; ++col) {
      const char letter = names.column_letter(turned({col, 0}).col);
      put({geometry_.x_of(col), 0}, std::string_view(&letter, 1), Look::edge);
    }
    for (int row = 0; row < shown_; ++row) {
      const std::string number =
          fmt::format("{:>{}}", names.row_number(turned({0, row + first_}).row), geometry_.digits);
      for (int i = 0; i < geometry_.digits; ++i) {
        put({i, geometry_.y_of(row)}, std::string_view(number).substr(size_t(i), 1), Look::edge);
      }
    }
    if (first_ > 0) put({0, 0}, sign("↑", "^"), Look::key);
    if (first_ + shown_ < geometry_.rows) put({0, picture_.size.height - 1}, sign("↓", "v"), Look::key);
  }

  void paint_frames() {
    const int left = geometry_.x_of(0) - 2;
    const int right = geometry_.x_of(geometry_.cols - 1) + 2;
    for (int edge = 0; edge <= shown_; ++edge) {
      const int y = geometry_.y_of(0) - 1 + edge * 2;
      for (int x = left; x <= right; ++x) {
        const bool corner = (x - left) % 4 == 0;
        put({x, y}, corner ? corner_sign(x == left, x == right, edge == 0, edge == shown_) : sign("─", "-"),
            Look::line);
        if (corner && edge < shown_) put({x, y + 1}, sign("│", "|"), Look::line);
      }
    }
  }

  [[nodiscard]] std::string_view corner_sign(bool left, bool right, bool top, bool bottom) const {
    if (!options_.unicode) return "+";
    if (top) return left ? "┌" : right ? "┐" : "┬";
    if (bottom) return left ? "└" : right ? "┘" : "┴";
    return left ? "├" : right ? "┤" : "┼";
  }

  void paint_lines() {
    for (int row = 0; row < shown_; ++row) {
      for (int col = 0; col < geometry_.cols; ++col) paint_lines_from(col, row);
    }
  }

  /// The lines to the right and down from a point, and the diagonals of the square below it.
  void paint_lines_from(int col, int row) {
    const auto square = [&](int c, int r) { return turned({c, r + first_}); };
    const ScreenPoint p{geometry_.x_of(col), geometry_.y_of(row)};
    const bool more_right = col + 1 < geometry_.cols;
    const bool more_below = row + 1 < shown_;
    if (more_right && notation_.joined(square(col, row), square(col + 1, row))) {
      for (int i = 1; i < 4; ++i) put({p.x + i, p.y}, sign("─", "-"), Look::line);
    }
    if (more_below && notation_.joined(square(col, row), square(col, row + 1))) {
      put({p.x, p.y + 1}, sign("│", "|"), Look::line);
    }
    if (!more_right || !more_below) return;
    const ScreenPoint middle{p.x + 2, p.y + 1};
    if (notation_.joined(square(col, row), square(col + 1, row + 1))) put(middle, sign("╲", "\\"), Look::line);
    if (notation_.joined(square(col + 1, row), square(col, row + 1))) put(middle, sign("╱", "/"), Look::line);
  }

  void paint_square(Square s, ScreenPoint p) {
    const Cell& cell = board_.cells[s];
    const Mark mark = marks_[s];
    put(p, cell_sign(notation_, s, cell, options_.unicode), cell_look(notation_, s, cell));
    // An empty square that can be chosen shows it by its own sign; a cursor on it does not hide that.
    const bool target = std::find(options_.targets.begin(), options_.targets.end(), s) != options_.targets.end();
    if (target && cell.owner == Owner::nobody && cell.kind != 'x') put(p, sign("◆", "*"), Look::special);
    at(p).mark = mark;
    // A click beside the sign counts too; the marked background is the sign's and, where there is room, around it.
    const bool spacious = options_.form == PictureForm::spacious;
    for (int x = p.x - (spacious ? 1 : 0); x <= p.x + 1; ++x) {
      picture_.squares[{x, p.y}] = s;
      if (spacious && mark != Mark::none) at({x, p.y}).mark = mark;
    }
  }

  /// The mark of the square beside it on the screen; none beyond the edge.
  [[nodiscard]] Mark mark_beside(Square s, int side) const {
    const Square beside{s.col + (options_.flipped ? -side : side), s.row};
    return marks_.contains(beside) ? marks_[beside] : Mark::none;
  }

  void paint_brackets(Square s, ScreenPoint p) {
    const Mark mark = marks_[s];
    auto signs = brackets(mark, options_.unicode);
    if (mark == Mark::target && board_.cells[s].owner != Owner::nobody) signs = {"{", "}"};
    if (signs[0].empty()) return;
    for (const int side : {-1, 1}) {
      // Squares that share a column share one pair of brackets.
      if (options_.form == PictureForm::compact && mark_beside(s, side) == mark) continue;
      const ScreenPoint place{p.x + side, p.y};
      put(place, signs[side < 0 ? 0 : 1], Look::key);
      at(place).mark = mark;
    }
  }

  const Notation& notation_;
  const Board& board_;
  const PictureOptions& options_;
  Geometry geometry_;
  int shown_ = 0;
  int first_ = 0;
  Picture picture_;
  Grid<Mark> marks_;
};

/// The kind of the pieces in games that have one kind only (rules/board.hpp).
constexpr char only_kind = piece_of(Player::first).kind;

std::string one_kind_sign(const Notation& notation, Player player, bool unicode) {
  if (unicode) return is_light(notation, player) ? "○" : "●";
  const std::string_view letter = look_of(notation).letters[static_cast<std::size_t>(player)];
  if (!letter.empty()) return std::string(letter);
  return {notation.glyph(piece_of(player))};
}

}  // namespace

std::optional<Square> Picture::square_at(ScreenPoint place) const {
  const Square where{place.x, place.y};
  return squares.contains(where) ? squares[where] : std::nullopt;
}

Extent picture_size(const Notation& notation, PictureForm form, int rows) {
  const Geometry geometry = geometry_of(notation, form);
  const int shown = rows <= 0 ? geometry.rows : std::min(rows, geometry.rows);
  return {geometry.width(), geometry.height(shown)};
}

Picture draw(const Notation& notation, const Board& board, const PictureOptions& options) {
  return Painter(notation, board, options).paint();
}

int shown_row(const Notation& notation, Square square, bool flipped) {
  return flipped ? notation.coordinates().rows() - 1 - square.row : square.row;
}

std::string cell_sign(const Notation& notation, Square square, const Cell& cell, bool unicode) {
  if (cell.owner != Owner::nobody) {
    return cell.kind == only_kind ? one_kind_sign(notation, player_of(cell), unicode)
                                  : std::string{notation.glyph(cell)};
  }
  if (cell.kind != '.') return {cell.kind};
  if (is_strong(notation, square)) return unicode ? "┼" : "+";
  return unicode ? "·" : ".";
}

std::string player_sign(const Notation& notation, Player player, bool unicode) {
  const Board start = notation.initial();
  const bool kinds =
      count_cells(start, [](const Cell& c) { return c.owner != Owner::nobody && c.kind != only_kind; }) > 0;
  return kinds ? "" : one_kind_sign(notation, player, unicode);
}

Look cell_look(const Notation& notation, Square square, const Cell& cell) {
  if (cell.owner == Owner::first) return Look::first;
  if (cell.owner == Owner::second) return Look::second;
  if (cell.kind == 'x') return Look::block;
  return cell.kind != '.' || is_strong(notation, square) ? Look::special : Look::empty;
}

}  // namespace paika::terminal
