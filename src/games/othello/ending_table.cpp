#include "games/othello/ending_table.hpp"

#include <algorithm>
#include <bit>

namespace paika::othello {

namespace {

// The fields of an entry, a byte each. An empty slot is all zero: 0 empty squares are never stored.
std::uint64_t packed(const EndingEntry& e) noexcept {
  return std::uint64_t{static_cast<std::uint8_t>(e.lower)} | std::uint64_t{static_cast<std::uint8_t>(e.upper)} << 8 |
         std::uint64_t{e.empties} << 16 | std::uint64_t{e.best} << 24 | std::uint64_t{e.second} << 32;
}

EndingEntry unpacked(std::uint64_t data) noexcept {
  EndingEntry e;
  e.lower = static_cast<std::int8_t>(data & 0xff);
  e.upper = static_cast<std::int8_t>((data >> 8) & 0xff);
  e.empties = static_cast<std::uint8_t>((data >> 16) & 0xff);
  e.best = static_cast<std::uint8_t>((data >> 24) & 0xff);
  e.second = static_cast<std::uint8_t>((data >> 32) & 0xff);
  return e;
}

int empties_of(std::uint64_t data) noexcept { return static_cast<int>((data >> 16) & 0xff); }

}  // namespace

EndingTable::EndingTable(std::size_t megabytes)
    : buckets_(std::bit_floor(std::max<std::size_t>(1, megabytes * (std::size_t{1} << 20) / sizeof(Bucket)))),
      mask_(buckets_.size() - 1) {}

bool EndingTable::find(std::uint64_t key, EndingEntry& entry) const noexcept {
  for (const Slot& slot : bucket(key).slots) {
    const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
    if (data != 0 && (slot.hidden_key.load(std::memory_order_relaxed) ^ data) == key) {
      entry = unpacked(data);
      return true;
    }
  }
  return false;
}

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
  for (Bucket& b : buckets_) {
    for (Slot& slot : b.slots) {
      slot.hidden_key.store(0, std::memory_order_relaxed);
      slot.data.store(0, std::memory_order_relaxed);
    }
  }
}

}  // namespace paika::othello
