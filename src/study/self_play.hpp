// Games of the engine against itself, to fill databases with.
#pragma once

#include <stop_token>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "study/game_tree.hpp"

namespace paika::study {

struct SelfPlay {
  int random_plies = 6;  // moves by chance before the engine plays, so that games differ
  int max_turns = 500;   // a game of this many moves is drawn
};

/// A game of `engine`, which was made for `game`, against itself; without an engine all moves are by chance. Nothing if
/// it was stopped.
[[nodiscard]] std::optional<GameTree> self_play(const GamePtr& game, Engine* engine, Random& random,
                                                const SelfPlay& settings, const std::stop_token& stop);

}  // namespace paika::study
