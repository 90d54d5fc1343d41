#include "games/abalone/instances.hpp"
#include "games/abalone/search_traits.hpp"
#include "instances/abalone/module.hpp"
#include "instances/typed_engine.hpp"

namespace paika::abalone {

Result<GamePtr> open(std::string_view spec) {
  const auto options = read_options(spec);
  if (!options) return tl::unexpected(options.error());
  return with_rules(*options, [&]<class Shape>(const BitboardRules<Shape>& rules) {
    return make_game<BitboardTraits<Shape>>(info(), make_notation(*options), rules);
  });
}

}  // namespace paika::abalone
