// What the tests of Black & White share: boards drawn row by row, and short ways to ask the face.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "games/othello/instances.hpp"

namespace paika::othello {

/// The rows run together with the side to move behind them: the text form of a position.
inline std::string text_of(const std::vector<std::string>& rows, char side) {
  std::string text;
  for (const auto& row : rows) text += row;
  return text + ' ' + side;
}

/// The game on the board that is drawn, and questions about it in the words of its text forms.
class Drawn {
 public:
  Drawn(const std::vector<std::string>& rows, char side) : Drawn(static_cast<int>(rows.size()), text_of(rows, side)) {}
  Drawn(int size, const std::string& text) : options_{size}, face_(make_face(options_)) {
    const auto read = face_->parse_position(text);
    if (!read) ADD_FAILURE() << read.error().message;
    board_ = read ? *read : face_->initial();
  }

  [[nodiscard]] const GameFace& face() const { return *face_; }
  [[nodiscard]] const Board& board() const { return board_; }

  [[nodiscard]] Turn turn(const std::string& text) const {
    const auto read = face_->parse_turn(board_, text);
    if (!read) ADD_FAILURE() << read.error().message;
    return read ? *read : Turn{};
  }
  [[nodiscard]] std::optional<Refusal> refusal(const std::string& text) const {
    return face_->refuse(board_, turn(text));
  }
  /// The legal turns by the fast half, in its order.
  [[nodiscard]] std::vector<std::string> turns() const {
    return with_rules(options_, [&](const auto& rules) {
      std::vector<std::string> texts;
      const auto p = rules.from_board(board_);
      rules.for_each_turn(p, [&](const auto& m) {
        texts.push_back(face_->turn_text(board_, rules.to_turn(p, m)));
        return true;
      });
      return texts;
    });
  }
  [[nodiscard]] Outcome outcome() const {
    return with_rules(options_, [&](const auto& rules) { return rules.outcome(rules.from_board(board_)); });
  }
  /// The text of the position after a legal turn, by the fast half.
  [[nodiscard]] std::string after(const std::string& text) const {
    return with_rules(options_, [&](const auto& rules) {
      const auto p = rules.from_board(board_);
      return face_->position_text(rules.to_board(rules.play(p, rules.from_turn(p, turn(text)))));
    });
  }
  [[nodiscard]] std::string names(const std::vector<Square>& squares) const {
    std::vector<std::string> names;
    for (const Square s : squares) names.push_back(face_->coordinates().name(s));
    return fmt::format("{}", fmt::join(names, " "));
  }

 private:
  Options options_;
  std::unique_ptr<GameFace> face_;
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
