#include "engine/table_distances.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "engine/solver.hpp"

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

Result<std::optional<TierIndex>> longest_win_of(const ValueTable& table) {
  const auto longest = std::ranges::max_element(table.tiers(), {},
                                                [](const TableSection& tier) { return tier.statistics().longest_win; });
  const std::uint32_t turns = longest->statistics().longest_win;
  if (turns == 0) return std::optional<TierIndex>();
  std::optional<TierIndex> found;
  const auto tier = static_cast<std::uint32_t>(longest - table.tiers().begin());
  const std::uint16_t wanted = Value::win(static_cast<int>(turns)).code();
  const auto look = [&](std::uint64_t first, std::span<const std::uint16_t> codes) {
    const auto at = std::ranges::find(codes, wanted);
    if (!found && at != codes.end()) found = TierIndex{tier, first + static_cast<std::uint64_t>(at - codes.begin())};
  };
  TableReader reader = table.reader(distances_reader_bytes);
  if (auto read = longest->for_each_piece(reader, look); !read) return tl::unexpected(read.error());
  return found;
}

std::optional<Board> board_in(const ValueTable& table, TierIndex place) {
  const std::string spec = table.spec().substr(0, table.spec().find(' '));
  for (const TableKind& kind : table_kinds(spec)) {
    if (kind.label != table.spec()) continue;
    const auto solver = open_solver(spec, kind.stones);
    return solver ? (*solver)->board(place) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace paika
