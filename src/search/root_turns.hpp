// The turns at the root of a search, and what is known of the game before it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "search/candidates.hpp"
#include "search/types.hpp"

namespace paika {

/// What is known of the game before the root, for repetitions. Empty where they do not draw.
struct PastKeys {
  bool draws = false;                // whether the third occurrence of a position is a draw
  std::vector<std::uint64_t> twice;  // keys of positions that occurred twice or more before the root
};

/// A turn that a symmetry of the root makes out of another one: it is worth the same.
template <class Move>
struct TwinTurn {
  Move move;
  Symmetry symmetry;  // maps the other turn to this one
};

/// A turn at the root with the line that it begins.
template <class Move>
struct RootTurn {
  Candidate<Move> candidate;
  int score = -infinite_score;     // of this depth; -infinite_score if it was only proven worse
  int previous = -infinite_score;  // of an earlier depth
  std::vector<Move> line;
  std::vector<TwinTurn<Move>> twins;  // not searched themselves
  int shortest = 0;                   // the score once its distance is known to be that of best play; else 0

  /// The score of this depth, or of the last one that had one.
  [[nodiscard]] int best_known() const {
    if (shortest != 0) return shortest;
    return score != -infinite_score ? score : previous;
  }
};

/// Sorts a part of the root's turns by key(turn), largest first; equal ones keep their order. Most are
/// in order already, so each that is not is moved to its place.
template <class Move, class Key>
void sort_turns(std::vector<RootTurn<Move>>& turns, std::size_t from, std::size_t to, Key&& key) {
  const auto at = [&turns](std::size_t i) { return turns.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto better = [&key](const auto& a, const auto& b) { return key(a) > key(b); };
  for (std::size_t i = from + 1; i < to; ++i) {
    if (!better(turns[i], turns[i - 1])) continue;
    std::rotate(std::upper_bound(at(from), at(i), turns[i], better), at(i), at(i + 1));
  }
}

/// Keeps one of the turns that a symmetry of the root maps to each other; the others become its twins.
/// Requires that no position has occurred twice: else one of two that look alike may be about to draw.
template <class Rules>
void join_twins(const Rules& rules, const typename Rules::Position& root, const std::vector<Symmetry>& symmetries,
                std::vector<RootTurn<typename Rules::Move>>& turns) {
  std::vector<Symmetry> own;
  for (const Symmetry s : symmetries) {
    if (!s.swap_players && s.map != Dihedral::identity && rules.transform(root, s) == root) own.push_back(s);
  }
  if (own.empty()) return;
  std::unordered_map<std::uint64_t, std::pair<std::size_t, Symmetry>> images;  // of children: whose, and by which
  std::size_t kept = 0;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const auto child = rules.play(root, turns[i].candidate.move);
    if (const auto found = images.find(rules.key(child)); found != images.end()) {
      const auto& [first, symmetry] = found->second;
      turns[first].twins.push_back({turns[i].candidate.move, symmetry});
      continue;
    }
    for (const Symmetry s : own) images.emplace(rules.key(rules.transform(child, s)), std::pair(kept, s));
    if (kept != i) turns[kept] = std::move(turns[i]);
    ++kept;
  }
  turns.erase(turns.begin() + static_cast<std::ptrdiff_t>(kept), turns.end());
}

}  // namespace paika
