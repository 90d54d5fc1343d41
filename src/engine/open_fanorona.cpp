#include "engine/open.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/instances.hpp"
#include "games/fanorona/search_traits.hpp"

namespace paika {

namespace {

template <class R>
struct Known;
template <class Shape>
struct Known<fanorona::BitboardRules<Shape>> {
  using Type = fanorona::BitboardTraits<Shape>;
};
template <class R>
using TraitsOf = typename Known<R>::Type;

}  // namespace

Result<GamePtr> open_fanorona(std::string_view spec) {
  return open_typed<TraitsOf>(
      spec, fanorona::info(), fanorona::read_options, fanorona::make_notation,
      [](const fanorona::Options& options, auto&& use) { return fanorona::with_rules(options, use); });
}

}  // namespace paika
