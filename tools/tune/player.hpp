// Players as the command line names them: which weights, and what differs from the usual search.
#pragma once

#include <string_view>

#include "tools/tune/arena.hpp"

namespace paika::tune {

/// Reads "tuned", "plain" or the path of a weights file, followed by changes separated by commas:
/// "plain,null_move=1,first_reduced=4,table=0". Names are those of SearchParams and of the switches.
[[nodiscard]] Result<Player> read_player(std::string_view text, const Arena& arena);

}  // namespace paika::tune
