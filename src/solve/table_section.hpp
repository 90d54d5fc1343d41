// TableSection: the values of one tier, read from a file; TableReader: the blocks a thread keeps at hand.
//
// A section is a file of its own while a game is being solved, and a part of the whole file afterwards.
// It does not change and may be read by any number of threads, each with its own reader. Opening checks
// everything but the blocks, and a block is checked whenever it is decompressed: damaged data is an
// error that names file, tier and block, never a wrong value.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "solve/decompressor.hpp"
#include "solve/table_format.hpp"
#include "solve/table_storage.hpp"
#include "solve/value.hpp"

namespace paika {

/// Told now and then how many positions of how many have been dealt with.
using TableProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Decompressed blocks of any sections, for one thread: each block has one place, where it replaces another.
class TableReader {
 public:
  /// Takes about `memory_bytes`, and room for one block at least. `block_bytes` should be the largest block_bytes()
  /// of the sections to be read; of larger blocks only the last one is kept.
  explicit TableReader(std::size_t memory_bytes, std::size_t block_bytes = default_block_positions);

  /// How many blocks it can keep.
  [[nodiscard]] std::size_t capacity() const noexcept { return lines_.size(); }
  /// How many blocks have been decompressed so far.
  [[nodiscard]] std::uint64_t misses() const noexcept { return misses_; }

 private:
  friend class TableSection;

  /// Which block a piece of the memory holds; no section has the number 0.
  struct Line {
    std::uint64_t section = 0;
    std::uint64_t block = 0;
    friend bool operator==(const Line&, const Line&) = default;
  };

  [[nodiscard]] std::size_t slot(Line wanted) const noexcept;

  std::size_t block_bytes_;
  std::vector<Line> lines_;
  std::unique_ptr<std::uint8_t[]> memory_;
  /// Where a block goes that is too large for a line, and where blocks pass through when many are read in a row.
  Line large_line_;
  std::vector<std::uint8_t> large_;
  Decompressor decompressor_;
  std::uint64_t misses_ = 0;
};

class TableSection {
 public:
  /// Maps a section's own file and checks everything but the blocks.
  [[nodiscard]] static Result<TableSection> open(const std::string& path);
  /// The same for a part of a file, the `length` bytes from `offset` on, which must be the section exactly. Of a
  /// storage that does not have all bytes, errors are handed on; what was read must stay while the section is used.
  [[nodiscard]] static Result<TableSection> open(std::shared_ptr<const TableStorage> storage, std::uint64_t offset,
                                                 std::uint64_t length);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t positions() const noexcept { return header_.positions; }
  [[nodiscard]] const TierStatistics& statistics() const noexcept { return header_.statistics; }
  /// The distinct codes of the tier, ascending.
  [[nodiscard]] std::span<const std::uint16_t> dictionary() const noexcept { return dictionary_; }
  /// How many bytes it has in the file.
  [[nodiscard]] std::uint64_t length() const noexcept { return length_; }
  /// What stands before the blocks, and is checked when it is opened.
  [[nodiscard]] Bytes front() const noexcept { return front_; }
  /// What opening does not check; empty if the storage does not have all bytes.
  [[nodiscard]] Bytes blocks() const noexcept { return blocks_; }
  /// The checksum of its header, which stands for every byte of it.
  [[nodiscard]] std::uint64_t checksum() const noexcept { return section_checksum(front_); }
  [[nodiscard]] std::uint64_t blocks_checksum() const noexcept { return header_.blocks_checksum; }
  /// How many bytes a decompressed block takes.
  [[nodiscard]] std::size_t block_bytes() const noexcept { return header_.bytes_of(header_.block_positions); }
  /// True if values are looked up where the file is mapped, two bits a position: no reader is needed for that.
  [[nodiscard]] bool is_packed() const noexcept { return header_.is_packed(); }

  /// The value at an index; an error if there is no such index or its block is damaged. Of a packed section the
  /// block is checked when it is first used.
  [[nodiscard]] Result<Value> value(TableReader& reader, std::uint64_t index) const;
  /// The codes from the index `first` on, as many as `out` takes; leaves the blocks that the reader keeps alone.
  [[nodiscard]] Result<void> read(TableReader& reader, std::uint64_t first, std::span<std::uint16_t> out) const;
  /// Calls use(first, codes) for all codes of the tier in order, piece by piece; stops at an error.
  [[nodiscard]] Result<void> for_each_piece(
      TableReader& reader,
      const std::function<void(std::uint64_t first, std::span<const std::uint16_t> codes)>& use) const;
  /// Reads everything: an error if any byte is not as it was written.
  [[nodiscard]] Result<void> check(const TableProgress& progress = {}) const;

  /// An error about this section's blocks as a whole.
  [[nodiscard]] tl::unexpected<Error> blocks_damaged() const;

 private:
  TableSection(std::shared_ptr<const TableStorage> storage, std::uint64_t offset, std::uint64_t length) noexcept;

  [[nodiscard]] Result<void> read_header();
  [[nodiscard]] Result<void> check_sizes() const;
  [[nodiscard]] Result<void> read_front();
  [[nodiscard]] Result<void> read_dictionary(Bytes dictionary);
  [[nodiscard]] Result<void> check_index() const;
  [[nodiscard]] const char* entry_fault(const BlockEntry& entry, std::uint64_t block,
                                        std::uint64_t offset) const noexcept;
  [[nodiscard]] BlockEntry entry(std::uint64_t block) const noexcept;
  [[nodiscard]] Result<Bytes> stored(std::uint64_t block, const BlockEntry& entry) const;
  [[nodiscard]] std::size_t positions_in(std::uint64_t block) const noexcept;
  [[nodiscard]] std::uint32_t number_at(const std::uint8_t* block, std::size_t position) const noexcept;
  [[nodiscard]] Result<void> unpack(TableReader& reader, std::uint64_t block, const BlockEntry& entry,
                                    std::uint8_t* out) const;
  [[nodiscard]] Result<const std::uint8_t*> block_at_hand(TableReader& reader, std::uint64_t block,
                                                          const BlockEntry& entry) const;
  [[nodiscard]] Result<const std::uint8_t*> block_passing(TableReader& reader, std::uint64_t block,
                                                          const BlockEntry& entry) const;
  [[nodiscard]] Result<Value> packed_value(std::uint64_t index) const;
  [[nodiscard]] Result<Bytes> packed_block(std::uint64_t block) const;
  [[nodiscard]] const char* numbers_fault(const std::uint8_t* numbers, std::size_t count) const noexcept;
  [[nodiscard]] std::string where() const;
  [[nodiscard]] tl::unexpected<Error> damaged(std::uint64_t block, std::string_view how) const;

  std::shared_ptr<const TableStorage> storage_;
  std::uint64_t offset_;  // in the file
  std::uint64_t length_;
  Bytes front_;
  SectionHeader header_;
  std::string name_;
  std::vector<std::uint16_t> dictionary_;
  Bytes index_;
  Bytes blocks_;
  std::uint64_t blocks_length_ = 0;
  int block_shift_ = 0;
  /// Of a packed section: which blocks have been found to be as they were written. Shared by copies.
  std::shared_ptr<std::vector<std::atomic<bool>>> sound_;
  /// Tells the blocks of this section from others in a reader; no two opened sections share one.
  std::uint64_t number_;
};

}  // namespace paika
