// Review: what a table of perfect play says of every turn of a game.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/tables.hpp"
#include "play/record.hpp"

namespace paika::play {

/// How good a turn was, worst last.
enum class TurnGrade : unsigned char {
  best,    // nothing is better
  slower,  // keeps the win, later than possible; or loses sooner than necessary
  mistake  // gives away a win or a draw
};

struct ReviewedTurn {
  std::string text;
  Player player = Player::first;
  bool given = false;                 // part of the opening, not of the player's making
  std::optional<Value> could;         // what the position was worth for the player; nothing: not in the table
  std::optional<Value> did;           // what the turn made of it
  TurnGrade grade = TurnGrade::best;  // of turns with both values
  std::vector<std::string> better;    // the best turns, if this was none of them
};

/// How a player did, over the turns of their own that the table knows.
struct Accuracy {
  int turns = 0;
  int best = 0;
  int slower = 0;
  int mistakes = 0;
  /// Turns that kept the value, in per cent; 100 if there are none.
  [[nodiscard]] double per_cent() const noexcept;
};

struct GameReview {
  std::vector<ReviewedTurn> turns;
  std::array<Accuracy, 2> players;  // by the order in which they move
};

/// Looks every turn of a record up. Requires that the book is of the record's game. An error if the table is damaged.
[[nodiscard]] Result<GameReview> review(const GameRecord& record, TableBook& book);

/// What the turn did, in a few words for people: "best", "threw away a win in 9: now lost in 4".
[[nodiscard]] std::string review_words(const ReviewedTurn& turn);

}  // namespace paika::play
