#include "games/wildebeest/search_traits.hpp"
#include "instances/typed_engine.hpp"
#include "instances/wildebeest/module.hpp"

namespace paika::wildebeest {

Result<GamePtr> open(std::string_view spec) {
  const auto options = read_options(spec);
  if (!options) return tl::unexpected(options.error());
  return make_game<BitboardTraits>(info(), make_notation(*options), BitboardRules(*options));
}

}  // namespace paika::wildebeest
