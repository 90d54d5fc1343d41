// Positions by chance, and the plain truth about their scores, for the tests of what the player knows.
#pragma once

#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "games/othello/search_traits.hpp"

namespace paika::othello {

template <class Shape>
std::vector<typename BitboardRules<Shape>::Move> moves_of(const BitboardRules<Shape>& rules,
                                                          const typename BitboardRules<Shape>::Position& p) {
  std::vector<typename BitboardRules<Shape>::Move> moves;
  rules.for_each_turn(p, [&](const auto& m) {
    moves.push_back(m);
    return true;
  });
  return moves;
}

/// A position of a game by chance with this many empty squares, not over.
template <class Shape>
typename BitboardRules<Shape>::Position random_position(const BitboardRules<Shape>& rules, int empties,
                                                        Random& random) {
  for (;;) {
    auto p = rules.initial();
    while (rules.shape().size() - (p.own | p.opponent).count() > empties && !rules.outcome(p).over()) {
      const auto moves = moves_of(rules, p);
      p = rules.play(p, moves[random.index(moves.size())]);
    }
    if (!rules.outcome(p).over()) return p;
  }
}

/// The score of perfect play, by trying everything.
template <class Shape>
int true_score(const BitboardTraits<Shape>& traits, const typename BitboardRules<Shape>::Position& p) {
  if (traits.rules().outcome(p).over()) return traits.final_score(p);
  int best = -evaluation_bound;
  for (const auto& m : moves_of(traits.rules(), p)) {
    best = std::max(best, -true_score(traits, traits.rules().play(p, m)));
  }
  return best;
}

}  // namespace paika::othello
