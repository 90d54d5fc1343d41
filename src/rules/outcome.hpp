// Outcome: is the game over, who won, and by which of the ways a game can end.
#pragma once

#include <string>
#include <string_view>

#include "base/phrase.hpp"
#include "rules/player.hpp"

namespace paika {

/// The ways a position can be final, over all games.
enum class EndReason : unsigned char {
  none,        // still going on
  eliminated,  // a side has no piece left
  captures,    // a side made the captures it needed
  trapped,     // the player to move has no legal turn
  move_limit,  // the number of moves allowed has been played
  repetition,  // a position occurred for the third time
  board_full,  // no empty square is left
  blocked,     // neither side can play although squares are empty
  king_lost,   // a side has no king
  kings_lost,  // both sides lost their kings in one turn
  empty_board  // there was never a piece to play with
};

enum class Verdict : unsigned char { ongoing, first_wins, second_wins, draw };

struct Outcome {
  Verdict verdict = Verdict::ongoing;
  EndReason reason = EndReason::none;

  [[nodiscard]] static constexpr Outcome win(Player winner, EndReason reason) noexcept {
    return {winner == Player::first ? Verdict::first_wins : Verdict::second_wins, reason};
  }
  [[nodiscard]] static constexpr Outcome draw(EndReason reason) noexcept { return {Verdict::draw, reason}; }

  [[nodiscard]] constexpr bool over() const noexcept { return verdict != Verdict::ongoing; }
  [[nodiscard]] constexpr bool won_by(Player p) const noexcept {
    return verdict == (p == Player::first ? Verdict::first_wins : Verdict::second_wins);
  }
  /// Who won. Requires that somebody did.
  [[nodiscard]] constexpr Player winner() const noexcept {
    return won_by(Player::first) ? Player::first : Player::second;
  }
  friend constexpr bool operator==(const Outcome&, const Outcome&) = default;
};

/// The words for JSON and messages: "ongoing", "first_wins", …; "eliminated", "captures", …
[[nodiscard]] std::string_view name(Verdict verdict) noexcept;
[[nodiscard]] std::string_view name(EndReason reason) noexcept;

/// A reason in a few words for people: "no piece left".
[[nodiscard]] Phrase reason_phrase(EndReason reason);

/// An ending in words: "White wins: Black has no stone left", and the clause that says so.
struct Ending {
  Phrase sentence;
  std::string clause;
};

}  // namespace paika
