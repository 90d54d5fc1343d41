// An engine that plays from a table of perfect play where there is one, and searches otherwise.
#pragma once

#include <memory>

#include "engine/engine.hpp"

namespace paika {

/// An engine for `game` that uses the table for it in the folder of the settings; `searcher` itself if there is none.
/// At a level below the full one it searches, and the upper levels look endgames up on the way (search/level.hpp). A
/// damaged table is as good as none. In a drawn position the search chooses among the turns that keep the draw; so it
/// does among those that win by a table without distances.
[[nodiscard]] std::unique_ptr<Engine> with_tables(const Game& game, std::unique_ptr<Engine> searcher,
                                                  const SearchSettings& settings);

}  // namespace paika
