// Who says what turns are worth: the table of a game, or for Othello a search to the end.
#pragma once

#include <string>

#include "engine/move_value.hpp"

namespace paika::apps {

/// The judge for a game; an error if it needs a table and there is none.
[[nodiscard]] Result<Oracle> open_oracle(const Game& game, const std::string& asked_folder, int max_empty);

}  // namespace paika::apps
