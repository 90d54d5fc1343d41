// The transposition table: what was found out about positions, shared by all threads without a lock.
//
// An entry is two words, the second holding key XOR data: an entry torn by two threads writing at
// once does not match its key and is not found. All accesses are relaxed atomics, so there is no data
// race in the language's sense either.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/large_pages.hpp"

namespace paika {

enum class Bound : std::uint8_t { none = 0, lower = 1, upper = 2, exact = 3 };

struct TtEntry {
  int score = 0;  // within +-2^23
  int depth = 0;  // 0 to 255
  Bound bound = Bound::none;
  std::uint16_t move = 0;  // number of the best turn in the order of generation, plus 1; 0: not known
};

class TranspositionTable {
 public:
  /// A table of at most so many megabytes, at least one bucket. Throws std::bad_alloc if there is no memory.
  explicit TranspositionTable(std::size_t megabytes);

  [[nodiscard]] std::optional<TtEntry> find(std::uint64_t key) const noexcept;
  /// Remembers an entry, in place of the one in its bucket that is worth least.
  void store(std::uint64_t key, const TtEntry& entry) noexcept;
  /// Starts a new search: what older ones left is replaced first. Not while a search runs.
  void next_search() noexcept { generation_ = (generation_ + 1) & generation_mask; }
  /// Forgets everything. Not while a search runs.
  void clear() noexcept;
  /// How much of the table this search has filled, in thousandths, from a sample.
  [[nodiscard]] int permille() const noexcept;

 private:
  struct Slot {
    std::atomic<std::uint64_t> data{0};
    std::atomic<std::uint64_t> check{0};
  };
  static constexpr std::size_t bucket_size = 4;  // one cache line
  struct alignas(64) Bucket {
    std::array<Slot, bucket_size> slots;
  };
  static constexpr std::uint64_t generation_mask = 63;

  [[nodiscard]] std::size_t bucket_of(std::uint64_t key) const noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>((static_cast<Wide>(key) * buckets_.size()) >> 64);
  }

  BigVector<Bucket> buckets_;
  std::uint64_t generation_ = 0;
};

}  // namespace paika
