#include "tools/tune/fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/check.hpp"

namespace paika::tune {

namespace {

using Vector = std::vector<double>;

/// A part of the samples, as rows. Neighbouring samples come from one game, so a split into long
/// stretches keeps games together.
struct View {
  const Samples* samples;
  std::size_t width;
  std::size_t begin;
  std::size_t end;

  [[nodiscard]] std::span<const float> row(std::size_t i) const { return {&samples->rows[i * width], width}; }
  [[nodiscard]] double result(std::size_t i) const { return static_cast<double>(samples->results[i]); }
};

double dot(std::span<const float> row, const Vector& w) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) sum += static_cast<double>(row[i]) * w[i];
  return sum;
}

double chance(double x) { return 1 / (1 + std::exp(-x)); }

double log_loss(const View& view, const Vector& w) {
  constexpr double tiny = 1e-9;
  double loss = 0;
  for (std::size_t i = view.begin; i < view.end; ++i) {
    const double p = std::clamp(chance(dot(view.row(i), w)), tiny, 1 - tiny);
    loss -= view.result(i) * std::log(p) + (1 - view.result(i)) * std::log(1 - p);
  }
  return loss / static_cast<double>(std::max<std::size_t>(1, view.end - view.begin));
}

/// Solves a x = b for a symmetric positive definite a (rows of the lower triangle; destroyed).
Vector solved(std::vector<Vector>& a, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

/// The gradient and the lower triangle of the second derivatives of the loss at `w`.
void derive(const View& view, const Vector& w, Vector& gradient, std::vector<Vector>& second) {
  std::vector<std::size_t> used;
  for (std::size_t i = view.begin; i < view.end; ++i) {
    const auto row = view.row(i);
    const double p = chance(dot(row, w));
    const double error = p - view.result(i);
    const double curve = std::max(p * (1 - p), 1e-4);
    used.clear();
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (row[j] != 0) used.push_back(j);
    }
    for (const std::size_t j : used) {
      const auto x = static_cast<double>(row[j]);
      gradient[j] += error * x;
      for (const std::size_t k : used) {
        if (k > j) break;
        second[j][k] += curve * x * static_cast<double>(row[k]);
      }
    }
  }
}

/// How much each column varies about zero.
Vector spreads(const View& view) {
  Vector squares(view.width);
  for (std::size_t i = view.begin; i < view.end; ++i) {
    const auto row = view.row(i);
    for (std::size_t j = 0; j < view.width; ++j)
      squares[j] += static_cast<double>(row[j]) * static_cast<double>(row[j]);
  }
  return squares;
}

/// Adds the pull towards `home`, and of the two weights of a feature towards being as far apart as there. The
/// pull is measured by how much a column varies, so that the unit of a feature does not matter.
void hold_back(const Vector& w, const Vector& home, const Vector& spread, double l2, Vector& gradient,
               std::vector<Vector>& second) {
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double pull = l2 * (spread[j] + 1);
    gradient[j] += pull * (w[j] - home[j]);
    second[j][j] += pull;
  }
  for (std::size_t j = 0; j + 1 < w.size(); j += 2) {
    const double pull = l2 * (spread[j] + spread[j + 1] + 2);
    const double apart = (w[j] - home[j]) - (w[j + 1] - home[j + 1]);
    gradient[j] += pull * apart;
    gradient[j + 1] -= pull * apart;
    second[j][j] += pull;
    second[j + 1][j + 1] += pull;
    second[j + 1][j] -= pull;
  }
}

Vector newton(const View& view, const Vector& home, double l2) {
  constexpr int steps = 25;
  const Vector spread = spreads(view);
  Vector w(view.width);
  for (int i = 0; i < steps; ++i) {
    Vector gradient(view.width);
    std::vector<Vector> second(view.width, Vector(view.width));
    derive(view, w, gradient, second);
    hold_back(w, home, spread, l2, gradient, second);
    const Vector by = solved(second, gradient);
    double largest = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {
      w[j] -= by[j];
      largest = std::max(largest, std::abs(by[j]));
    }
    if (largest < 1e-7) break;
  }
  return w;
}

/// The weights as the columns of a sample are: opening, ending, opening, …
Vector columns(const std::vector<Weight>& weights, double scale) {
  Vector out;
  for (const Weight& w : weights) {
    out.push_back(w.opening / (scale * weight_parts));
    out.push_back(w.ending / (scale * weight_parts));
  }
  return out;
}

/// The scale with which `weights` predict best: by golden section, since the loss has one minimum. Where
/// they predict next to nothing the best scale would be without bound, and scores out of all measure.
double best_scale(const View& view, const std::vector<Weight>& weights) {
  constexpr double ratio = 0.6180339887498949;
  constexpr double max_scale = 1000;
  double low = std::log(1.0);
  double high = std::log(max_scale);
  while (high - low > 1e-3) {
    const double a = high - ratio * (high - low);
    const double b = low + ratio * (high - low);
    const bool left = log_loss(view, columns(weights, std::exp(a))) < log_loss(view, columns(weights, std::exp(b)));
    (left ? high : low) = left ? b : a;
  }
  return std::exp(low);
}

}  // namespace

Fit fit(const Samples& samples, const FitPlan& plan) {
  const std::vector<Weight>& plain = plan.plain;
  const std::vector<Weight>& before = plan.before;
  const std::size_t width = 2 * plain.size();
  const std::size_t count = samples.results.size();
  PAIKA_CHECK(samples.rows.size() == count * width && count >= 100);
  const View train{&samples, width, 0, count * 9 / 10};
  const View test{&samples, width, count * 9 / 10, count};
  Fit out;
  out.samples = count;
  out.scale = best_scale(train, plan.home.empty() ? plain : plan.home);
  const Vector w = newton(train, plan.home.empty() ? Vector(width) : columns(plan.home, out.scale), plan.l2);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto bounded = [&](double x) { return std::clamp(x * out.scale, -max_weight, max_weight); };
    out.weights.push_back(weight(bounded(w[2 * i]), bounded(w[2 * i + 1])));
  }
  out.loss_plain = log_loss(test, columns(plain, best_scale(train, plain)));
  out.loss_before = log_loss(test, columns(before, best_scale(train, before)));
  out.loss_after = log_loss(test, columns(out.weights, out.scale));
  return out;
}

}  // namespace paika::tune
