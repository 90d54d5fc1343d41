// The fast half for given options. There is one size, so there is one instance.
#pragma once

#include <utility>

#include "games/wildebeest/rules.hpp"

namespace paika::wildebeest {

enum class Grids : bool { best, runtime };

/// Calls f(rules). Both kinds of grids are the same here: the size is fixed by rules 1.1.
template <class F>
decltype(auto) with_rules(const Options& options, F&& f, Grids /*grids*/ = Grids::best) {
  return std::forward<F>(f)(FastRules(options));
}

}  // namespace paika::wildebeest
