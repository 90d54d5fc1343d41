#include "games/fanorona/instances.hpp"
#include "games/fanorona/search_traits.hpp"
#include "instances/fanorona/module.hpp"
#include "instances/typed_engine.hpp"

namespace paika::fanorona {

Result<GamePtr> open(std::string_view spec) {
  const auto options = read_options(spec);
  if (!options) return tl::unexpected(options.error());
  return with_rules(*options, [&]<class Shape>(const BitboardRules<Shape>& rules) {
    return make_game<BitboardTraits<Shape>>(info(), make_notation(*options), rules);
  });
}

}  // namespace paika::fanorona
