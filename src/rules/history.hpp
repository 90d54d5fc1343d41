// History: the positions of a game so far, for taking back and for counting repetitions.
#pragma once

#include <vector>

#include "rules/concepts.hpp"

namespace paika {

/// The occurrence of a position that makes a draw in play, where a game's rules say so.
inline constexpr int occurrences_for_draw = 3;

template <class Position>
class History {
 public:
  explicit History(const Position& start) : positions_{start} {}

  [[nodiscard]] const Position& now() const { return positions_.back(); }
  /// All positions, oldest first, the present one last.
  [[nodiscard]] const std::vector<Position>& positions() const { return positions_; }
  /// How many positions there are, the start included; at least 1.
  [[nodiscard]] int length() const { return static_cast<int>(positions_.size()); }

  void push(const Position& p) { positions_.push_back(p); }
  /// Forgets the last position; false if only the start is left.
  bool pop() {
    if (positions_.size() == 1) return false;
    positions_.pop_back();
    return true;
  }

  /// How often the present board with the same side to move has occurred, now included. Move
  /// numbers and times do not count. Keys are only a filter: equal keys are compared in full.
  template <Rules R>
    requires std::same_as<typename R::Position, Position>
  [[nodiscard]] int occurrences(const R& rules) const {
    const auto key = rules.key(now());
    int count = 0;
    for (const Position& p : positions_) {
      if (rules.key(p) == key && same_board(rules, p, now())) ++count;
    }
    return count;
  }

 private:
  template <Rules R>
  [[nodiscard]] static bool same_board(const R& rules, const Position& a, const Position& b) {
    const Board left = rules.to_board(a);
    const Board right = rules.to_board(b);
    return left.to_move == right.to_move && left.cells == right.cells;
  }

  std::vector<Position> positions_;
};

}  // namespace paika
