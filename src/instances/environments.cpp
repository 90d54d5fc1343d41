// The environments of the Python package, in the order of games.cpp. They are a library of their own: the program has
// no use for them.
#include "instances/environments.hpp"

#include <array>

#include "games/abalone/game.hpp"
#include "games/fanorona/game.hpp"
#include "games/othello/game.hpp"
#include "games/wildebeest/game.hpp"

namespace paika {

std::span<const EnvironmentModule> environment_modules() {
  static constexpr std::array<EnvironmentModule, 4> modules = {{{fanorona::info, fanorona::open_environment},
                                                                {abalone::info, abalone::open_environment},
                                                                {othello::info, othello::open_environment},
                                                                {wildebeest::info, wildebeest::open_environment}}};
  return modules;
}

}  // namespace paika
