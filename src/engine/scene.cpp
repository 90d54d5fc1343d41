#include "engine/scene.hpp"

#include <array>
#include <string>

#include "engine/board_lines.hpp"

namespace paika {

namespace {

Json squares_json(const GameFace& face, const Grid<Cell>& cells) {
  Json squares = Json::array();
  cells.for_each_square([&](Square s) {
    Json square{{"name", face.coordinates().name(s)}, {"x", s.col}, {"y", s.row}};
    if (is_strong(face, s)) {
      square["mark"] = "strong";
    } else if (const char sign = face.empty_cell(s).kind; sign != Cell{}.kind) {
      square["mark"] = std::string(1, sign);
    }
    squares.push_back(std::move(square));
  });
  return squares;
}

/// Every line once, from the square that comes first.
Json lines_json(const GameFace& face, const Grid<Cell>& cells) {
  constexpr std::array onwards = {Direction::e, Direction::sw, Direction::s, Direction::se};
  Json lines = Json::array();
  cells.for_each_square([&](Square s) {
    for (const Direction d : onwards) {
      const Square to = step(s, d);
      if (face.joined(s, to)) lines.push_back({face.coordinates().name(s), face.coordinates().name(to)});
    }
  });
  return lines;
}

Json piece_json(const GameFace& face, const Cell& cell) {
  return {{"glyph", std::string(1, face.glyph(cell))},
          {"owner", name(cell.owner)},
          {"kind", std::string(1, cell.kind)},
          {"name", face.kind_phrase(cell).english()}};
}

}  // namespace

std::string_view name(Owner owner) noexcept {
  switch (owner) {
    case Owner::first: return "first";
    case Owner::second: return "second";
    case Owner::nobody: break;
  }
  return "nobody";
}

std::string_view player_id(Player player) noexcept { return name(owner_of(player)); }

Json scene_json(const Game& game) {
  const GameFace& face = game.face();
  const Coordinates& names = face.coordinates();
  const Board start = face.initial();
  Json scene{{"spec", face.spec()}, {"game", game.info().name}, {"title", game.info().title}};
  scene["cols"] = names.cols();
  scene["rows"] = names.rows();
  scene["shape"] = has_lines(face) ? "points" : "squares";
  scene["squares"] = squares_json(face, start.cells);
  scene["lines"] = lines_json(face, start.cells);
  Json& columns = scene["columns"] = Json::array();
  for (int col = 0; col < names.cols(); ++col) columns.push_back(std::string(1, names.column_letter(col)));
  Json& rows = scene["row_numbers"] = Json::array();
  for (int row = 0; row < names.rows(); ++row) rows.push_back(fmt::to_string(names.row_number(row)));
  Json& players = scene["players"] = Json::array();
  for (const Player p : {Player::first, Player::second}) {
    players.push_back({{"id", player_id(p)}, {"name", face.player_name(p)}});
  }
  Json& pieces = scene["pieces"] = Json::array();
  for (const Cell& cell : face.all_pieces()) pieces.push_back(piece_json(face, cell));
  scene["position"] = face.position_text(start);
  scene["grid"] = grid_json(face, start);
  return scene;
}

Json badges_json(const GameFace& face, const Board& board) {
  Json badges = Json::array();
  for (const Badge& badge : face.badges(board)) {
    badges.push_back({{"square", face.coordinates().name(badge.square)}, {"badge", name(badge.kind)}});
  }
  return badges;
}

Json cells_json(const GameFace& face, const Board& board) {
  Json cells = Json::array();
  board.cells.for_each_square([&](Square s) {
    const Cell& cell = board.cells[s];
    if (cell == face.empty_cell(s)) return;
    cells.push_back({{"square", face.coordinates().name(s)},
                     {"glyph", std::string(1, face.glyph(cell))},
                     {"owner", name(cell.owner)},
                     {"kind", std::string(1, cell.kind)}});
  });
  return cells;
}

}  // namespace paika
