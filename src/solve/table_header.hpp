// TableHeader: what stands first in a table file, whoever reads it: which game it is for, and where each tier's section
// lies.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "solve/table_section.hpp"
#include "solve/table_storage.hpp"

namespace paika {

struct TableHeader {
  struct Tier {
    std::string name;
    std::uint64_t positions = 0;
    std::uint64_t offset = 0;  // in the file
    std::uint64_t length = 0;
    std::uint64_t checksum = 0;  // stands for every byte of the section
  };

  std::string spec;
  std::vector<Tier> tiers;

  /// Reads and checks the header: its checksum, and that the tiers follow each other to the end of the file.
  [[nodiscard]] static Result<TableHeader> read(const TableStorage& storage);
  /// One checksum for the file (docs/table-format.md).
  [[nodiscard]] std::uint64_t checksum() const;
};

/// The checksum of a file as the network has it, in 16 hexadecimal digits.
[[nodiscard]] std::string checksum_text(std::uint64_t checksum);

/// Opens the section of a tier, which must be the one that the header names.
[[nodiscard]] Result<TableSection> open_tier(const std::shared_ptr<const TableStorage>& storage,
                                             const TableHeader& header, std::uint32_t tier);

/// The header of a file with these sections, one after the other.
[[nodiscard]] std::vector<std::uint8_t> encoded_table_header(std::string_view spec,
                                                             std::span<const TableSection> sections);

}  // namespace paika
