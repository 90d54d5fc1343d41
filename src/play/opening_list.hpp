// Lists of openings in files: positions from which the games of a match begin, as `paika openings` writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/game.hpp"

namespace paika::play {

struct OpeningList {
  GamePtr game;
  std::vector<std::string> starts;  // positions' texts, at least one; the game is over in none of them
};

/// Reads one opening per line: POSITION, or MOVES<TAB>POSITION and perhaps more columns. The position alone counts: the
/// turns only tell people how it came about. Blank lines and lines that begin with # mean nothing. What the spec leaves
/// open is taken from the first position (open_game_for). An error names the line.
[[nodiscard]] Result<OpeningList> read_opening_list(std::string_view spec, std::string_view text);

}  // namespace paika::play
