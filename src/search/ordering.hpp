// What one thread has learned about which turns are good: killers, history and countermoves.
//
// Turns are known by their history index (rules/search_traits.hpp), so nothing here depends on a game.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace paika {

/// No turn: before the first one, or after a null move.
inline constexpr std::uint32_t no_history_index = UINT32_MAX;

class Ordering {
 public:
  Ordering(std::size_t history_size, std::size_t plies)
      : history_(history_size), replies_(history_size, no_history_index), killers_(plies) {}

  void forget() {
    std::fill(history_.begin(), history_.end(), 0);
    std::fill(replies_.begin(), replies_.end(), no_history_index);
    forget_killers();
  }
  /// Killers belong to one search: another root has other plies.
  void forget_killers() { std::fill(killers_.begin(), killers_.end(), Killers{no_history_index, no_history_index}); }

  /// The quiet turn `history_index` refuted the line that ended with `before`; those in `tried` did not.
  void reward(std::uint32_t history_index, int depth, std::size_t ply, std::uint32_t before,
              const std::vector<std::uint32_t>& tried) {
    const int bonus = std::min(32 * depth * depth, max_bonus);
    change(history_index, bonus);
    for (const std::uint32_t other : tried) change(other, -bonus);
    if (killers_[ply][0] != history_index) killers_[ply] = {history_index, killers_[ply][0]};
    if (before != no_history_index) replies_[before] = history_index;
  }

  /// From -max_history to max_history.
  [[nodiscard]] int history(std::uint32_t history_index) const { return history_[history_index]; }
  [[nodiscard]] bool is_killer(std::uint32_t history_index, std::size_t ply) const {
    return killers_[ply][0] == history_index || killers_[ply][1] == history_index;
  }
  [[nodiscard]] bool is_reply(std::uint32_t history_index, std::uint32_t before) const {
    return before != no_history_index && replies_[before] == history_index;
  }

  static constexpr int max_history = 1 << 14;

 private:
  using Killers = std::array<std::uint32_t, 2>;
  static constexpr int max_bonus = 2048;

  /// The larger the value already, the less it grows: old lessons fade.
  void change(std::uint32_t history_index, int by) {
    std::int32_t& value = history_[history_index];
    value += by - value * (by < 0 ? -by : by) / max_history;
  }

  std::vector<std::int32_t> history_;
  std::vector<std::uint32_t> replies_;
  std::vector<Killers> killers_;
};

}  // namespace paika
