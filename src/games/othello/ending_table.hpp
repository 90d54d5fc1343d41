// EndingTable: what the ending solvers of all threads found out, bounds and best placings by position.
//
// Lock-free: an entry is two words, the first hidden by the second, so that an entry half written by
// another thread does not match any position. All accesses are relaxed atomics.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/large_pages.hpp"

namespace paika::othello {

/// What is known of a position: its score in discs for the side to move, and what was best.
struct EndingEntry {
  static constexpr std::uint8_t none = 0xff;
  static constexpr std::uint8_t exact = 0xff;  // a level: the bounds are proven, not only likely
  std::int8_t lower = -128;
  std::int8_t upper = 127;
  std::uint8_t empties = 0;
  std::uint8_t best = none;    // a square
  std::uint8_t second = none;  // the best before that
  std::uint8_t level = 0;      // how far the bounds can be trusted: the higher the more
};

/// The fields of an entry, a byte each. Never 0: 0 empty squares are never stored.
[[nodiscard]] constexpr std::uint64_t packed(const EndingEntry& e) noexcept {
  return std::uint64_t{static_cast<std::uint8_t>(e.lower)} | std::uint64_t{static_cast<std::uint8_t>(e.upper)} << 8 |
         std::uint64_t{e.empties} << 16 | std::uint64_t{e.best} << 24 | std::uint64_t{e.second} << 32 |
         std::uint64_t{e.level} << 40;
}
[[nodiscard, gnu::always_inline]] constexpr EndingEntry unpacked(std::uint64_t data) noexcept {
  EndingEntry e;
  e.lower = static_cast<std::int8_t>(data & 0xff);
  e.upper = static_cast<std::int8_t>((data >> 8) & 0xff);
  e.empties = static_cast<std::uint8_t>((data >> 16) & 0xff);
  e.best = static_cast<std::uint8_t>((data >> 24) & 0xff);
  e.second = static_cast<std::uint8_t>((data >> 32) & 0xff);
  e.level = static_cast<std::uint8_t>((data >> 40) & 0xff);
  return e;
}

/// The same for one thread and the last few thousand positions, small enough for the processor's cache: positions
/// near the end come again soon or never, and a look into the large table costs more than searching some of them.
class NearEndingTable {
 public:
  NearEndingTable() : buckets_(bucket_count) {}

  /// Prefetches the bucket of `key`.
  [[gnu::always_inline]] void prefetch(std::uint64_t key) const noexcept {
    __builtin_prefetch(&buckets_[key % bucket_count]);
  }

  [[nodiscard, gnu::always_inline]] bool find(std::uint64_t key, EndingEntry& entry) const noexcept {
    for (const Slot& slot : buckets_[key % bucket_count].slots) {
      if (slot.key != key || slot.data == 0) continue;
      entry = unpacked(slot.data);
      return true;
    }
    return false;
  }
  /// Stores `entry` in place of the oldest one that could be there.
  [[gnu::always_inline]] void store(std::uint64_t key, const EndingEntry& entry) noexcept {
    auto& slots = buckets_[key % bucket_count].slots;
    std::size_t i = 0;
    while (i + 1 < slots.size() && slots[i].key != key) ++i;
    for (; i > 0; --i) slots[i] = slots[i - 1];
    slots[0] = {key, packed(entry)};
  }
  void clear() noexcept { buckets_.assign(bucket_count, {}); }

 private:
  static constexpr std::size_t bucket_count = std::size_t{1} << 14;
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t data = 0;
  };
  struct alignas(64) Bucket {
    std::array<Slot, 4> slots;
  };

  std::vector<Bucket> buckets_;
};

class EndingTable {
 public:
  /// Takes at most this much memory, at least one bucket. May throw std::bad_alloc.
  explicit EndingTable(std::size_t megabytes);

  /// The key of a position, from the words of the mover and the other side.
  [[nodiscard, gnu::always_inline]] static std::uint64_t key(std::uint64_t own, std::uint64_t opponent) noexcept {
    std::uint64_t h = own * 0x9e3779b97f4a7c15ULL;
    h ^= h >> 32;
    h = (h + opponent) * 0xd6e8feb86659fd93ULL;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ULL;
    return h ^ (h >> 32);
  }

  /// Prefetches the bucket of `key`.
  [[gnu::always_inline]] void prefetch(std::uint64_t key) const noexcept { __builtin_prefetch(&bucket(key)); }
  /// Finds what is stored under `key`; false if nothing is.
  [[nodiscard, gnu::always_inline]] bool find(std::uint64_t key, EndingEntry& entry) const noexcept {
    for (const Slot& slot : bucket(key).slots) {
      const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
      if (data != 0 && (slot.hidden_key.load(std::memory_order_relaxed) ^ data) == key) {
        entry = unpacked(data);
        return true;
      }
    }
    return false;
  }
  /// Stores `entry`, in place of the least useful entry that could be there: one with more empty
  /// squares than `root_empties`, which no search from now on can meet, or that with the fewest.
  void store(std::uint64_t key, const EndingEntry& entry, int root_empties) noexcept;
  /// Forgets everything. Requires that no search uses the table.
  void clear() noexcept;
  /// How often everything was forgotten.
  [[nodiscard]] std::uint64_t times_cleared() const noexcept { return times_cleared_; }

  // ---- Sharing the work ----

  /// A solver begins to use the table, or ends.
  void attach() noexcept { solvers_.fetch_add(1, std::memory_order_relaxed); }
  void detach() noexcept { solvers_.fetch_sub(1, std::memory_order_relaxed); }
  [[nodiscard]] bool shared() const noexcept { return solvers_.load(std::memory_order_relaxed) > 1; }

  /// Whether a solver is searching the position of `key`; marks may be lost, which costs time and nothing else.
  [[nodiscard]] bool is_busy(std::uint64_t key) const noexcept {
    return busy_[busy_index(key)].load(std::memory_order_relaxed) == key;
  }
  void set_busy(std::uint64_t key) noexcept { busy_[busy_index(key)].store(key, std::memory_order_relaxed); }
  void set_idle(std::uint64_t key) noexcept {
    auto& mark = busy_[busy_index(key)];
    if (mark.load(std::memory_order_relaxed) == key) mark.store(0, std::memory_order_relaxed);
  }

 private:
  struct Slot {
    std::atomic<std::uint64_t> hidden_key{0};
    std::atomic<std::uint64_t> data{0};
  };
  struct alignas(64) Bucket {
    std::array<Slot, 4> slots;
  };

  static constexpr int empties_of(std::uint64_t data) noexcept { return static_cast<int>((data >> 16) & 0xff); }

  [[nodiscard]] const Bucket& bucket(std::uint64_t key) const noexcept { return buckets_[key & mask_]; }
  [[nodiscard]] Bucket& bucket(std::uint64_t key) noexcept { return buckets_[key & mask_]; }

  static constexpr std::size_t busy_count = 1024;
  /// By other bits of the key than the bucket's.
  static constexpr std::size_t busy_index(std::uint64_t key) noexcept { return (key >> 48) % busy_count; }

  BigVector<Bucket> buckets_;
  std::uint64_t mask_;
  std::uint64_t times_cleared_ = 0;
  std::atomic<int> solvers_{0};
  std::array<std::atomic<std::uint64_t>, busy_count> busy_{};
};

}  // namespace paika::othello
