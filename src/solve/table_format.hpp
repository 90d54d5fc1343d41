// The fixed parts of a section of a table file: its header and its index of blocks.
//
// docs/table-format.md tells the whole format byte by byte; this is where it is written and read.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "solve/table_bytes.hpp"
#include "solve/value.hpp"

namespace paika {

/// The version of sections and of whole files; a change of either gets a new number.
inline constexpr std::uint32_t table_version = 1;

/// Positions in a block if nobody asks for another number: a good balance of size and time (docs/table-format.md).
inline constexpr std::uint32_t default_block_positions = 4096;
/// The numbers of positions that a block can have: powers of two between these.
inline constexpr std::uint32_t min_block_positions = 64;
inline constexpr std::uint32_t max_block_positions = 1 << 16;

/// The longest texts, in bytes.
inline constexpr std::uint32_t max_tier_name_bytes = 255;
inline constexpr std::uint32_t max_spec_bytes = 4095;

/// What a tier holds, counted.
struct TierStatistics {
  std::uint64_t wins = 0;
  std::uint64_t losses = 0;
  std::uint64_t draws = 0;
  /// Indices without a position.
  std::uint64_t voids = 0;
  /// Turns of the longest forced win and loss; 0 if there is none, or distances are not told.
  std::uint32_t longest_win = 0;
  std::uint32_t longest_loss = 0;
  friend bool operator==(const TierStatistics&, const TierStatistics&) = default;
};

/// The statistics of a tier in which the code dictionary[i] occurs counts[i] times.
[[nodiscard]] TierStatistics statistics_of(std::span<const std::uint16_t> dictionary,
                                           std::span<const std::uint64_t> counts) noexcept;

/// How many bytes a position takes before compression, 1 or 2, if a tier has so many distinct values.
[[nodiscard]] constexpr std::uint32_t position_bytes_for(std::uint32_t distinct) noexcept {
  return distinct <= 256 ? 1 : 2;
}

// A packed section has two bits a position, so that one can be looked up where the file is mapped. Its header has 0 for
// the bytes of a position.
inline constexpr std::uint32_t max_packed_values = 4;
/// Positions in a block of a packed section: a page of memory.
inline constexpr std::uint32_t packed_block_positions = 1 << 14;

/// How many blocks hold so many positions. Requires block_positions > 0.
[[nodiscard]] constexpr std::uint64_t block_count(std::uint64_t positions, std::uint32_t block_positions) noexcept {
  return positions / block_positions + (positions % block_positions != 0 ? 1 : 0);
}

/// True for the numbers of positions that a block can have.
[[nodiscard]] constexpr bool is_block_size(std::uint32_t positions) noexcept {
  return positions >= min_block_positions && positions <= max_block_positions && (positions & (positions - 1)) == 0;
}

/// What stands first in a section, without magic, version and its own checksum.
struct SectionHeader {
  static constexpr std::string_view magic = "PAIKASEC";
  static constexpr std::uint32_t bytes = 120;

  std::uint32_t name_bytes = 0;
  std::uint32_t distinct = 0;
  std::uint32_t position_bytes = 0;
  std::uint32_t block_positions = 0;
  std::uint64_t positions = 0;
  std::uint64_t section_bytes = 0;
  TierStatistics statistics;
  /// Of the name and the dictionary, of the index, of all blocks.
  std::uint64_t dictionary_checksum = 0;
  std::uint64_t index_checksum = 0;
  std::uint64_t blocks_checksum = 0;

  /// The header as it stands in a file.
  [[nodiscard]] std::array<std::uint8_t, bytes> encoded() const;
  /// Reads what encoded() wrote, without magic, version and checksum; requires at least `bytes` bytes.
  [[nodiscard]] static SectionHeader decoded(Bytes section) noexcept;

  /// Where the index begins.
  [[nodiscard]] std::uint64_t index_offset() const noexcept {
    return std::uint64_t{bytes} + name_bytes + 2 * std::uint64_t{distinct};
  }
  [[nodiscard]] bool is_packed() const noexcept { return position_bytes == 0; }
  /// How many bytes the numbers of so many positions take before compression.
  [[nodiscard]] std::size_t bytes_of(std::size_t count) const noexcept {
    return is_packed() ? (count + 3) / 4 : count * position_bytes;
  }
  /// How many blocks there are. Requires block_positions > 0.
  [[nodiscard]] std::uint64_t blocks() const noexcept { return block_count(positions, block_positions); }
};

/// The checksum in an encoded header; with those that the header holds it stands for every byte of the section.
[[nodiscard]] std::uint64_t section_checksum(Bytes section) noexcept;

enum class BlockKind : unsigned char {
  one_value,   // no bytes; the index says which value
  raw,         // the numbers as they are
  compressed,  // a zstd frame
  unknown
};

/// What the index says of one block.
struct BlockEntry {
  static constexpr std::size_t bytes = 16;
  static constexpr std::uint32_t detail_bits = 30;

  /// Where the block's bytes begin, counted from the first block's.
  std::uint64_t offset = 0;
  std::uint32_t checksum = 0;
  BlockKind kind = BlockKind::one_value;
  /// How many bytes, below 2^30; for one_value the number of the value in the dictionary.
  std::uint32_t detail = 0;

  /// How many bytes the block takes among the blocks.
  [[nodiscard]] std::uint32_t length() const noexcept { return kind == BlockKind::one_value ? 0 : detail; }
  [[nodiscard]] std::array<std::uint8_t, bytes> encoded() const noexcept;
  /// Requires `bytes` bytes at `at`.
  [[nodiscard]] static BlockEntry decoded(const std::uint8_t* at) noexcept;
};

}  // namespace paika
