// TurnLists: the inner turns of a tier backwards, for spaces that cannot take turns back themselves.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/large_pages.hpp"

namespace paika {

/// For each of `size` targets the indices from which turns lead to it. Filled in two rounds, each by
/// any number of threads: every turn is counted, then room is made, then every turn is kept.
class TurnLists {
 public:
  /// Bytes that a target and a turn take.
  static constexpr std::uint64_t target_bytes = sizeof(std::uint64_t);
  static constexpr std::uint64_t turn_bytes = sizeof(std::uint32_t);

  explicit TurnLists(std::uint64_t size) : ends_(size + 1) {}

  void count(std::uint64_t to) noexcept { std::atomic_ref(ends_[to]).fetch_add(1, std::memory_order_relaxed); }
  void make_room() {
    std::uint64_t sum = 0;
    for (std::uint64_t& end : ends_) {
      sum += end;
      end = sum;
    }
    from_.resize(sum);
  }
  /// Requires from < 2^32, and that the turn was counted.
  void keep(std::uint64_t from, std::uint64_t to) noexcept {
    const std::uint64_t at = std::atomic_ref(ends_[to]).fetch_sub(1, std::memory_order_relaxed) - 1;
    from_[at] = static_cast<std::uint32_t>(from);
  }
  /// Once all turns are kept: each end has moved down to its list's beginning.
  template <class Visit>
  void for_each(std::uint64_t to, Visit&& visit) const {
    for (std::uint64_t at = ends_[to]; at < ends_[to + 1]; ++at) visit(std::uint64_t{from_[at]});
  }

 private:
  BigVector<std::uint64_t> ends_;
  BigVector<std::uint32_t> from_;
};

}  // namespace paika
