// The environments of the Python package, in the order of games.cpp. They are a library of their own: the program has
// no use for them.
#include <array>

#include "instances/abalone/environment.hpp"
#include "instances/fanorona/environment.hpp"
#include "instances/othello/environment.hpp"
#include "instances/wildebeest/environment.hpp"

namespace paika {

std::span<const EnvironmentModule> environment_modules() {
  static constexpr std::array modules = {fanorona::environment, abalone::environment, othello::environment,
                                         wildebeest::environment};
  return modules;
}

}  // namespace paika
