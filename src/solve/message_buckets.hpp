// MessageBuckets: what the places of a part tell each other, sorted by where it goes.
//
// Retrograde analysis tells places all over a tier, and would spend its time waiting for their memory. So messages are
// gathered by region, a stretch of places that fits a processor's cache, and a region hears all of its messages at
// once, from one thread: then nothing has to be atomic either. Within a level it does not matter when a place hears
// something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solve/part.hpp"

namespace paika {

/// The messages of one worker.
class MessageBuckets {
 public:
  static constexpr int region_bits = 17;  // 384 KB of a part
  static_assert((std::uint64_t{1} << region_bits) % Part::block == 0, "regions share no note of levels");

  /// For a part of so many places, and about `bytes` of messages.
  MessageBuckets(std::uint64_t places, std::size_t bytes)
      : buckets_(regions(places)), max_waiting_(bytes / sizeof(std::uint32_t)) {}

  [[nodiscard]] static std::size_t regions(std::uint64_t places) noexcept {
    return static_cast<std::size_t>((places >> region_bits) + 1);
  }

  void put(Message message) {
    constexpr std::uint64_t offset_mask = (std::uint64_t{1} << region_bits) - 1;
    const std::uint64_t offset = message.index() & offset_mask;
    buckets_[static_cast<std::size_t>(message.index() >> region_bits)].push_back(
        static_cast<std::uint32_t>(offset << 1 | (message.lost() ? 1U : 0U)));
    ++waiting_;
  }
  /// True if it has as many as it should.
  [[nodiscard]] bool full() const noexcept { return waiting_ >= max_waiting_; }

  /// Tells the places of a region. Others may tell other regions at the same time.
  void deliver(std::size_t region, Part& part, int level) {
    constexpr std::size_t ahead = 16;  // messages whose memory is on its way
    std::vector<std::uint32_t>& bucket = buckets_[region];
    const std::uint64_t first = std::uint64_t{region} << region_bits;
    for (std::size_t i = 0; i < bucket.size(); ++i) {
      if (i + ahead < bucket.size()) part.prefetch(first + (bucket[i + ahead] >> 1));
      part.apply(Message(first + (bucket[i] >> 1), (bucket[i] & 1U) != 0), level);
    }
    bucket.clear();
  }
  /// After every region was told.
  void forget() noexcept { waiting_ = 0; }

 private:
  std::vector<std::vector<std::uint32_t>> buckets_;  // by region: the place in it, and whether its mover has lost
  std::size_t max_waiting_;
  std::size_t waiting_ = 0;
};

}  // namespace paika
