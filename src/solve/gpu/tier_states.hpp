// TierStates: what is known of the places of a tier while they are being found, a word for each.
//
// The same states as in a Part (solve/part.hpp), in a form in which each of the two updates of a place is one atomic
// instruction. The lower 8 bits of a word count the inner turns of an open place that are not refuted; the
// others are, in this order: won in 0, 1, 2, … turns; open, with the longest loss of its other turns; safe; lost in 0,
// 1, … turns; no position. So "won in d" is said by a minimum, and "one turn is refuted" by subtracting 1. A place may
// become won while others still count it down: the counter of a win begins with 255, more than are ever counted.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/device.hpp"
#include "solve/first_look.hpp"
#include "solve/gpu/atomics.hpp"
#include "solve/value.hpp"

namespace paika::gpu {

/// Points to memory that somebody else holds.
class TierStates {
 public:
  static constexpr std::uint64_t block = 4096;  // places that share a note of their levels
  static constexpr std::uint64_t bytes_per_place = sizeof(std::uint32_t);

  [[nodiscard]] static constexpr std::uint64_t blocks(std::uint64_t places) noexcept {
    return (places + block - 1) / block;
  }

  /// `words` for the places and `levels` for their blocks, cleared; `highest` cleared.
  TierStates(std::uint32_t* words, std::uint64_t* levels, std::uint32_t* highest) noexcept
      : words_(words), levels_(levels), highest_(highest) {}

  /// Notes what was found at a place.
  PAIKA_HD void set(std::uint64_t index, const FirstLook& look) const noexcept {
    if (look.value.kind() == ValueKind::none) {
      words_[index] = none << 8;
    } else if (look.known) {
      words_[index] = known_word(look.value);
      note(index, look.value.turns());
    } else if (look.safe) {
      words_[index] = safe << 8;
    } else {
      words_[index] = (open + static_cast<std::uint32_t>(look.value.turns())) << 8 | look.open;
    }
  }

  /// A turn leads from the place to one that its mover has lost (`next_lost`), or won, in `level` turns.
  PAIKA_HD void apply(std::uint64_t index, bool next_lost, int level) const noexcept {
    std::uint32_t& word = words_[index];
    const std::uint32_t seen = atomic_load(word);
    if (next_lost) {
      const std::uint32_t won = known_word(Value::win(level + 1));
      if (seen <= won) return;
      if (atomic_min(word, won) > won) note(index, level + 1);
    } else if (is_open(seen)) {
      const std::uint32_t old = atomic_subtract(word, 1);
      if (!is_open(old) || (old & 255U) != 1) return;
      // No win can come any more: all turns are refuted.
      const int turns = std::max(level + 1, static_cast<int>((old >> 8) - open));
      atomic_store(word, known_word(Value::loss(turns)));
      note(index, turns);
    }
  }

  /// True if a block may hold a place known at `level`.
  [[nodiscard]] PAIKA_HD bool may_hold(std::uint64_t b, int level) const noexcept {
    return (levels_[b] & level_bit(level)) != 0;
  }
  [[nodiscard]] PAIKA_HD bool is_known(std::uint64_t index, int level) const noexcept {
    const std::uint32_t state = atomic_load(words_[index]) >> 8;
    return state == static_cast<std::uint32_t>(level) || state == lost + static_cast<std::uint32_t>(level);
  }
  /// Requires is_known() for some level.
  [[nodiscard]] PAIKA_HD bool is_lost(std::uint64_t index) const noexcept {
    return atomic_load(words_[index]) >> 8 >= lost;
  }

  /// The value of a place after the last level: open and safe places are draws.
  [[nodiscard]] PAIKA_HD Value result(std::uint64_t index) const noexcept {
    const std::uint32_t state = words_[index] >> 8;
    if (state < open) return Value::win(static_cast<int>(state));
    if (state < lost) return Value::draw();
    return state == none ? Value::none() : Value::loss(static_cast<int>(state - lost));
  }

 private:
  static constexpr std::uint32_t distances = Value::max_turns + 1;
  static constexpr std::uint32_t open = distances;
  static constexpr std::uint32_t safe = open + distances;
  static constexpr std::uint32_t lost = safe + 1;
  static constexpr std::uint32_t none = lost + distances;

  [[nodiscard]] static constexpr bool is_open(std::uint32_t word) noexcept {
    return word >> 8 >= open && word >> 8 < safe;
  }
  [[nodiscard]] static constexpr std::uint32_t known_word(Value value) noexcept {
    return (static_cast<std::uint32_t>(value.turns()) + (value.is_loss() ? lost : 0)) << 8 | 255U;
  }
  /// Levels 64 apart share a bit: then a block is looked at in vain, no more.
  [[nodiscard]] static constexpr std::uint64_t level_bit(int level) noexcept {
    return std::uint64_t{1} << (static_cast<unsigned>(level) % 64U);
  }
  PAIKA_HD void note(std::uint64_t index, int level) const noexcept {
    std::uint64_t& levels = levels_[index / block];
    const std::uint64_t bit = level_bit(level);
    if ((atomic_load(levels) & bit) == 0) atomic_or(levels, bit);
    const auto next = static_cast<std::uint32_t>(level) + 1;
    if (atomic_load(*highest_) < next) atomic_max(*highest_, next);
  }

  std::uint32_t* words_;
  std::uint64_t* levels_;   // by block: at which levels, modulo 64, it may hold known places
  std::uint32_t* highest_;  // one more than the highest level at which a place is known
};

}  // namespace paika::gpu
