// The games of Paika's programs. Another program may define another list.
#include <array>

#include "instances/abalone/module.hpp"
#include "instances/fanorona/module.hpp"
#include "instances/othello/module.hpp"
#include "instances/wildebeest/module.hpp"

namespace paika {

std::span<const GameModule> game_modules() {
  static constexpr std::array modules = {fanorona::module, abalone::module, othello::module, wildebeest::module};
  return modules;
}

}  // namespace paika
