#include "engine/open.hpp"
#include "games/othello/game.hpp"
#include "games/othello/instances.hpp"

namespace paika {

Result<GamePtr> open_othello(std::string_view spec) {
  return open_typed(spec, othello::info(), othello::read_options, othello::make_face,
                    [](const othello::Options& options, auto&& use) { return othello::with_rules(options, use); });
}

}  // namespace paika
