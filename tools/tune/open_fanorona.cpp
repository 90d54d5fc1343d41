#include "games/fanorona/instances.hpp"
#include "games/fanorona/search_traits.hpp"
#include "tools/tune/typed_arena.hpp"

namespace paika::tune {

Result<std::unique_ptr<Arena>> open_fanorona_arena(std::string_view spec) {
  const auto options = fanorona::read_options(spec);
  if (!options) return tl::unexpected(options.error());
  const bool repetition_draws = fanorona::make_notation(*options)->repetition_draws();
  return fanorona::with_rules(
      *options, [&]<class Shape>(const fanorona::BitboardRules<Shape>& rules) -> std::unique_ptr<Arena> {
        return std::make_unique<TypedArena<fanorona::BitboardTraits<Shape>>>(rules, repetition_draws);
      });
}

}  // namespace paika::tune
