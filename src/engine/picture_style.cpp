#include "engine/picture_style.hpp"

#include <fmt/format.h>

#include "engine/module.hpp"
#include "engine/scene.hpp"
#include "engine/tone.hpp"

namespace paika {

namespace {

constexpr std::string_view light_centre = "#fdfbf5";
constexpr std::string_view light_edge = "#cbc3b1";
constexpr std::string_view dark_centre = "#5d5f66";
constexpr std::string_view dark_edge = "#131419";

Palette wooden(Ground ground) {
  Palette p{"#8a5a2b", "#fff3dc", "#e6c48f", "#cfa873", "#5b3a1a", "#4a3a28", "#000000", "#1864ab", "#c92a2a"};
  switch (ground) {
    case Ground::points: break;
    case Ground::hollows:
      p.frame = "#6e4423";
      p.board = "#c8955c";
      p.shade = "#9c6836";
      break;
    case Ground::grid:
      p.frame = "#5a3a1e";
      p.board = "#2f8552";
      p.line = "#17452b";
      p.arrow = "#ffd43b";
      p.cross = "#ff8787";
      break;
    case Ground::chequered:
      p.frame = "#6b4526";
      p.board = "#f1dfbd";
      break;
  }
  return p;
}

Palette palette_of(Ground ground, PictureTheme theme) {
  switch (theme) {
    case PictureTheme::wood: return wooden(ground);
    case PictureTheme::plain:
      return {"#ffffff", "#222222", "#ffffff", "#e3e3e3", "#222222", "#000000", "#000000", "#1864ab", "#c92a2a"};
    case PictureTheme::dark:
      return {"#16181d", "#c9d1dc", ground == Ground::grid ? "#234a38" : "#2a2f38",
              "#3b4350", "#7d8796", "#0c0d10",
              "#b4bcc8", "#4dabf7", "#ff6b6b"};
  }
  return {};
}

/// True if the player's pieces begin in the lower half: they face upwards.
bool begins_below(const Notation& notation, Player player) {
  const Board start = notation.initial();
  int balance = 0;
  start.cells.for_each_square([&](Square s) {
    if (start.cells[s].belongs_to(player)) balance += 2 * s.row + 1 - start.cells.rows();
  });
  return balance > 0;
}

/// What fills a piece: a flat colour, or a gradient from `centre` to `edge`.
std::string gradient(const PictureStyle& style, std::string_view id, std::string_view centre, std::string_view edge) {
  return fmt::format(R"(<radialGradient id="{}{}" cx="0.38" cy="0.32" r="0.75"><stop offset="0" stop-color="{}"/>)"
                     R"(<stop offset="1" stop-color="{}"/></radialGradient>)",
                     style.prefix, id, centre, edge);
}

std::string fill_of(const PictureStyle& style, bool light) {
  if (style.flat()) return light ? "#ffffff" : "#222222";
  return fmt::format("url(#{}{})", style.prefix, light ? "light" : "dark");
}

/// A stone, a marble or a pawn with two faces.
std::string round_piece(const PictureStyle& style, bool light) {
  const std::string_view rim = light ? style.palette.light_rim : style.palette.dark_rim;
  const int radius = style.pieces == PieceShape::marble ? 26 : 23;
  std::string out;
  if (style.pieces == PieceShape::disc && !style.flat()) {
    out += fmt::format(R"(<circle cy="3" r="{}" fill="{}"/>)", radius, light ? dark_edge : light_edge);
  } else if (!style.flat()) {
    out += fmt::format(R"(<circle cx="2" cy="4" r="{}" fill="#000000" opacity="0.3"/>)", radius);
  }
  out += fmt::format(R"(<circle r="{}" fill="{}" stroke="{}" stroke-width="2"/>)", radius, fill_of(style, light), rim);
  if (style.pieces == PieceShape::marble && !style.flat()) {
    out +=
        fmt::format(R"(<ellipse cx="-8" cy="-11" rx="8" ry="5" fill="#ffffff" opacity="{}"/>)", light ? "0.9" : "0.45");
  }
  return out;
}

/// A tile whose tip is its front: it tells the owner by shape as well.
std::string tile(const PictureStyle& style, bool light, bool up) {
  const std::string_view rim = light ? style.palette.light_rim : style.palette.dark_rim;
  const std::string_view shape = up ? "M0-27 20-15 24 24-24 24-20-15Z" : "M0 27 20 15 24-24-24-24-20 15Z";
  std::string out;
  if (!style.flat()) {
    out += fmt::format(R"svg(<path d="{}" fill="#000000" opacity="0.3" transform="translate(2 3)"/>)svg", shape);
  }
  return out + fmt::format(R"(<path d="{}" fill="{}" stroke="{}" stroke-width="2" stroke-linejoin="round"/>)", shape,
                           fill_of(style, light), rim);
}

/// A piece of nobody: it only blocks its place.
std::string block(const PictureStyle& style) {
  return fmt::format(
      R"(<circle r="22" fill="{0}" fill-opacity="0.6" stroke="{1}" stroke-width="3" stroke-dasharray="7 5"/>)"
      R"(<path d="M-11-11 11 11M11-11-11 11" stroke="{1}" stroke-width="5" stroke-linecap="round"/>)",
      style.palette.board, style.palette.line);
}

}  // namespace

PictureStyle style_of(const Notation& notation, PictureTheme theme) {
  PictureStyle style;
  style.theme = theme;
  const BoardLook& look = look_of(notation);
  style.ground = look.ground;
  style.pieces = look.pieces;
  style.palette = palette_of(style.ground, theme);
  style.prefix = fmt::format("{}-{}-", name(theme), static_cast<int>(style.ground));
  for (const Player p : {Player::first, Player::second}) {
    style.light[static_cast<std::size_t>(p)] = is_light(notation, p);
    style.points_up[static_cast<std::size_t>(p)] = begins_below(notation, p);
  }
  return style;
}

std::string piece_id(const PictureStyle& style, Owner owner) { return fmt::format("{}{}", style.prefix, name(owner)); }

std::string definitions(const PictureStyle& style, bool flipped) {
  std::string out = "<defs>";
  if (!style.flat()) {
    out += gradient(style, "light", light_centre, light_edge);
    out += gradient(style, "dark", dark_centre, dark_edge);
  }
  for (const Player p : {Player::first, Player::second}) {
    const bool light = style.light[static_cast<std::size_t>(p)];
    const bool up = style.points_up[static_cast<std::size_t>(p)] != flipped;
    out += fmt::format(R"(<g id="{}">{}</g>)", piece_id(style, owner_of(p)),
                       style.letters() ? tile(style, light, up) : round_piece(style, light));
  }
  out += fmt::format(R"(<g id="{}">{}</g>)", piece_id(style, Owner::nobody), block(style));
  return out + "</defs>\n";
}

}  // namespace paika
