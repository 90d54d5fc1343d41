// Part: the values of a run of a tier's places while they are being found.
//
// Retrograde analysis goes by distance: a place whose value is known with distance L is expanded at
// level L, and updates every place from which a turn leads to it. So a place is, at any time,
//   open   no value yet; it counts its inner turns that do not lead to a win of the opponent yet, and
//          remembers how long its other turns let it live;
//   safe   as open, but one of its other turns draws: it cannot lose any more, and counts nothing;
//   known  won or lost in so many turns. A win that is further away than the present level may still
//          become a shorter one.
// Whoever is open or safe at the end is a draw. The result does not depend on the order in which
// messages arrive within a level, so threads, parts on disk and other machines all give the same.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "base/check.hpp"
#include "base/large_pages.hpp"
#include "base/result.hpp"
#include "solve/first_look.hpp"
#include "solve/value.hpp"

namespace paika {

/// An update for a place from which a turn leads to another: that the other's mover has lost, or won. The level at
/// which it is sent is the distance.
class Message {
 public:
  constexpr Message() noexcept = default;
  constexpr Message(std::uint64_t index, bool lost) noexcept : bits_(index << 1 | (lost ? 1U : 0U)) {}
  [[nodiscard]] constexpr std::uint64_t index() const noexcept { return bits_ >> 1; }
  [[nodiscard]] constexpr bool lost() const noexcept { return (bits_ & 1U) != 0; }
  /// The same message for the place so many indices before, as another part counts.
  [[nodiscard]] constexpr Message moved_down(std::uint64_t by) const noexcept { return {index() - by, lost()}; }

 private:
  std::uint64_t bits_ = 0;
};

class Part {
 public:
  static constexpr std::uint64_t block = 4096;  // places that share a note of their levels
  static constexpr std::uint64_t bytes_per_place = sizeof(std::uint16_t) + sizeof(std::uint8_t);

  /// Room for `size` places; throws std::bad_alloc if there is none.
  explicit Part(std::uint64_t size) : codes_(size), open_(size), levels_(blocks()) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return codes_.size(); }
  [[nodiscard]] std::uint64_t blocks() const noexcept { return (size() + block - 1) / block; }
  /// The highest level at which a place is known so far; -1 if none is.
  [[nodiscard]] int highest() const noexcept { return highest_.load(std::memory_order_relaxed); }

  /// Notes what was found at a place. Different threads may set different places.
  void set(std::uint64_t index, const FirstLook& look) noexcept {
    if (look.known || look.value.kind() == ValueKind::none) {
      codes_[index] = look.value.code();
      if (look.value.kind() != ValueKind::none) note(index, look.value.turns());
      return;
    }
    codes_[index] = look.safe ? safe_code : open_code(look.value);
    open_[index] = look.safe ? 0 : look.open;
  }

  /// A turn leads from the place of each message to one that its mover has lost, or won, in `level` turns.
  /// `Shared`: other threads may update places at the same time.
  template <bool Shared>
  void apply(std::span<Message> messages, int level) noexcept {
    // Of places that lose their last turn the code is far away: it is asked for, and looked at when the others are
    // done.
    std::size_t used_up = 0;
    for (const Message message : messages) {
      const std::uint64_t index = message.index();
      if (message.lost()) {
        apply_loss<Shared>(index, level);
      } else if (count_down<Shared>(index)) {
        __builtin_prefetch(&codes_[index], 1);
        messages[used_up++] = message;
      }
    }
    for (const Message message : messages.first(used_up)) use_up(message.index(), level);
  }
  template <bool Shared>
  void apply(Message message, int level) noexcept {
    apply<Shared>(std::span(&message, 1), level);
  }

  /// Asks the machine to bring near what the message needs.
  void prefetch(Message message) const noexcept {
    message.lost() ? __builtin_prefetch(&codes_[message.index()], 1) : __builtin_prefetch(&open_[message.index()], 1);
  }

  /// True if the block may hold a place known at `level`.
  [[nodiscard]] bool may_hold(std::uint64_t b, int level) const noexcept {
    return (std::atomic_ref(levels_[b]).load(std::memory_order_relaxed) & level_bit(level)) != 0;
  }
  /// Calls expand(index, lost) for each place of a block that is known at exactly `level`.
  template <class Expand>
  void scan(std::uint64_t b, int level, Expand&& expand) {
    const std::uint64_t end = std::min(size(), (b + 1) * block);
    const std::uint16_t win = Value::win(level).code();
    const std::uint16_t loss = Value::loss(level).code();
    for (std::uint64_t i = b * block; i < end;) {
      if (i + fours <= end && !any_of_four(i, win, loss)) {
        i += fours;
        continue;
      }
      const std::uint64_t last = std::min(end, i + fours);
      for (; i < last; ++i) {
        const std::uint16_t code = std::atomic_ref(codes_[i]).load(std::memory_order_relaxed);
        if (code == win || code == loss) expand(i, code == loss);
      }
    }
  }

