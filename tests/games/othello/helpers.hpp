// What the tests of Black & White share: boards drawn row by row, and short ways to ask the notation.
#pragma once

#include "games/othello/instances.hpp"
#include "tests/support/game.hpp"

namespace paika::othello {

using TestGame = paika_tests::TestGame<read_options>;
using paika_tests::contains;
using paika_tests::Texts;

/// The rows run together with the side to move behind them: the text form of a position.
inline std::string text_of(const std::vector<std::string>& rows, char side) {
  std::string text;
  for (const auto& row : rows) text += row;
  return text + ' ' + side;
}

/// A position of the game on the board that is drawn, and questions about it.
class Drawn {
 public:
  Drawn(const std::vector<std::string>& rows, char side) : Drawn(static_cast<int>(rows.size()), text_of(rows, side)) {}
  Drawn(int size, const std::string& text) : game_(Options{size}), board_(game_.board(text)) {}

  [[nodiscard]] const Notation& notation() const { return game_.notation(); }
  [[nodiscard]] const Board& board() const { return board_; }
  [[nodiscard]] Turn turn(const std::string& text) const { return game_.turn(text); }
  [[nodiscard]] Refusal refusal(const std::string& text) const { return game_.refusal(board_, text); }
  [[nodiscard]] Refusal refusal(const Turn& turn) const { return game_.refusal(board_, turn); }
  [[nodiscard]] Texts turns() const { return game_.listed(board_); }
  [[nodiscard]] Outcome outcome() const { return game_.outcome(board_); }
  [[nodiscard]] std::string ending() const { return game_.ending(board_); }
  [[nodiscard]] std::string after(const std::string& text) const { return game_.after(board_, text); }
  [[nodiscard]] std::string names(const std::vector<Square>& squares) const { return game_.names(squares); }

 private:
  TestGame game_;
  Board board_;
};

/// White has b3 alone, which encloses nothing; Black can place on a2 and a3.
inline const std::vector<std::string> white_must_pass = {
    "------",  //
    "------",  //
    "-OXXXX",  //
    "--XX--",  //
    "---X--",  //
    "----X-",
};

/// Neither side can place a pawn.
inline const std::vector<std::string> nobody_can_place = {
    "------",  //
    "------",  //
    "OXXXXX",  //
    "--XX--",  //
    "------",  //
    "------",
};

}  // namespace paika::othello
