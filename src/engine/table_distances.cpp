#include "engine/table_distances.hpp"

#include <cstddef>
#include <span>

namespace paika {

namespace {

constexpr std::size_t distances_reader_bytes = std::size_t{1} << 20;

void add_to(std::vector<std::uint64_t>& by_distance, int distance, std::uint64_t count) {
  const auto at = static_cast<std::size_t>(distance);
  if (by_distance.size() <= at) by_distance.resize(at + 1);
  by_distance[at] += count;
}

}  // namespace

Result<TableDistances> count_distances(const ValueTable& table) {
  TableDistances found;
  std::vector<std::uint64_t> counts;  // by code
  TableReader reader = table.reader(distances_reader_bytes);
  for (const TableSection& tier : table.tiers()) {
    found.draws += tier.statistics().draws;
    if (tier.is_packed()) continue;
    counts.assign(std::size_t{UINT16_MAX} + 1, 0);
    const auto count = [&](std::uint64_t /*first*/, std::span<const std::uint16_t> codes) {
      for (const std::uint16_t code : codes) ++counts[code];
    };
    if (auto read = tier.for_each_piece(reader, count); !read) return tl::unexpected(read.error());
    for (const std::uint16_t code : tier.dictionary()) {
      const Value value = Value::from_code(code);
      if (!value.has_distance()) continue;
      if (value.is_win()) add_to(found.wins, value.turns(), counts[code]);
      if (value.is_loss()) add_to(found.losses, value.turns(), counts[code]);
    }
  }
  return found;
}

}  // namespace paika
