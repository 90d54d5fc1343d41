#include "games/wildebeest/instances.hpp"
#include "games/wildebeest/search_traits.hpp"
#include "tools/tune/typed_arena.hpp"

namespace paika::tune {

Result<std::unique_ptr<Arena>> open_wildebeest_arena(std::string_view spec) {
  const auto options = wildebeest::read_options(spec);
  if (!options) return tl::unexpected(options.error());
  const bool repetition_draws = wildebeest::make_notation(*options)->repetition_draws();
  return wildebeest::with_rules(*options, [&](const auto& rules) -> std::unique_ptr<Arena> {
    return std::make_unique<TypedArena<wildebeest::BitboardTraits>>(rules, repetition_draws);
  });
}

}  // namespace paika::tune
