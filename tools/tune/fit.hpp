// Fitting weights to results: logistic regression, solved by Newton's method.
//
// The chance to win is taken to be 1 / (1 + exp(-value / scale)). The scale is fitted first, with the
// plain weights (or those that the fit is held to); the tuned weights are then given in the same measure, so
// that a tuned 100 means the same chances as one piece more did on the average.
#pragma once

#include <cstddef>
#include <vector>

#include "rules/linear.hpp"
#include "tools/tune/arena.hpp"

namespace paika::tune {

struct Fit {
  std::vector<Weight> weights;
  double scale = 0;         // of the plain weights, or of those the fit is held to
  double loss_plain = 0;    // log-loss on samples that were not fitted to
  double loss_before = 0;   // … of the weights that the games were played with
  double loss_after = 0;    // … of the result
  std::size_t samples = 0;  // all of them
};

struct FitPlan {
  std::vector<Weight> plain;
  std::vector<Weight> before;  // the weights that the games were played with
  /// Where weights stay of which the samples say nothing; if empty, at zero.
  std::vector<Weight> home;
  /// How strongly weights are held to their home, and the two weights of a feature together.
  double l2 = 0;
};

/// Fits to nine tenths of the samples and reports the log-loss on the rest.
[[nodiscard]] Fit fit(const Samples& samples, const FitPlan& plan);

}  // namespace paika::tune
