// Review: what perfect play says of every turn of a game.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/move_value.hpp"
#include "play/record.hpp"

namespace paika::play {

/// How good a turn was, worst last.
enum class TurnGrade : unsigned char {
  best,    // nothing is better
  weaker,  // keeps the win, later than possible or by fewer discs; or loses sooner or by more than necessary
  mistake  // gives away a win or a draw
};

struct ReviewedTurn {
  std::string text;
  Player player = Player::first;
  bool given = false;                 // part of the opening, not of the player's making
  std::optional<MoveValue> could;     // what the position was worth for the player; nothing: it was not judged
  std::optional<MoveValue> did;       // what the turn made of it
  TurnGrade grade = TurnGrade::best;  // of turns with both values
  std::vector<std::string> better;    // the best turns, if this was none of them

  /// How many discs it gave away; 0 where discs do not count.
  [[nodiscard]] int discs_lost() const;
};

/// How a player did, over the turns of their own that were judged.
struct Accuracy {
  int turns = 0;
  int best = 0;
  int weaker = 0;
  int mistakes = 0;
  int discs_lost = 0;  // where discs count
  /// Turns that kept the value, in per cent; 100 if there are none.
  [[nodiscard]] double per_cent() const noexcept;
};

struct GameReview {
  std::vector<ReviewedTurn> turns;
  std::array<Accuracy, 2> players;  // by the order in which they move
};

/// Has every turn of a record judged. Requires that `game` is the record's and that the judge was made for it; its
/// errors are handed on.
[[nodiscard]] Result<GameReview> review(const Game& game, const GameRecord& record, const Oracle& oracle);

/// What the turn did, in a few words for people: "best: a draw", "threw away a win by 9: now a loss by 4, 13 discs
/// lost".
[[nodiscard]] std::string review_words(const ReviewedTurn& turn);

}  // namespace paika::play
