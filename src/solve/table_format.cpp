#include "solve/table_format.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace paika {

namespace {

constexpr std::size_t checksum_offset = SectionHeader::bytes - sizeof(std::uint64_t);

}  // namespace

TierStatistics statistics_of(std::span<const std::uint16_t> dictionary,
                             std::span<const std::uint64_t> counts) noexcept {
  TierStatistics statistics;
  for (std::size_t i = 0; i < dictionary.size(); ++i) {
    const Value value = Value::from_code(dictionary[i]);
    const auto turns = static_cast<std::uint32_t>(value.has_distance() ? value.turns() : 0);
    switch (value.kind()) {
      case ValueKind::draw: statistics.draws += counts[i]; break;
      case ValueKind::none: statistics.voids += counts[i]; break;
      case ValueKind::win:
        statistics.wins += counts[i];
        statistics.longest_win = std::max(statistics.longest_win, turns);
        break;
      case ValueKind::loss:
        statistics.losses += counts[i];
        statistics.longest_loss = std::max(statistics.longest_loss, turns);
        break;
    }
  }
  return statistics;
}

std::array<std::uint8_t, SectionHeader::bytes> SectionHeader::encoded() const {
  ByteSink sink;
  sink.put(magic);
  sink.put(table_version);
  sink.put(bytes);
  sink.put(name_bytes);
  sink.put(distinct);
  sink.put(position_bytes);
  sink.put(block_positions);
  sink.put(statistics.longest_win);
  sink.put(statistics.longest_loss);
  sink.put(positions);
  sink.put(section_bytes);
  sink.put(statistics.wins);
  sink.put(statistics.losses);
  sink.put(statistics.draws);
  sink.put(statistics.voids);
  sink.put(dictionary_checksum);
  sink.put(index_checksum);
  sink.put(blocks_checksum);
  PAIKA_CHECK(sink.bytes().size() == checksum_offset);
  sink.put(checksum64(sink.bytes()));
  std::array<std::uint8_t, bytes> header{};
  std::ranges::copy(sink.bytes(), header.begin());
  return header;
}

SectionHeader SectionHeader::decoded(Bytes section) noexcept {
  ByteSource source(section);
  // Magic, version and the header's length.
  (void)source.take_bytes(magic.size() + 2 * sizeof(std::uint32_t));
  SectionHeader header;
  header.name_bytes = source.take<std::uint32_t>();
  header.distinct = source.take<std::uint32_t>();
  header.position_bytes = source.take<std::uint32_t>();
  header.block_positions = source.take<std::uint32_t>();
  header.statistics.longest_win = source.take<std::uint32_t>();
  header.statistics.longest_loss = source.take<std::uint32_t>();
  header.positions = source.take<std::uint64_t>();
  header.section_bytes = source.take<std::uint64_t>();
  header.statistics.wins = source.take<std::uint64_t>();
  header.statistics.losses = source.take<std::uint64_t>();
  header.statistics.draws = source.take<std::uint64_t>();
  header.statistics.voids = source.take<std::uint64_t>();
  header.dictionary_checksum = source.take<std::uint64_t>();
  header.index_checksum = source.take<std::uint64_t>();
  header.blocks_checksum = source.take<std::uint64_t>();
  return header;
}

std::uint64_t section_checksum(Bytes section) noexcept {
  return get_little_endian<std::uint64_t>(section.data() + checksum_offset);
}

std::array<std::uint8_t, BlockEntry::bytes> BlockEntry::encoded() const noexcept {
  std::array<std::uint8_t, bytes> entry{};
  put_little_endian(entry.data(), offset);
  put_little_endian(entry.data() + 8, checksum);
  put_little_endian(entry.data() + 12, (static_cast<std::uint32_t>(kind) << detail_bits) | detail);
  return entry;
}

BlockEntry BlockEntry::decoded(const std::uint8_t* at) noexcept {
  const auto last = get_little_endian<std::uint32_t>(at + 12);
  return {get_little_endian<std::uint64_t>(at), get_little_endian<std::uint32_t>(at + 8),
          static_cast<BlockKind>(last >> detail_bits), last & ((1U << detail_bits) - 1)};
}

}  // namespace paika
