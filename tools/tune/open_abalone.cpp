#include "games/abalone/instances.hpp"
#include "games/abalone/search_traits.hpp"
#include "tools/tune/typed_arena.hpp"

namespace paika::tune {

Result<std::unique_ptr<Arena>> open_abalone_arena(std::string_view spec) {
  const auto options = abalone::read_options(spec);
  if (!options) return tl::unexpected(options.error());
  const bool repetition_draws = abalone::make_notation(*options)->repetition_draws();
  return abalone::with_rules(
      *options, [&]<class Shape>(const abalone::BitboardRules<Shape>& rules) -> std::unique_ptr<Arena> {
        return std::make_unique<TypedArena<abalone::BitboardTraits<Shape>>>(rules, repetition_draws);
      });
}

}  // namespace paika::tune
