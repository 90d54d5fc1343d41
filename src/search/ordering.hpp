// What one thread has learned about which turns are good: killers, history and countermoves.
//
// Turns are known by their slot (rules/search_traits.hpp), so nothing here depends on a game.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace paika {

/// No turn: before the first one, or after a null move.
inline constexpr std::uint32_t no_slot = UINT32_MAX;

class Ordering {
 public:
  Ordering(std::size_t slots, std::size_t plies) : history_(slots), replies_(slots, no_slot), killers_(plies) {}

  void forget() {
    std::fill(history_.begin(), history_.end(), 0);
    std::fill(replies_.begin(), replies_.end(), no_slot);
    forget_killers();
  }
  /// Killers belong to one search: another root has other plies.
  void forget_killers() { std::fill(killers_.begin(), killers_.end(), Killers{no_slot, no_slot}); }

  /// The quiet turn `slot` refuted the line that ended with `before`; those in `tried` did not.
  void reward(std::uint32_t slot, int depth, std::size_t ply, std::uint32_t before,
              const std::vector<std::uint32_t>& tried) {
    const int bonus = std::min(32 * depth * depth, most_bonus);
    change(slot, bonus);
    for (const std::uint32_t other : tried) change(other, -bonus);
    if (killers_[ply][0] != slot) killers_[ply] = {slot, killers_[ply][0]};
    if (before != no_slot) replies_[before] = slot;
  }

  /// From -most_history to most_history.
  [[nodiscard]] int history(std::uint32_t slot) const { return history_[slot]; }
  [[nodiscard]] bool is_killer(std::uint32_t slot, std::size_t ply) const {
    return killers_[ply][0] == slot || killers_[ply][1] == slot;
  }
  [[nodiscard]] bool is_reply(std::uint32_t slot, std::uint32_t before) const {
    return before != no_slot && replies_[before] == slot;
  }

  static constexpr int most_history = 1 << 14;

 private:
  using Killers = std::array<std::uint32_t, 2>;
  static constexpr int most_bonus = 2048;

  /// The larger the value already, the less it grows: old lessons fade.
  void change(std::uint32_t slot, int by) {
    std::int32_t& value = history_[slot];
    value += by - value * (by < 0 ? -by : by) / most_history;
  }

  std::vector<std::int32_t> history_;
  std::vector<std::uint32_t> replies_;
  std::vector<Killers> killers_;
};

}  // namespace paika
