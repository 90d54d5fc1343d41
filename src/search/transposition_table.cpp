#include "search/transposition_table.hpp"

#include <algorithm>

namespace paika {

namespace {

// The data word: score 24 bits, move 16, depth 8, generation 6, bound 2.
constexpr int move_shift = 24;
constexpr int depth_shift = 40;
constexpr int generation_shift = 48;
constexpr int bound_shift = 54;
constexpr int score_offset = 1 << 23;
constexpr int max_depth = 255;

std::uint64_t packed(const TtEntry& entry, std::uint64_t generation) noexcept {
  return static_cast<std::uint64_t>(entry.score + score_offset) | (std::uint64_t{entry.move} << move_shift) |
         (static_cast<std::uint64_t>(std::clamp(entry.depth, 0, max_depth)) << depth_shift) |
         (generation << generation_shift) | (static_cast<std::uint64_t>(entry.bound) << bound_shift);
}

TtEntry unpacked(std::uint64_t data) noexcept {
  return {static_cast<int>(data & 0xffffff) - score_offset, static_cast<int>((data >> depth_shift) & 0xff),
          static_cast<Bound>((data >> bound_shift) & 3), static_cast<std::uint16_t>(data >> move_shift)};
}

int depth_of(std::uint64_t data) noexcept { return static_cast<int>((data >> depth_shift) & 0xff); }

}  // namespace

TranspositionTable::TranspositionTable(std::size_t megabytes)
    : buckets_(std::max<std::size_t>(1, (megabytes << 20) / sizeof(Bucket))) {}

std::optional<TtEntry> TranspositionTable::find(std::uint64_t key) const noexcept {
  for (const Slot& slot : buckets_[bucket_of(key)].slots) {
    const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
    if (data != 0 && (slot.check.load(std::memory_order_relaxed) ^ data) == key) return unpacked(data);
  }
  return {};
}

void TranspositionTable::store(std::uint64_t key, const TtEntry& entry) noexcept {
  TtEntry kept = entry;
  Slot* worst = nullptr;
  int least = INT32_MAX;
  for (Slot& slot : buckets_[bucket_of(key)].slots) {
    const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
    if (data != 0 && (slot.check.load(std::memory_order_relaxed) ^ data) == key) {
      if (kept.move == 0) kept.move = unpacked(data).move;  // a best turn is worth keeping
      worst = &slot;
      break;
    }
    const auto age = static_cast<int>((generation_ - (data >> generation_shift)) & generation_mask);
    const int worth = data == 0 ? INT32_MIN : depth_of(data) - 8 * age;
    if (worth < least) {
      least = worth;
      worst = &slot;
    }
  }
  const std::uint64_t data = packed(kept, generation_);
  worst->data.store(data, std::memory_order_relaxed);
  worst->check.store(key ^ data, std::memory_order_relaxed);
}

void TranspositionTable::clear() noexcept {
  for (Bucket& bucket : buckets_) {
    for (Slot& slot : bucket.slots) {
      slot.data.store(0, std::memory_order_relaxed);
      slot.check.store(0, std::memory_order_relaxed);
    }
  }
  generation_ = 0;
}

int TranspositionTable::permille() const noexcept {
  const std::size_t sample = std::min<std::size_t>(buckets_.size(), 1000);
  std::size_t used = 0;
  for (std::size_t i = 0; i < sample; ++i) {
    for (const Slot& slot : buckets_[i].slots) {
      const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
      if (data != 0 && ((data >> generation_shift) & generation_mask) == generation_) ++used;
    }
  }
  return static_cast<int>(used * 1000 / (sample * bucket_size));
}

}  // namespace paika
