#include "play/glicko.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace paika::play {

namespace {

// The letters are those of the paper: mu and phi are a rating and its deviation on the scale of the computation.

constexpr double points_per_unit = 173.7178;
constexpr double middle = 1500;
constexpr double tau = 0.5;  // how quickly volatility may change; the paper wants 0.3 to 1.2
constexpr double near_enough = 0.000001;
/// The search for the volatility halves its interval or better; a few rounds do for every real rating.
constexpr int max_rounds = 200;

double mu_of(const Rating& rating) { return (rating.value - middle) / points_per_unit; }
double phi_of(const Rating& rating) { return rating.deviation / points_per_unit; }

/// How much a game counts whose opponent is known so well.
double weight(double phi) { return 1 / std::sqrt(1 + 3 * phi * phi / (std::numbers::pi * std::numbers::pi)); }

double chance(double mu, double opponent_mu, double opponent_phi) {
  return 1 / (1 + std::exp(-weight(opponent_phi) * (mu - opponent_mu)));
}

/// What the games of a period say, put together.
struct Evidence {
  double variance = 0;  // v
  double surprise = 0;  // the sum of g(phi_j) * (s_j - E_j)
};

Evidence evidence_of(const Rating& rating, std::span<const RatedGame> games) {
  double information = 0;
  Evidence evidence;
  for (const RatedGame& game : games) {
    const double g = weight(phi_of(game.opponent));
    // A game that only one could win tells next to nothing; told to be nothing at all, it would divide by zero.
    const double e = std::clamp(chance(mu_of(rating), mu_of(game.opponent), phi_of(game.opponent)), 1e-9, 1 - 1e-9);
    information += g * g * e * (1 - e);
    evidence.surprise += g * (game.score - e);
  }
  evidence.variance = 1 / information;
  return evidence;
}

/// Step 5 of the paper: the volatility at which the function f below is zero, by the Illinois algorithm.
double new_volatility(const Rating& rating, double variance, double delta) {
  const double phi = phi_of(rating);
  const double a = std::log(rating.volatility * rating.volatility);
  const auto f = [&](double x) {
    const double e = std::exp(x);
    const double sum = phi * phi + variance + e;
    return e * (delta * delta - sum) / (2 * sum * sum) - (x - a) / (tau * tau);
  };
  double low = a;
  double high = 0;
  if (delta * delta > phi * phi + variance) {
    high = std::log(delta * delta - phi * phi - variance);
  } else {
    int k = 1;
    while (f(a - k * tau) < 0 && k < max_rounds) ++k;
    high = a - k * tau;
  }
  double at_low = f(low);
  double at_high = f(high);
  for (int round = 0; round < max_rounds && std::abs(high - low) > near_enough; ++round) {
    const double next = low + (low - high) * at_low / (at_high - at_low);
    const double at_next = f(next);
    if (at_next * at_high <= 0) {
      low = high;
      at_low = at_high;
    } else {
      at_low /= 2;
    }
    high = next;
    at_high = at_next;
  }
  return std::exp(low / 2);
}

/// Nobody is less known than somebody new.
double kept_in_bounds(double deviation) { return std::min(deviation, Rating{}.deviation); }

}  // namespace

Rating after_games(const Rating& rating, std::span<const RatedGame> games) {
  Rating after = rating;
  const double phi = phi_of(rating);
  if (games.empty()) {
    after.deviation = kept_in_bounds(points_per_unit * std::hypot(phi, rating.volatility));
    return after;
  }
  const Evidence evidence = evidence_of(rating, games);
  after.volatility = new_volatility(rating, evidence.variance, evidence.variance * evidence.surprise);
  const double before_games = std::hypot(phi, after.volatility);
  const double new_phi = 1 / std::sqrt(1 / (before_games * before_games) + 1 / evidence.variance);
  after.value = rating.value + points_per_unit * new_phi * new_phi * evidence.surprise;
  after.deviation = kept_in_bounds(points_per_unit * new_phi);
  return after;
}

double expected_score(const Rating& rating, const Rating& opponent) {
  return chance(mu_of(rating), mu_of(opponent), std::hypot(phi_of(rating), phi_of(opponent)));
}

}  // namespace paika::play
