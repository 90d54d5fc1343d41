#include "engine/open.hpp"
#include "games/wildebeest/game.hpp"
#include "games/wildebeest/instances.hpp"

namespace paika {

Result<GamePtr> open_wildebeest(std::string_view spec) {
  return open_typed(
      spec, wildebeest::info(), wildebeest::read_options, wildebeest::make_face,
      [](const wildebeest::Options& options, auto&& use) { return wildebeest::with_rules(options, use); });
}

}  // namespace paika
