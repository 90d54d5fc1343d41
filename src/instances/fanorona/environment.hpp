// The environments of Fanorona for programs that learn.
#pragma once

#include "engine/environment.hpp"
#include "games/fanorona/game.hpp"

namespace paika::fanorona {

[[nodiscard]] Result<std::unique_ptr<BatchEnvironment>> open_environment(std::string_view spec,
                                                                         const EnvironmentSettings& settings);

inline constexpr EnvironmentModule environment{.info = info, .open = open_environment};

}  // namespace paika::fanorona
