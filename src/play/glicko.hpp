// Glicko-2: ratings that know how sure they are (Mark Glickman, "Example of the Glicko-2 system").
#pragma once

#include <span>

namespace paika::play {

struct Rating {
  double value = 1500;
  double deviation = 350;
  double volatility = 0.06;

  friend bool operator==(const Rating&, const Rating&) = default;
};

/// A game against somebody: score 1, 0.5 or 0.
struct RatedGame {
  Rating opponent;
  double score = 0;
};

/// The rating after the games of one rating period; without games only the deviation grows.
[[nodiscard]] Rating after_games(const Rating& rating, std::span<const RatedGame> games);

/// The chance to win against the other, from 0 to 1, with what is not known of both counted.
[[nodiscard]] double expected_score(const Rating& rating, const Rating& opponent);

}  // namespace paika::play
