// Review: what perfect play says of every turn of a game, and the engine where perfect play is not known.
//
// Every turn is measured by the chances that it cost its player, from 0 to 100 per cent: a proven win is 100, a proven
// draw 50, a proven loss 0, and the engine's score is between (docs/study.md has the scale).
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/engine.hpp"
#include "engine/json.hpp"
#include "engine/move_value.hpp"
#include "play/record.hpp"

namespace paika::play {

/// How good a turn was, worst last.
enum class TurnGrade : unsigned char {
  best,    // nothing is better
  weaker,  // keeps the win, later than possible or by fewer discs; or loses sooner or by more than necessary; as far as
           // the engine can tell, costs some of the chances
  mistake  // gives away a win or a draw; as far as the engine can tell, costs many of the chances
};

struct ReviewedTurn {
  std::string text;
  Player player = Player::first;
  bool given = false;                 // part of the opening, not of the player's making
  std::optional<MoveValue> could;     // what the position was worth for the player; nothing: that is not certain
  std::optional<MoveValue> did;       // what the turn made of it
  std::optional<double> before;       // the player's chances, in per cent; nothing: nobody judged the turn
  std::optional<double> after;        // what the turn made of them
  TurnGrade grade = TurnGrade::best;  // of turns that were judged
  std::vector<std::string> better;    // the best turns, if this was none of them

  [[nodiscard]] bool judged() const { return before.has_value(); }
  /// How much of the chances it gave away, 0 to 100; 0 if nobody judged it.
  [[nodiscard]] double cost() const;

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
  double sum = 0;      // of the accuracies of the turns
  /// The mean of the accuracies of the turns, in per cent; 100 if there are none.
  [[nodiscard]] double per_cent() const noexcept;
};

/// The accuracy of a turn that gave away so much of the chances: 100 for nothing, 0 for everything.
[[nodiscard]] double accuracy_of(double cost) noexcept;
/// The chances of the side to move with a score of the engine, in per cent.
[[nodiscard]] double chances_of(int score) noexcept;

struct GameReview {
  std::vector<ReviewedTurn> turns;
  std::array<Accuracy, 2> players;  // by the order in which they move
  /// At most three turns, by their numbers from 0, that cost the most, the costliest first.
  std::vector<std::size_t> turning_points;
  /// The chances of the player who moves first, before each turn and at the end, where they are known.
  std::vector<std::optional<double>> chances;
};

/// Who judges a game.
struct ReviewRequest {
  Oracle oracle{};            // says what is certain; may be empty
  Engine* engine = nullptr;   // judges the rest; null: nobody does
  Milliseconds time{15'000};  // for all searches of the engine together
  /// For the oracle, which is asked from the end of the game backwards until the next position would probably take
  /// longer than what is left; the engine judges those before. Nothing: as long as it takes.
  std::optional<Milliseconds> oracle_time{};
  std::stop_token stop{};
  std::function<void(double part)> on_progress{};  // 0 to 1
};

/// So much for the oracle beside so much for the engine: a review of 15 seconds takes about 19.
[[nodiscard]] constexpr Milliseconds time_for_endings(Milliseconds time) { return time * 4 / 15; }

/// Has every turn of a record judged. Requires that `game` is the record's and that oracle and engine were made for it;
/// their errors are handed on. An error if it was stopped.
[[nodiscard]] Result<GameReview> review(const Game& game, const GameRecord& record, const ReviewRequest& request);

/// What the turn did, in a few words for people: "best: a draw", "threw away a win by 9: now a loss by 4, 13 discs
/// lost", "chances fell from 71 % to 40 %".
[[nodiscard]] std::string review_words(const ReviewedTurn& turn);

/// {moves, players, turning_points, chances}, the same on the command line and the network (docs/study.md).
[[nodiscard]] Json review_json(const GameReview& review);

}  // namespace paika::play
