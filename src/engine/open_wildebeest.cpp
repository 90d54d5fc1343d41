#include "engine/open.hpp"
#include "games/wildebeest/game.hpp"
#include "games/wildebeest/instances.hpp"
#include "games/wildebeest/search_traits.hpp"

namespace paika {

namespace {

template <class R>
using TraitsOf = wildebeest::BitboardTraits;

}  // namespace

Result<GamePtr> open_wildebeest(std::string_view spec) {
  return open_typed<TraitsOf>(
      spec, wildebeest::info(), wildebeest::read_options, wildebeest::make_notation,
      [](const wildebeest::Options& options, auto&& use) { return wildebeest::with_rules(options, use); });
}

}  // namespace paika
