// The fast rules for every size: three sizes fixed at compile time, two runtime shapes for the rest.
#pragma once

#include "games/othello/rules.hpp"

namespace paika::othello {

namespace detail {

template <class Shape, class F>
decltype(auto) with_shape(const Options& options, F&& f) {
  const BitboardRules<Shape> rules(options);
  return f(rules);
}

}  // namespace detail

/// Calls f(rules) with the fast rules for `options` and returns what it returns.
template <Grids Chosen = Grids::best, class F>
decltype(auto) with_rules(const Options& options, F&& f) {
  if constexpr (Chosen == Grids::best) {
    if (options.size == 8) return detail::with_shape<FixedShape<8, 8>>(options, f);
    if (options.size == 6) return detail::with_shape<FixedShape<6, 6>>(options, f);
    if (options.size == 10) return detail::with_shape<FixedShape<10, 10>>(options, f);
  } else {
    if (options.size <= 8) return detail::with_shape<RuntimeShape<64>>(options, f);
    if (options.size <= 10) return detail::with_shape<RuntimeShape<128>>(options, f);
  }
  if (options.size <= 16) return detail::with_shape<RuntimeShape<256>>(options, f);
  return detail::with_shape<RuntimeShape<704>>(options, f);
}

}  // namespace paika::othello
