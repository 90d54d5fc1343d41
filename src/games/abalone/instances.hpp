// Which shape the bitboard rules of Abalone use: fixed for the flagship sizes, else the smallest that fits.
#pragma once

#include <utility>

#include "games/abalone/rules.hpp"

namespace paika::abalone {

/// Calls f(rules) with the bitboard rules for these options and returns what f returns.
template <Grids Chosen = Grids::best, class F>
decltype(auto) with_rules(const Options& options, F&& f) {
  constexpr int largest = max_rows * max_cols;
  const int size = options.rows * options.cols;
  if constexpr (Chosen == Grids::best) {
    if (options.rows == 4 && options.cols == 4) return std::forward<F>(f)(BitboardRules<FixedShape<4, 4>>(options));
    if (options.rows == 5 && options.cols == 5) return std::forward<F>(f)(BitboardRules<FixedShape<5, 5>>(options));
  }
  if (size <= 64) return std::forward<F>(f)(BitboardRules<RuntimeShape<64>>(options));
  if (size <= 256) return std::forward<F>(f)(BitboardRules<RuntimeShape<256>>(options));
  return std::forward<F>(f)(BitboardRules<RuntimeShape<largest>>(options));
}

}  // namespace paika::abalone
