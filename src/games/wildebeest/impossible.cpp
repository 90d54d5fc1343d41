// Positions that no game can lead to (rules 1.3 and 2): no piece is ever added to a side, and a Pawn
// or a King changes its kind the moment it comes to rest where it must.
#include "games/wildebeest/face.hpp"

namespace paika::wildebeest {

namespace {

/// Kinds that come from the same pieces of the initial board, and how many of these a side has.
struct Stock {
  std::string_view kinds;
  int most;
  std::string_view name;
};
constexpr std::array<Stock, 12> stocks = {{{"KW", 1, "one King, with or without a Jet Pack"},
                                           {"PH", 7, "seven Pawns and Time Machines together"},
                                           {"B", 2, "two Bishops"},
                                           {"N", 2, "two Knights"},
                                           {"R", 2, "two Rooks"},
                                           {"S", 1, "one Serpent"},
                                           {"OE", 1, "one Old Woman or Grand Empress"},
                                           {"J", 1, "one Prince Joey"},
                                           {"C", 1, "one Catapult"},
                                           {"G", 2, "two Gorillas"},
                                           {"X", 1, "one Golf Cart"},
                                           {"Z", 1, "one Beekeeper"}}};

}  // namespace

std::optional<Error> impossible(const Board& board) {
  for (const Player p : {Player::first, Player::second}) {
    for (const Stock& stock : stocks) {
      const int count = count_cells(board, [&](const Cell& cell) {
        return cell.belongs_to(p) && stock.kinds.find(cell.kind) != std::string_view::npos;
      });
      if (count <= stock.most) continue;
      return Error{fmt::format("{} has {} of the letters {}, but a side never has more than {}", side_name(p), count,
                               stock.kinds, stock.name)};
    }
    for (int col = 0; col < board_side; ++col) {
      const Cell& cell = board.cells[{col, far_row(p)}];
      if (!cell.belongs_to(p) || cell.kind != 'P') continue;
      return Error{fmt::format("row {}, column {} ({}{}): a {} Pawn here would have become a Time Machine", far_row(p),
                               col, static_cast<char>('a' + col), far_row(p), side_name(p))};
    }
  }
  if (board.cells[jet_pack].kind == 'K') {
    return Error{"row 5, column 5 (f5): a King here would have become a King with a Jet Pack (W)"};
  }
  return std::nullopt;
}

}  // namespace paika::wildebeest
