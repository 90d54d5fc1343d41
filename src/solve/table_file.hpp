// ValueTable: the values of all tiers of one game in one file, and how such a file is put together.
//
// The file is a header that says which game it is for and where each tier's section lies, and then the
// sections as they were written (solve/table_writer.hpp). docs/table-format.md tells every byte.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "solve/table_section.hpp"

namespace paika {

/// Puts the sections, tier 0 first, into one file for the game `spec`; each is checked while it is copied. The file
/// appears whole or not at all. Requires 1 to max_spec_bytes bytes of spec, and at least one section.
[[nodiscard]] Result<void> assemble_table(const std::string& path, std::string_view spec,
                                          std::span<const std::string> section_paths);

/// Shared by any number of threads, each with its own reader.
class ValueTable {
 public:
  /// Maps a file and checks everything but the blocks.
  [[nodiscard]] static Result<ValueTable> open(const std::string& path);
  /// The same for bytes in memory; `name` stands for the file in messages.
  [[nodiscard]] static Result<ValueTable> open(std::string_view name, std::vector<std::uint8_t> bytes);

  /// The game's spec string, as the solver gave it.
  [[nodiscard]] const std::string& spec() const noexcept { return spec_; }
  /// The tiers, with their names, sizes and statistics.
  [[nodiscard]] std::span<const TableSection> tiers() const noexcept { return tiers_; }
  /// How many positions all tiers have together.
  [[nodiscard]] std::uint64_t positions() const noexcept { return positions_; }
  /// One checksum for the file (docs/table-format.md).
  [[nodiscard]] std::uint64_t checksum() const noexcept { return checksum_; }
  /// A reader for the blocks of this table that takes about so much memory.
  [[nodiscard]] TableReader reader(std::size_t memory_bytes) const;

  /// The value of a place; an error if there is no such place or its block is damaged.
  [[nodiscard]] Result<Value> lookup(TableReader& reader, std::uint32_t tier, std::uint64_t index) const;
  /// Reads everything: an error if any byte is not as it was written.
  [[nodiscard]] Result<void> check(const TableProgress& progress = {}) const;

 private:
  explicit ValueTable(std::shared_ptr<const TableStorage> storage) noexcept : storage_(std::move(storage)) {}

  [[nodiscard]] static Result<ValueTable> open(const std::shared_ptr<const TableStorage>& storage);

  std::shared_ptr<const TableStorage> storage_;
  std::string spec_;
  std::vector<TableSection> tiers_;
  std::uint64_t positions_ = 0;
  std::uint64_t checksum_ = 0;
};

}  // namespace paika
