// Openings: different beginnings of games, chosen by chance from a seed, that are not yet decided.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/random.hpp"
#include "engine/game.hpp"

namespace paika::play {

class Openings {
 public:
  /// Whether a position is worth playing from. It must depend on the position only.
  using Filter = std::function<bool(const Session&)>;

  /// Openings of `plies` turns from the start (a position's text; empty: the game's own).
  Openings(GamePtr game, std::string start, int plies, std::uint64_t seed, Filter good);

  /// The next opening as canonical turn texts. All its positions please the filter, and the last is one
  /// that no opening before led to, as long as such are found; then these demands are dropped for good,
  /// first the filter, then the novelty. A game that is always over after so many turns gets shorter ones.
  [[nodiscard]] std::vector<std::string> next();

  /// How many different positions the openings so far have led to.
  [[nodiscard]] std::size_t different() const { return seen_.size(); }

 private:
  /// One try; false if it led to nothing that fulfils the demands.
  [[nodiscard]] bool try_once(std::vector<std::string>& opening);
  /// Plays a turn chosen by chance that leads on; false if a few tries found none.
  [[nodiscard]] bool play_one(Session& session, std::vector<std::string>& opening);

  GamePtr game_;
  std::string start_;
  int plies_;
  Random random_;
  Filter good_;  // empty: everything is
  bool fresh_ = true;
  std::unordered_set<std::uint64_t> seen_;
};

/// A filter by a short search of the game's engine: refuses positions with a proven win for anybody, or
/// where a side is ahead by more than `most` (hundredths of a piece).
[[nodiscard]] Openings::Filter balanced(GamePtr game, int most);

}  // namespace paika::play
