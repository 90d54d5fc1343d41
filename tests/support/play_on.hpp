// Playing turns by chance, for tests that need positions of every kind.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "engine/game.hpp"

namespace paika_tests {

/// Plays up to `turns` turns, each by chance among the first thousand.
inline void play_on(paika::Session& session, int turns, paika::Random& random) {
  for (int i = 0; i < turns && !session.outcome().over(); ++i) {
    std::vector<paika::Turn> all;
    session.for_each_turn([&](const paika::ListedTurn& turn) {
      all.push_back(turn.steps);
      return all.size() < 1000;
    });
    session.play(all[random.index(all.size())]);
  }
}

}  // namespace paika_tests
