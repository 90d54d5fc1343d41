// The bitboard rules of Fanorona for the best shape of a board: the flagship sizes are fixed at compile
// time, all others use the smallest runtime shape that fits.
#pragma once

#include "games/fanorona/rules.hpp"

namespace paika::fanorona {

static_assert(Rules<BitboardRules<FixedShape<9, 5>>> && Rules<BitboardRules<FixedShape<5, 5>>>);
static_assert(Rules<BitboardRules<RuntimeShape<64>>> && Rules<BitboardRules<RuntimeShape<169>>>);
static_assert(sizeof(BitboardRules<FixedShape<9, 5>>::Move) <= 32,
              "moves of the standard board are kept in long lists");

/// Calls f(rules) with the bitboard rules for `options`. Requires options that read_options could give.
template <Grids Chosen = Grids::best, class F>
decltype(auto) with_rules(const Options& options, F&& f) {
  if constexpr (Chosen == Grids::best) {
    if (options.cols == 9 && options.rows == 5) return f(BitboardRules<FixedShape<9, 5>>(options));
    if (options.cols == 5 && options.rows == 5) return f(BitboardRules<FixedShape<5, 5>>(options));
  }
  const int size = options.cols * options.rows;
  if (size <= 64) return f(BitboardRules<RuntimeShape<64>>(options));
  return f(BitboardRules<RuntimeShape<169>>(options));
}

}  // namespace paika::fanorona
