// The bitboard rules for given options. There is one size, so there is one instance.
#pragma once

#include <utility>

#include "games/wildebeest/rules.hpp"

namespace paika::wildebeest {

/// Calls f(rules). There are no grids to choose from: the size is fixed by rules 1.1.
template <class F>
decltype(auto) with_rules(const Options& options, F&& f) {
  return std::forward<F>(f)(BitboardRules(options));
}

}  // namespace paika::wildebeest
