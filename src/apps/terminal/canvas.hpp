// Canvas: everything that is on the screen at one moment, as a grid of styled characters.
//
// Screens are composed on a canvas and only then shown, so that they can be looked at in tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/terminal/characters.hpp"
#include "apps/terminal/picture.hpp"

namespace paika::terminal {

/// The text cut to at most `width` columns; the last one says so where something is missing.
[[nodiscard]] std::string cut_to(std::string_view text, int width, bool unicode);
/// The text in lines of at most `width` columns, broken at blanks where there are any. At least one line.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, int width);

class Canvas {
 public:
  Canvas() = default;
  explicit Canvas(Extent size);

  [[nodiscard]] Extent size() const noexcept { return size_; }
  /// Requires a place on the canvas.
  [[nodiscard]] const PictureCell& at(ScreenPoint place) const;
  /// Writes a text to the right from a place; what lies off the canvas is left out, and control characters
  /// are shown as '?'. Returns the column after it.
  int put(ScreenPoint place, std::string_view text, Look look = Look::text, Mark mark = Mark::none);
  void put(ScreenPoint place, const Picture& picture);
  /// Empties a rectangle and draws a frame round its inside.
  void box(ScreenPoint corner, Extent size, bool unicode);
  /// The characters alone, a line each, without blanks at the ends of lines.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] bool contains(ScreenPoint place) const noexcept;
  /// Fills a cell, if it is on the canvas; a wide character that is covered by half goes.
  void set(ScreenPoint place, PictureCell content);
  [[nodiscard]] PictureCell& cell(ScreenPoint place);

  Extent size_;
  std::vector<PictureCell> cells_;
};

}  // namespace paika::terminal
