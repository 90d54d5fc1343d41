// Tic-tac-toe, the game that tests add to the four: a game is plugged in at one place (docs/adding-a-game.md).
//
// The rules, by the clauses that the code cites:
//   1.1  The board has 3x3 squares, a1 at the bottom left. Cross begins.
//   2.1  A turn puts one's sign on an empty square.
//   3.1  Three own signs in a row, column or diagonal win. A full board without such a line is a draw.
//   4.1  A position is its rows from the top, "x", "o" or "." a square, divided by "/", and the side to move:
//   ".../.x./... o".
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "rules/notation.hpp"
#include "rules/spec.hpp"

namespace paika::tictactoe {

struct Options {
  friend bool operator==(const Options&, const Options&) = default;
};

[[nodiscard]] const GameInfo& info();
[[nodiscard]] Result<Options> read_options(std::string_view spec);
[[nodiscard]] std::string canonical_spec(const Options& options);
[[nodiscard]] std::unique_ptr<Notation> make_notation(const Options& options);

}  // namespace paika::tictactoe