  /// After the last level: open and safe places are draws.
  [[nodiscard]] Value result(std::uint64_t index) const noexcept { return final_value(codes_[index]); }
  /// Turns all codes of a block into those of results.
  void settle(std::uint64_t b) noexcept {
    const std::uint64_t end = std::min(size(), (b + 1) * block);
    for (std::uint64_t i = b * block; i < end; ++i) codes_[i] = final_value(codes_[i]).code();
  }
  /// The codes of all places; of results once every block is settled.
  [[nodiscard]] std::span<const std::uint16_t> codes() const noexcept { return codes_; }

  /// Forgets everything.
  void clear() noexcept;
  /// Keeps the whole state in a file, so that work can go on from it; the file appears complete or not
  /// at all. `level` is the next level to expand.
  [[nodiscard]] Result<void> save(const std::string& path, int level) const;
  /// Takes a saved state of a part of the same size; returns the next level to expand. On an error the
  /// part is as if new.
  [[nodiscard]] Result<int> load(const std::string& path);

 private:
  static constexpr std::uint16_t safe_code = Value::none().code() | 1U;
  [[nodiscard]] static constexpr std::uint16_t open_code(Value longest) noexcept {
    return static_cast<std::uint16_t>(longest.turns());  // as a draw, with a distance
  }
  [[nodiscard]] static constexpr Value final_value(std::uint16_t code) noexcept {
    const Value value = Value::from_code(code);
    return value.is_win() || value.is_loss() || value == Value::none() ? value : Value::draw();
  }
  /// Levels 64 apart share a bit: then a block is looked at in vain, no more.
  [[nodiscard]] static constexpr std::uint64_t level_bit(int level) noexcept {
    return std::uint64_t{1} << (static_cast<unsigned>(level) % 64U);
  }

  static constexpr std::uint64_t fours = 4;
  /// True if one of the codes at i to i + 3 is a or b. Most blocks have few places of a level, so a scan passes over
  /// four at a time. Requires that i is a multiple of four.
  [[nodiscard]] bool any_of_four(std::uint64_t i, std::uint16_t a, std::uint16_t b) const noexcept {
    using Four [[gnu::may_alias]] = std::uint64_t;
    constexpr std::uint64_t ones = 0x0001'0001'0001'0001;
    const std::uint64_t four = __atomic_load_n(reinterpret_cast<const Four*>(&codes_[i]), __ATOMIC_RELAXED);
    const auto has_zero = [](std::uint64_t lanes) { return ((lanes - ones) & ~lanes & (ones << 15U)) != 0; };
    return has_zero(four ^ a * ones) || has_zero(four ^ b * ones);
  }

  template <bool Shared>
  void apply_loss(std::uint64_t index, int level) noexcept {
    const std::uint16_t win = Value::win(level + 1).code();
    const std::atomic_ref<std::uint16_t> code(codes_[index]);
    const auto is_shorter = [&](std::uint16_t old) {
      const Value value = Value::from_code(old);
      return !value.is_win() || value.turns() > level + 1;
    };
    if constexpr (Shared) {
      std::uint16_t old = code.load(std::memory_order_relaxed);
      do {
        if (!is_shorter(old)) return;
      } while (!code.compare_exchange_weak(old, win, std::memory_order_relaxed));
    } else {
      if (!is_shorter(code.load(std::memory_order_relaxed))) return;
      code.store(win, std::memory_order_relaxed);
    }
    // Most messages of wins come to places that have won, and need no more than this byte to be done with. One that is
    // being counted just now may come after it and make it 255, which the rest of the turns cannot count down.
    std::atomic_ref(open_[index]).store(0, std::memory_order_relaxed);
    note(index, level + 1);
  }

  /// True if the place is known to have lost now but for its code, which use_up() looks at.
  template <bool Shared>
  [[nodiscard]] bool count_down(std::uint64_t index) noexcept {
    const std::atomic_ref<std::uint8_t> open(open_[index]);
    const std::uint8_t seen = open.load(std::memory_order_relaxed);
    if (seen == 0) return false;  // known, or safe
    const std::uint8_t left = Shared ? open.fetch_sub(1, std::memory_order_relaxed) : seen;
    if constexpr (!Shared) open.store(static_cast<std::uint8_t>(seen - 1), std::memory_order_relaxed);
    return left == 1;
  }

  void use_up(std::uint64_t index, int level) noexcept {
    const std::atomic_ref<std::uint16_t> code(codes_[index]);
    const Value value = Value::from_code(code.load(std::memory_order_relaxed));
    if (!value.is_draw()) return;
    const int turns = std::max(level + 1, value.turns());
    code.store(Value::loss(turns).code(), std::memory_order_relaxed);
    note(index, turns);
  }

  void note(std::uint64_t index, int level) noexcept {
    const std::atomic_ref<std::uint64_t> levels(levels_[index / block]);
    const std::uint64_t bit = level_bit(level);
    if ((levels.load(std::memory_order_relaxed) & bit) == 0) levels.fetch_or(bit, std::memory_order_relaxed);
    int highest = highest_.load(std::memory_order_relaxed);
    while (highest < level && !highest_.compare_exchange_weak(highest, level, std::memory_order_relaxed)) {
    }
  }

  BigVector<std::uint16_t> codes_;
  BigVector<std::uint8_t> open_;     // of open places: inner turns not yet known to lose; else 0
  BigVector<std::uint64_t> levels_;  // by block: at which levels, modulo 64, it may hold known places
  std::atomic<int> highest_{-1};
};

}  // namespace paika
