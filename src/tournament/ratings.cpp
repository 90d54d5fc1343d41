#include "tournament/ratings.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace paika::tournament {

namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

constexpr double prior_games = 1;
constexpr double elo_per_unit = 173.71779276130073;  // 400 / ln 10
constexpr double normal_95 = 1.959963984540054;

double expected(double difference) { return 1 / (1 + std::exp(-difference)); }

/// The inverse of a symmetric positive definite matrix, by Gauss and Jordan.
Matrix inverse(Matrix a) {
  const std::size_t n = a.size();
  Matrix out(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) out[i][i] = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = a[i][i];
    for (std::size_t k = 0; k < n; ++k) {
      a[i][k] /= pivot;
      out[i][k] /= pivot;
    }
    for (std::size_t j = 0; j < n; ++j) {
      const double factor = a[j][i];
      if (j == i || factor == 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        a[j][k] -= factor * a[i][k];
        out[j][k] -= factor * out[i][k];
      }
    }
  }
  return out;
}

/// The slope of the likelihood's logarithm at `x`, and its curvature with the sign turned.
std::pair<Vector, Matrix> slope_and_curvature(const Vector& x, const std::vector<Encounter>& encounters) {
  const std::size_t n = x.size();
  Vector slope(n, 0);
  Matrix curvature(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    const double p = expected(x[i]);
    slope[i] += prior_games * (0.5 - p);
    curvature[i][i] += prior_games * p * (1 - p);
  }
  for (const Encounter& e : encounters) {
    const double p = expected(x[e.a] - x[e.b]);
    slope[e.a] += e.points - e.games * p;
    slope[e.b] -= e.points - e.games * p;
    const double weight = e.games * p * (1 - p);
    curvature[e.a][e.a] += weight;
    curvature[e.b][e.b] += weight;
    curvature[e.a][e.b] -= weight;
    curvature[e.b][e.a] -= weight;
  }
  return {slope, curvature};
}

/// Newton's steps, none longer than `longest`: the function is concave, so they lead to its top.
Vector best_fit(std::size_t players, const std::vector<Encounter>& encounters) {
  constexpr int max_steps = 100;
  constexpr double longest = 1;
  constexpr double enough = 1e-9;
  Vector x(players, 0);
  for (int step = 0; step < max_steps; ++step) {
    const auto [slope, curvature] = slope_and_curvature(x, encounters);
    const Matrix inverted = inverse(curvature);
    Vector move(players, 0);
    double largest = 0;
    for (std::size_t i = 0; i < players; ++i) {
      for (std::size_t j = 0; j < players; ++j) move[i] += inverted[i][j] * slope[j];
      largest = std::max(largest, std::abs(move[i]));
    }
    const double scale = largest > longest ? longest / largest : 1;
    for (std::size_t i = 0; i < players; ++i) x[i] += scale * move[i];
    if (largest < enough) break;
  }
  return x;
}

double average(const Vector& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

Ratings::Ratings(std::size_t players, const std::vector<Encounter>& encounters) {
  const Vector x = best_fit(players, encounters);
  const double middle = average(x);
  for (const double value : x) elo_.push_back((value - middle) * elo_per_unit);
  // What all have in common is not known and does not matter: it is taken out of rows and columns.
  covariance_ = inverse(slope_and_curvature(x, encounters).second);
  for (Vector& row : covariance_) {
    const double mean = average(row);
    for (double& value : row) value = (value - mean) * elo_per_unit * elo_per_unit;
  }
  for (std::size_t j = 0; j < players; ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < players; ++i) mean += covariance_[i][j] / static_cast<double>(players);
    for (std::size_t i = 0; i < players; ++i) covariance_[i][j] -= mean;
  }
}

double Ratings::error(std::size_t player) const {
  return normal_95 * std::sqrt(std::max(covariance_[player][player], 0.0));
}

double Ratings::superiority(std::size_t a, std::size_t b) const {
  const double variance = covariance_[a][a] + covariance_[b][b] - covariance_[a][b] - covariance_[b][a];
  if (variance <= 0) return 0.5;
  return 0.5 * std::erfc(-(elo_[a] - elo_[b]) / std::sqrt(2 * variance));
}

}  // namespace paika::tournament
