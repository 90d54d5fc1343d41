#include "engine/open.hpp"
#include "games/othello/game.hpp"
#include "games/othello/instances.hpp"
#include "games/othello/search_traits.hpp"

namespace paika {

namespace {

template <class R>
struct Known;
template <class Shape>
struct Known<othello::BitboardRules<Shape>> {
  using Type = othello::BitboardTraits<Shape>;
};
template <class R>
using TraitsOf = typename Known<R>::Type;

}  // namespace

Result<GamePtr> open_othello(std::string_view spec) {
  return open_typed<TraitsOf>(
      spec, othello::info(), othello::read_options, othello::make_notation,
      [](const othello::Options& options, auto&& use) { return othello::with_rules(options, use); });
}

}  // namespace paika
