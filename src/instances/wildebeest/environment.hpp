// The environments of Wildebeest for programs that learn.
#pragma once

#include "engine/environment.hpp"
#include "games/wildebeest/game.hpp"

namespace paika::wildebeest {

[[nodiscard]] Result<std::unique_ptr<BatchEnvironment>> open_environment(std::string_view spec,
                                                                         const EnvironmentSettings& settings);

inline constexpr EnvironmentModule environment{.info = info, .open = open_environment};

}  // namespace paika::wildebeest
