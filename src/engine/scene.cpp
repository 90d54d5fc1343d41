#include "engine/scene.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/board_lines.hpp"
#include "engine/module.hpp"
#include "engine/tone.hpp"

namespace paika {

namespace {

Json squares_json(const Notation& notation, const Grid<Cell>& cells) {
  Json squares = Json::array();
  cells.for_each_square([&](Square s) {
    Json square{{"name", notation.coordinates().name(s)}, {"x", s.col}, {"y", s.row}};
    if (is_strong(notation, s)) {
      square["mark"] = "strong";
    } else if (const char sign = notation.empty_cell(s).kind; sign != Cell{}.kind) {
      square["mark"] = std::string(1, sign);
    }
    squares.push_back(std::move(square));
  });
  return squares;
}

/// Every line once, from the square that comes first.
Json lines_json(const Notation& notation, const Grid<Cell>& cells) {
  constexpr std::array onwards = {Direction::e, Direction::sw, Direction::s, Direction::se};
  Json lines = Json::array();
  cells.for_each_square([&](Square s) {
    for (const Direction d : onwards) {
      const Square to = step(s, d);
      if (notation.joined(s, to)) lines.push_back({notation.coordinates().name(s), notation.coordinates().name(to)});
    }
  });
  return lines;
}

Json card_json(const Notation& notation, const Cell& cell) {
  Json card = Json::array();
  for (const RuleNote& note : notation.card(cell)) {
    card.push_back({{"text", note.text.english()}, {"clause", note.clause}});
  }
  return card;
}

Json piece_json(const Notation& notation, const Cell& cell) {
  return {{"glyph", std::string(1, notation.glyph(cell))},
          {"owner", name(cell.owner)},
          {"kind", std::string(1, cell.kind)},
          {"name", notation.kind_phrase(cell).english()},
          {"card", card_json(notation, cell)}};
}

/// What special squares do, by their signs; a sign without a card is only drawn.
Json signs_json(const Notation& notation, const Grid<Cell>& cells) {
  Json signs = Json::array();
  std::string known;
  cells.for_each_square([&](Square s) {
    const Cell cell = notation.empty_cell(s);
    if (cell == Cell{} || known.find(cell.kind) != std::string::npos) return;
    known += cell.kind;
    if (Json card = card_json(notation, cell); !card.empty()) {
      signs.push_back({{"mark", std::string(1, cell.kind)}, {"card", std::move(card)}});
    }
  });
  return signs;
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
  const Notation& notation = game.notation();
  const Coordinates& names = notation.coordinates();
  const Board start = notation.initial();
  Json scene{{"spec", notation.spec()}, {"game", game.info().name}, {"title", game.info().title}};
  scene["cols"] = names.cols();
  scene["rows"] = names.rows();
  scene["shape"] = has_lines(notation) ? "points" : "squares";
  const BoardLook& look = module_of(game).look;
  scene["look"] = {{"ground", name(look.ground)}, {"pieces", name(look.pieces)}, {"pieces_leave", look.pieces_leave}};
  scene["squares"] = squares_json(notation, start.cells);
  scene["lines"] = lines_json(notation, start.cells);
  Json& columns = scene["columns"] = Json::array();
  for (int col = 0; col < names.cols(); ++col) columns.push_back(std::string(1, names.column_letter(col)));
  Json& rows = scene["row_numbers"] = Json::array();
  for (int row = 0; row < names.rows(); ++row) rows.push_back(fmt::to_string(names.row_number(row)));
  Json& players = scene["players"] = Json::array();
  for (const Player p : {Player::first, Player::second}) {
    players.push_back(
        {{"id", player_id(p)}, {"name", notation.player_name(p)}, {"tone", is_light(notation, p) ? "light" : "dark"}});
  }
  Json& pieces = scene["pieces"] = Json::array();
  for (const Cell& cell : notation.all_pieces()) pieces.push_back(piece_json(notation, cell));
  scene["signs"] = signs_json(notation, start.cells);
  scene["position"] = notation.position_text(start);
  scene["grid"] = grid_json(notation, start);
  return scene;
}

Json outline_json(const Game& game) {
  Json scene = scene_json(game);
  for (Json& piece : scene["pieces"]) piece["card"] = Json::array();
  scene["signs"] = Json::array();
  return scene;
}

Json badges_json(const Notation& notation, const Board& board) {
  Json badges = Json::array();
  for (const Badge& badge : notation.badges(board)) {
    badges.push_back({{"square", notation.coordinates().name(badge.square)}, {"badge", name(badge.kind)}});
  }
  return badges;
}

Json cells_json(const Notation& notation, const Board& board) {
  Json cells = Json::array();
  board.cells.for_each_square([&](Square s) {
    const Cell& cell = board.cells[s];
    if (cell == notation.empty_cell(s)) return;
    cells.push_back({{"square", notation.coordinates().name(s)},
                     {"glyph", std::string(1, notation.glyph(cell))},
                     {"owner", name(cell.owner)},
                     {"kind", std::string(1, cell.kind)}});
  });
  return cells;
}

}  // namespace paika
