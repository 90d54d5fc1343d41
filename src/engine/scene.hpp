// Scene: what a page needs to draw any board of a spec, once: points or squares, lines, labels, pieces.
//
// It says what there is to see and where, in units of one square with x to the right and y downwards, and nothing of
// how turns are played; positions then come as grids and cells (engine/json.hpp, cells_json()).
#pragma once

#include <string_view>

#include "engine/json.hpp"

namespace paika {

/// {spec, game, title, cols, rows, shape: "points"|"squares", look: {ground, pieces, pieces_leave} (engine/look.hpp),
/// squares: [{name, x, y, mark?}], lines: [[from, to]],
///  columns: ["a", …] from the left, row_numbers: ["5", …] from the top, players: [{id, name, tone: "light"|"dark"} …],
///  pieces: [{glyph, owner, kind, name, card: [{text, clause}]}], signs: [{mark, card}], position, grid}. Texts for
///  people are English patterns that the catalogue of
/// a language (base/catalogue.hpp) has. A mark is "strong" for a strong point, else the sign of a special square.
[[nodiscard]] Json scene_json(const Game& game);
/// The same without cards, which are most of it where pieces have much to say: enough for a board that is only looked
/// at.
[[nodiscard]] Json outline_json(const Game& game);

/// What stands on the board: [{square, glyph, owner, kind}], row by row from the top.
[[nodiscard]] Json cells_json(const Notation& notation, const Board& board);

/// What pieces are at the moment: [{square, badge}], badge being "frozen", "paralysed", "charged" or "jet".
[[nodiscard]] Json badges_json(const Notation& notation, const Board& board);

/// The word for an owner in JSON: "first", "second", "nobody".
[[nodiscard]] std::string_view name(Owner owner) noexcept;
/// The same for a player.
[[nodiscard]] std::string_view player_id(Player player) noexcept;

}  // namespace paika
