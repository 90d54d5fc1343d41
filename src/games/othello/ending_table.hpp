// EndingTable: what the ending solvers of all threads found out, bounds and best placings by position.
//
// Lock-free: an entry is two words, the first hidden by the second, so that an entry half written by
// another thread does not match any position. All accesses are relaxed atomics.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/large_pages.hpp"

namespace paika::othello {

/// What is known of a position: its score in discs for the side to move, and what was best.
struct EndingEntry {
  static constexpr std::uint8_t none = 0xff;
  std::int8_t lower = -128;
  std::int8_t upper = 127;
  std::uint8_t empties = 0;
  std::uint8_t best = none;    // a square
  std::uint8_t second = none;  // the best before that
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

  /// Asks the machine to bring the place of `key` near.
  [[gnu::always_inline]] void prefetch(std::uint64_t key) const noexcept { __builtin_prefetch(&bucket(key)); }
  /// Finds what is stored under `key`; false if nothing is.
  [[nodiscard]] bool find(std::uint64_t key, EndingEntry& entry) const noexcept;
  /// Stores `entry`, in place of the least useful entry that could be there: one with more empty
  /// squares than `root_empties`, which no search from now on can meet, or that with the fewest.
  void store(std::uint64_t key, const EndingEntry& entry, int root_empties) noexcept;
  /// Forgets everything. Requires that no search uses the table.
  void clear() noexcept;

 private:
  struct Slot {
    std::atomic<std::uint64_t> hidden_key{0};
    std::atomic<std::uint64_t> data{0};
  };
  struct alignas(64) Bucket {
    std::array<Slot, 4> slots;
  };

  [[nodiscard]] const Bucket& bucket(std::uint64_t key) const noexcept { return buckets_[key & mask_]; }
  [[nodiscard]] Bucket& bucket(std::uint64_t key) noexcept { return buckets_[key & mask_]; }

  BigVector<Bucket> buckets_;
  std::uint64_t mask_;
};

}  // namespace paika::othello
