#include "tools/tune/arena.hpp"

#include <array>

#include "base/text.hpp"

namespace paika::tune {

Result<std::unique_ptr<Arena>> open_arena(std::string_view spec) {
  const std::string_view game = spec.substr(0, spec.find(':'));
  if (game == "fanorona") return open_fanorona_arena(spec);
  if (game == "abalone") return open_abalone_arena(spec);
  if (game == "wildebeest") return open_wildebeest_arena(spec);
  const std::array<std::string, 3> games = {"fanorona", "abalone", "wildebeest"};
  return fail("{} is no game with a linear evaluation{}; these are {}", in_quotes(game), did_you_mean(game, games),
              listed(games, "and"));
}

}  // namespace paika::tune
