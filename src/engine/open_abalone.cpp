#include "engine/open.hpp"
#include "games/abalone/game.hpp"
#include "games/abalone/instances.hpp"

namespace paika {

Result<GamePtr> open_abalone(std::string_view spec) {
  return open_typed(spec, abalone::info(), abalone::read_options, abalone::make_face,
                    [](const abalone::Options& options, auto&& use) { return abalone::with_rules(options, use); });
}

}  // namespace paika
