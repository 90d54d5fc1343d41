// Positions that no game can lead to (rules 1.3 and 2): no piece is ever added to a side, and a Pawn
// or a King changes its kind the moment it comes to rest where it must.
#include "games/wildebeest/notation.hpp"

namespace paika::wildebeest {

namespace {

/// Kinds that come from the same pieces of the initial board, and how many of these a side has.
struct Stock {
  std::string_view kinds;
  int most;
  const char* name;  // translatable
};
constexpr std::array<Stock, 12> stocks = {{{"KW", 1, translatable("one King, with or without a Jet Pack")},
                                           {"PH", 7, translatable("seven Pawns and Time Machines together")},
                                           {"B", 2, translatable("two Bishops")},
                                           {"N", 2, translatable("two Knights")},
                                           {"R", 2, translatable("two Rooks")},
                                           {"S", 1, translatable("one Serpent")},
                                           {"OE", 1, translatable("one Old Woman or Grand Empress")},
                                           {"J", 1, translatable("one Prince Joey")},
                                           {"C", 1, translatable("one Catapult")},
                                           {"G", 2, translatable("two Gorillas")},
                                           {"X", 1, translatable("one Golf Cart")},
                                           {"Z", 1, translatable("one Beekeeper")}}};

}  // namespace

std::optional<Error> impossible(const Board& board) {
  for (const Player p : {Player::first, Player::second}) {
    for (const Stock& stock : stocks) {
      const int count = count_cells(board, [&](const Cell& cell) {
        return cell.belongs_to(p) && stock.kinds.find(cell.kind) != std::string_view::npos;
      });
      if (count <= stock.most) continue;
      return fail(phrase("{} has {} of the letters {}, but a side never has more than {}", phrase_of(side_name(p)),
                         count, stock.kinds, phrase_of(stock.name)))
          .value();
    }
    for (int col = 0; col < board_side; ++col) {
      const Cell& cell = board.cells[{col, far_row(p)}];
      if (!cell.belongs_to(p) || cell.kind != 'P') continue;
      const std::string square = fmt::format("{}{}", static_cast<char>('a' + col), far_row(p));
      return fail(p == Player::first
                      ? phrase("row {}, column {} ({}): a White Pawn here would have become a Time Machine", far_row(p),
                               col, square)
                      : phrase("row {}, column {} ({}): a Black Pawn here would have become a Time Machine", far_row(p),
                               col, square))
          .value();
    }
  }
  if (board.cells[jet_pack].kind == 'K') {
    return fail(phrase("row 5, column 5 (f5): a King here would have become a King with a Jet Pack (W)")).value();
  }
  return std::nullopt;
}

}  // namespace paika::wildebeest
