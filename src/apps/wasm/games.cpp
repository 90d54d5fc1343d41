// The games of the engine in the browser, which has neither tables of perfect play nor proofs.
#include <array>

#include "instances/abalone/module.hpp"
#include "instances/fanorona/module.hpp"
#include "instances/othello/module.hpp"
#include "instances/wildebeest/module.hpp"

namespace paika {

std::span<const GameModule> game_modules() {
  static constexpr std::array modules = {without_solvers(fanorona::module), without_solvers(abalone::module),
                                         without_solvers(othello::module), without_solvers(wildebeest::module)};
  return modules;
}

}  // namespace paika
