// What Wildebeest's tables are called.
#pragma once

#include <string>

#include "games/wildebeest/game.hpp"

namespace paika::wildebeest {

[[nodiscard]] std::string table_label(const Options& options);

}  // namespace paika::wildebeest
