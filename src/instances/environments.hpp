// What opens the environments of each game for programs that learn (environments.cpp lists them). A function is defined
// in src/instances/<game>/environment.cpp, which instantiates the game's templates.
#pragma once

#include <memory>
#include <string_view>

#include "engine/environment.hpp"

namespace paika {

using OpenEnvironment = Result<std::unique_ptr<BatchEnvironment>>(std::string_view spec,
                                                                  const EnvironmentSettings& settings);

namespace abalone {
[[nodiscard]] OpenEnvironment open_environment;
}
namespace fanorona {
[[nodiscard]] OpenEnvironment open_environment;
}
namespace othello {
[[nodiscard]] OpenEnvironment open_environment;
}
namespace wildebeest {
[[nodiscard]] OpenEnvironment open_environment;
}

}  // namespace paika
