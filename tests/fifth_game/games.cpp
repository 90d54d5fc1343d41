// The list of games of the program with a fifth one.
#include <array>

#include "instances/abalone/module.hpp"
#include "instances/fanorona/module.hpp"
#include "instances/othello/module.hpp"
#include "instances/wildebeest/module.hpp"
#include "module.hpp"

namespace paika {

std::span<const GameModule> game_modules() {
  static constexpr std::array modules = {fanorona::module, abalone::module, othello::module, wildebeest::module,
                                         tictactoe::module};
  return modules;
}

}  // namespace paika
