#include "search/proof_table.hpp"

#include <algorithm>
#include <bit>

namespace paika {

namespace {

// Bits of an entry, from the top: 8 work, 2 kind, 24 phi (or length), 24 delta, 1 that is always set.
constexpr int work_shift = 56;
constexpr int kind_shift = 49;
constexpr int phi_shift = 25;
constexpr int delta_shift = 1;
constexpr std::uint64_t number_mask = (1U << 24) - 1;

/// Work in steps of a quarter of a power of two: 3, 2 + 1/4 bits, … fit into a byte.
constexpr std::uint64_t coded_work(std::uint64_t work) {
  if (work < 4) return work;
  const auto top = static_cast<std::uint64_t>(std::bit_width(work) - 1);
  return 4 * (top - 1) + ((work >> (top - 2)) & 3);
}
constexpr std::uint64_t decoded_work(std::uint64_t code) {
  if (code < 4) return code;
  return (4 + (code & 3)) << (code / 4 - 1);
}
static_assert(coded_work(UINT64_MAX) < 256 && decoded_work(coded_work(1U << 20)) == 1U << 20);

std::uint64_t encoded(const ProofEntry& entry) {
  const std::uint64_t first = entry.kind == ProofKind::open ? entry.phi : std::min(entry.length, unknown_length);
  return coded_work(entry.work) << work_shift | static_cast<std::uint64_t>(entry.kind) << kind_shift |
         first << phi_shift | std::uint64_t{entry.delta} << delta_shift | 1;
}

ProofEntry decoded(std::uint64_t data) {
  ProofEntry entry;
  entry.kind = static_cast<ProofKind>((data >> kind_shift) & 3);
  const auto first = static_cast<std::uint32_t>((data >> phi_shift) & number_mask);
  (entry.kind == ProofKind::open ? entry.phi : entry.length) = first;
  entry.delta = static_cast<std::uint32_t>((data >> delta_shift) & number_mask);
  entry.work = decoded_work(data >> work_shift);
  return entry;
}

/// What it would cost to lose an entry. Settled ones count like open ones with four times their work: they
/// are never out of date, and without them an answer can no longer be shown.
std::uint64_t worth(std::uint64_t data) {
  const bool open = ((data >> kind_shift) & 3) == static_cast<std::uint64_t>(ProofKind::open);
  return (data >> work_shift) + (open ? 0 : 8);
}

}  // namespace

ProofTable::ProofTable(std::size_t bytes) : buckets_(std::max<std::size_t>(1, bytes / sizeof(Bucket))) {}

std::optional<ProofEntry> ProofTable::find(std::uint64_t key) const noexcept {
  for (const Slot& slot : buckets_[bucket_of(key)].slots) {
    if (slot.key == key && slot.data != 0) return decoded(slot.data);
  }
  return std::nullopt;
}

void ProofTable::store(std::uint64_t key, const ProofEntry& entry) noexcept {
  auto& slots = buckets_[bucket_of(key)].slots;
  Slot* place = slots.data();
  for (Slot& slot : slots) {
    if (slot.key == key || slot.data == 0) {
      place = &slot;
      break;
    }
    if (worth(slot.data) < worth(place->data)) place = &slot;
  }
  *place = {key, encoded(entry)};
}

void ProofTable::clear() noexcept { std::fill(buckets_.begin(), buckets_.end(), Bucket{}); }

int ProofTable::permille() const noexcept {
  const std::size_t sample = std::min<std::size_t>(buckets_.size(), 1000);
  std::size_t used = 0;
  for (std::size_t i = 0; i < sample; ++i) {
    for (const Slot& slot : buckets_[i].slots) used += slot.data != 0 ? 1 : 0;
  }
  return static_cast<int>(used * 1000 / (sample * bucket_size));
}

}  // namespace paika
