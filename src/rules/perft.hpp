// Perft: how many lines of exactly `depth` turns there are; a finished game has no turns.
#pragma once

#include <concepts>
#include <cstdint>

#include "rules/concepts.hpp"

namespace paika {

/// Rules that count lines of two turns and more faster than by playing all but the last of them.
template <class R>
concept CountsLines = requires(const R& rules, const typename R::Position& p, int depth) {
  { rules.count_lines(p, depth) } -> std::same_as<std::uint64_t>;
};

/// Lines of exactly `depth` turns from `p`. The last ply, or more, is counted, not played.
template <Rules R>
[[nodiscard]] std::uint64_t perft(const R& rules, const typename R::Position& p, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return rules.count_turns(p);
  if constexpr (CountsLines<R>) {
    return rules.count_lines(p, depth);
  }
  std::uint64_t nodes = 0;
  rules.for_each_turn(p, [&](const typename R::Move& m) {
    nodes += perft(rules, rules.play(p, m), depth - 1);
    return true;
  });
  return nodes;
}

/// Games that are over after fewer than `depth` turns from `p`, counted by lines.
template <Rules R>
[[nodiscard]] std::uint64_t finished_before(const R& rules, const typename R::Position& p, int depth) {
  if (depth <= 0) return 0;
  if (rules.outcome(p).over()) return 1;
  if (depth == 1) return 0;
  std::uint64_t games = 0;
  visit_turns(rules, p, [&](const typename R::Move& m) {
    games += finished_before(rules, rules.play(p, m), depth - 1);
    return true;
  });
  return games;
}

}  // namespace paika
