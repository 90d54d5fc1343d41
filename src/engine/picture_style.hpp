// Picture styles: how boards and pieces look, by game and theme. Measures are in units of the drawing.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "engine/look.hpp"
#include "engine/picture.hpp"
#include "rules/notation.hpp"

namespace paika {

/// The colours of one ground in one theme.
struct Palette {
  std::string_view frame;
  std::string_view label;
  std::string_view board;
  std::string_view shade;  // hollows, and the darker squares
  std::string_view line;
  std::string_view light_rim;  // around pieces of White
  std::string_view dark_rim;   // around pieces of Black
  std::string_view arrow;      // the last turn
  std::string_view cross;      // what it took
};

struct PictureStyle {
  PictureTheme theme = PictureTheme::wood;
  Ground ground = Ground::chequered;
  PieceShape pieces = PieceShape::figure;
  Palette palette;
  std::string prefix;               // of the ids in the drawing, so that several can stand in one page
  std::array<bool, 2> light{};      // by player: the pieces are light
  std::array<bool, 2> points_up{};  // by player: the pieces face upwards on the unturned board

  /// Pieces have letters.
  [[nodiscard]] bool letters() const noexcept { return pieces == PieceShape::figure; }
  [[nodiscard]] bool flat() const noexcept { return theme == PictureTheme::plain; }
};

/// The side of a square.
inline constexpr int picture_cell = 60;

[[nodiscard]] PictureStyle style_of(const Notation& notation, PictureTheme theme);

/// The id of the drawing of a player's piece; of nobody's where there is no player.
[[nodiscard]] std::string piece_id(const PictureStyle& style, Owner owner);

/// <defs> with the pieces, each around the origin, and what they need. `flipped` turns those that have a front.
[[nodiscard]] std::string definitions(const PictureStyle& style, bool flipped);

}  // namespace paika
