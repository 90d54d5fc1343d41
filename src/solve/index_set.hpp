// IndexSet: a set of indices of a tier.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/large_pages.hpp"

namespace paika {

/// A set of indices of a tier, one bit each; members may be added from several threads.
class IndexSet {
 public:
  explicit IndexSet(std::uint64_t size = 0) : words_((size + 63) / 64) {}
  [[nodiscard]] bool contains(std::uint64_t i) const noexcept { return (words_[i / 64] >> (i % 64) & 1U) != 0; }
  /// True if it was not a member yet.
  bool add(std::uint64_t i) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    const std::atomic_ref<std::uint64_t> word(words_[i / 64]);
    if ((word.load(std::memory_order_relaxed) & bit) != 0) return false;
    return (word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
  }
  [[nodiscard]] BigVector<std::uint64_t>& words() noexcept { return words_; }
  [[nodiscard]] const BigVector<std::uint64_t>& words() const noexcept { return words_; }

 private:
  BigVector<std::uint64_t> words_;
};

}  // namespace paika
