#include "engine/open.hpp"
#include "games/abalone/game.hpp"
#include "games/abalone/instances.hpp"
#include "games/abalone/search_traits.hpp"

namespace paika {

namespace {

template <class R>
struct Known;
template <class Shape>
struct Known<abalone::BitboardRules<Shape>> {
  using Type = abalone::BitboardTraits<Shape>;
};
template <class R>
using TraitsOf = typename Known<R>::Type;

}  // namespace

Result<GamePtr> open_abalone(std::string_view spec) {
  return open_typed<TraitsOf>(
      spec, abalone::info(), abalone::read_options, abalone::make_notation,
      [](const abalone::Options& options, auto&& use) { return abalone::with_rules(options, use); });
}

}  // namespace paika
