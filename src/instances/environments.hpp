// What opens the environments of a game for programs that learn: paika::<game>::open_environment, defined in
// src/instances/<game>/environment.cpp, which instantiates the game's templates.
#pragma once

#include <memory>
#include <string_view>

#include "engine/environment.hpp"

namespace paika {

using OpenEnvironment = Result<std::unique_ptr<BatchEnvironment>>(std::string_view spec,
                                                                  const EnvironmentSettings& settings);

}  // namespace paika
