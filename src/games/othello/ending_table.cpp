#include "games/othello/ending_table.hpp"

#include <algorithm>
#include <bit>

namespace paika::othello {

EndingTable::EndingTable(std::size_t megabytes)
    : buckets_(std::bit_floor(std::max<std::size_t>(1, megabytes * (std::size_t{1} << 20) / sizeof(Bucket)))),
      mask_(buckets_.size() - 1) {}

void EndingTable::store(std::uint64_t key, const EndingEntry& entry, int root_empties) noexcept {
  auto& slots = bucket(key).slots;
  Slot* victim = &slots[0];
  int least = 256;
  for (Slot& slot : slots) {
    const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
    if ((slot.hidden_key.load(std::memory_order_relaxed) ^ data) == key) {
      victim = &slot;
      break;
    }
    const int worth = empties_of(data) > root_empties ? -1 : empties_of(data);
    if (worth < least) {
      least = worth;
      victim = &slot;
    }
  }
  const std::uint64_t data = packed(entry);
  victim->hidden_key.store(key ^ data, std::memory_order_relaxed);
  victim->data.store(data, std::memory_order_relaxed);
}

void EndingTable::clear() noexcept {
  ++times_cleared_;
  for (Bucket& b : buckets_) {
    for (Slot& slot : b.slots) {
      slot.hidden_key.store(0, std::memory_order_relaxed);
      slot.data.store(0, std::memory_order_relaxed);
    }
  }
}

}  // namespace paika::othello
