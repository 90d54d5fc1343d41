// Statistics of matches: what a score is worth in Elo, how sure it is, and when a test is decided.
//
// Games are counted in pairs: both games of a pair begin from the same opening with colours swapped,
// so their results depend on each other, and only pairs are independent. The five results of a pair
// (0, 1/2, 1, 3/2, 2 points) give the variance that single games would get wrong.
#pragma once

#include <array>
#include <cstdint>

namespace paika::play {

/// How many pairs gave 0, 1/2, 1, 3/2 and 2 points for the player in question.
using PairCounts = std::array<std::uint64_t, 5>;

[[nodiscard]] std::uint64_t pairs_in(const PairCounts& counts) noexcept;

/// The same pairs as the opponent sees them.
[[nodiscard]] PairCounts mirrored(const PairCounts& counts) noexcept;

/// The average score of a game, 0 to 1; 1/2 for no pairs.
[[nodiscard]] double score_of(const PairCounts& counts) noexcept;
/// The variance of the score of a pair, on the scale 0 to 1.
[[nodiscard]] double variance_of(const PairCounts& counts) noexcept;

/// The score that a player who is `elo` stronger expects, 0 to 1.
[[nodiscard]] double score_for_elo(double elo) noexcept;
/// The inverse; infinite for scores of 0 and 1.
[[nodiscard]] double elo_for_score(double score) noexcept;

/// A strength with its error bars.
struct EloEstimate {
  double elo = 0;
  double low = 0;  // the 95 % interval
  double high = 0;
  double los = 0.5;  // the likelihood that the player is the stronger one
};

/// The estimate from pairs. Where all pairs gave the same, the interval is that of the rule of three:
/// anything else happens in at most 3 of so many pairs. Without pairs everything is possible.
[[nodiscard]] EloEstimate estimate_elo(const PairCounts& counts) noexcept;

/// A sequential test of "the player is elo0 stronger" against "it is elo1 stronger".
struct Sprt {
  double elo0 = 0;
  double elo1 = 0;      // not elo0
  double alpha = 0.05;  // the risk of taking elo1 when elo0 is true
  double beta = 0.05;   // … and the other way round

  [[nodiscard]] double lower_bound() const noexcept;
  [[nodiscard]] double upper_bound() const noexcept;
};

enum class SprtState : unsigned char { undecided, elo0_accepted, elo1_accepted };

/// The logarithm of the generalised likelihood ratio of the two hypotheses: each is represented by the
/// distribution of pairs nearest to the observed one among those with its score.
[[nodiscard]] double log_likelihood_ratio(const PairCounts& counts, const Sprt& sprt) noexcept;

[[nodiscard]] SprtState sprt_state(const PairCounts& counts, const Sprt& sprt) noexcept;

}  // namespace paika::play
