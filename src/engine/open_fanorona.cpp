#include "engine/open.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/instances.hpp"

namespace paika {

Result<GamePtr> open_fanorona(std::string_view spec) {
  return open_typed(spec, fanorona::info(), fanorona::read_options, fanorona::make_face,
                    [](const fanorona::Options& options, auto&& use) { return fanorona::with_rules(options, use); });
}

}  // namespace paika
