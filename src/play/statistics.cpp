#include "play/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace paika::play {

namespace {

constexpr std::array<double, 5> pair_scores = {0, 0.25, 0.5, 0.75, 1};
/// Of the normal distribution: so many standard deviations hold 95 % of it.
constexpr double deviations = 1.959963984540054;
/// What counts as seen of a result that was not: a likelihood of zero would end every test.
constexpr double hardly_any = 1e-3;

using Distribution = std::array<double, 5>;

/// The distribution with score `score` that makes the observed one `seen` most likely.
///
/// It is seen[i] / (1 + x (a[i] - score)) for the x at which its score is right. The left side of that
/// equation falls with x, so halving finds it.
Distribution nearest_with_score(const Distribution& seen, double score) {
  double low = -1 / (1 - score);
  double high = 1 / score;
  constexpr int halvings = 200;
  for (int i = 0; i < halvings; ++i) {
    const double x = (low + high) / 2;
    double excess = 0;
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const double d = pair_scores[k] - score;
      excess += seen[k] * d / (1 + x * d);
    }
    (excess > 0 ? low : high) = x;
  }
  Distribution nearest{};
  for (std::size_t k = 0; k < seen.size(); ++k) {
    nearest[k] = seen[k] / (1 + (low + high) / 2 * (pair_scores[k] - score));
  }
  return nearest;
}

}  // namespace

std::uint64_t pairs_in(const PairCounts& counts) noexcept {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  return sum;
}

PairCounts mirrored(const PairCounts& counts) noexcept {
  PairCounts other = counts;
  std::reverse(other.begin(), other.end());
  return other;
}

double score_of(const PairCounts& counts) noexcept {
  const auto pairs = static_cast<double>(pairs_in(counts));
  if (pairs == 0) return 0.5;
  double sum = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) sum += pair_scores[k] * static_cast<double>(counts[k]);
  return sum / pairs;
}

double variance_of(const PairCounts& counts) noexcept {
  const auto pairs = static_cast<double>(pairs_in(counts));
  if (pairs == 0) return 0;
  const double score = score_of(counts);
  double sum = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    sum += (pair_scores[k] - score) * (pair_scores[k] - score) * static_cast<double>(counts[k]);
  }
  return sum / pairs;
}

double score_for_elo(double elo) noexcept { return 1 / (1 + std::pow(10, -elo / 400)); }

double elo_for_score(double score) noexcept {
  if (score <= 0) return -std::numeric_limits<double>::infinity();
  if (score >= 1) return std::numeric_limits<double>::infinity();
  return 400 * std::log10(score / (1 - score));
}

EloEstimate estimate_elo(const PairCounts& counts) noexcept {
  const auto pairs = static_cast<double>(pairs_in(counts));
  const double score = score_of(counts);
  const double deviation = pairs == 0 ? 0 : std::sqrt(variance_of(counts) / pairs);
  EloEstimate estimate;
  estimate.elo = elo_for_score(score);
  const double reach = deviation > 0 ? deviations * deviation : pairs == 0 ? 1 : 3 / pairs;
  estimate.low = elo_for_score(score - reach);
  estimate.high = elo_for_score(score + reach);
  if (deviation > 0) {
    estimate.los = std::erfc(-(score - 0.5) / (deviation * std::sqrt(2))) / 2;
  } else if (score != 0.5) {
    // Every pair went the same way; by chance alone that has probability 1/2 each time.
    const double luck = std::pow(0.5, pairs);
    estimate.los = score > 0.5 ? 1 - luck : luck;
  }
  return estimate;
}

double Sprt::lower_bound() const noexcept { return std::log(beta / (1 - alpha)); }
double Sprt::upper_bound() const noexcept { return std::log((1 - beta) / alpha); }

double log_likelihood_ratio(const PairCounts& counts, const Sprt& sprt) noexcept {
  if (pairs_in(counts) == 0) return 0;
  Distribution seen{};
  double pairs = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    seen[k] = std::max(static_cast<double>(counts[k]), hardly_any);
    pairs += seen[k];
  }
  for (double& part : seen) part /= pairs;
  const Distribution with0 = nearest_with_score(seen, score_for_elo(sprt.elo0));
  const Distribution with1 = nearest_with_score(seen, score_for_elo(sprt.elo1));
  double ratio = 0;
  for (std::size_t k = 0; k < seen.size(); ++k) ratio += seen[k] * std::log(with1[k] / with0[k]);
  return pairs * ratio;
}

SprtState sprt_state(const PairCounts& counts, const Sprt& sprt) noexcept {
  const double ratio = log_likelihood_ratio(counts, sprt);
  if (ratio >= sprt.upper_bound()) return SprtState::elo1_accepted;
  if (ratio <= sprt.lower_bound()) return SprtState::elo0_accepted;
  return SprtState::undecided;
}

}  // namespace paika::play
