// The memory of a proof search: proof and disproof numbers of positions, in a fixed number of bytes.
//
// Sixteen bytes a position, four positions a bucket (a cache line). A full bucket gives up the position
// with the least work below it: that is the cheapest to find out again. The newest always comes in, so
// the search goes on with any table, however small.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/large_pages.hpp"

namespace paika {

/// More than any proof number. A number that reaches it stands for "never".
inline constexpr std::uint32_t infinite_number = (1U << 24) - 1;
/// The length of a proof when it is not known; longer ones are not told apart either.
inline constexpr std::uint32_t unknown_length = (1U << 24) - 1;

enum class ProofKind : std::uint8_t {
  open,            // numbers only
  proven,          // the attacker wins
  refuted,         // he does not, wherever the position occurs
  refuted_on_path  // he did not with certain positions before it, which must not be repeated
};

struct ProofEntry {
  ProofKind kind = ProofKind::open;
  std::uint32_t phi = 1;                  // open: effort for the side to move to get what it wants
  std::uint32_t delta = 1;                // open: effort for the other side
  std::uint32_t length = unknown_length;  // proven: turns to the end of the proof
  std::uint64_t work = 0;                 // nodes below; comes back from the table rounded down to about a fifth
};

class ProofTable {
 public:
  /// Uses at most so many bytes, and at least one bucket. Throws std::bad_alloc if there is no memory.
  explicit ProofTable(std::size_t bytes);

  [[nodiscard]] std::optional<ProofEntry> find(std::uint64_t key) const noexcept;
  /// Tells the processor that this key will be looked for soon.
  void fetch(std::uint64_t key) const noexcept { __builtin_prefetch(&buckets_[bucket_of(key)]); }
  /// Requires phi and delta from 1 to infinite_number - 1 of an open entry.
  void store(std::uint64_t key, const ProofEntry& entry) noexcept;
  void clear() noexcept;
  /// How much is filled, in thousandths, from a sample.
  [[nodiscard]] int permille() const noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept { return buckets_.size() * sizeof(Bucket); }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t data = 0;  // 0: empty; no entry is written as 0
  };
  static constexpr std::size_t bucket_size = 4;
  struct alignas(64) Bucket {
    std::array<Slot, bucket_size> slots;
  };

  [[nodiscard]] std::size_t bucket_of(std::uint64_t key) const noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>((static_cast<Wide>(key) * buckets_.size()) >> 64);
  }

  BigVector<Bucket> buckets_;
};

}  // namespace paika
