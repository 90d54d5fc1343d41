// RemoteTable: a table whose bytes are elsewhere and come piece by piece, for a program without files: the engine in
// the browser.
//
// Nothing waits here. A lookup that needs bytes that have not come fails and notes which; whoever asked fetches all
// that are missing, supplies them and asks again. What comes is checked as a file is (docs/table-format.md): the header
// by the checksum that the table was announced with, a section by the header, its index by the section, a block by the
// index.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "rules/tier_index.hpp"
#include "solve/table_header.hpp"
#include "solve/table_section.hpp"
#include "solve/table_storage.hpp"

namespace paika {

/// Some bytes of a file.
struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  friend auto operator<=>(const ByteRange&, const ByteRange&) = default;
};

class RemoteTable {
 public:
  /// The table in the file `name` of so many bytes; `checksum` as checksum_text() has it, or empty if nobody has told
  /// it.
  RemoteTable(std::string name, std::uint64_t size, std::string checksum);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t size() const noexcept;
  [[nodiscard]] const std::string& checksum() const noexcept { return checksum_; }

  /// The value of a place, as ValueTable::lookup gives it; an error too if bytes are missing.
  [[nodiscard]] Result<Value> lookup(TierIndex place);

  /// The bytes that lookups have missed since the last call, each range once.
  [[nodiscard]] std::vector<ByteRange> take_missing();
  /// Takes bytes of the file, a range that was missing. Others are of no use.
  void supply(std::uint64_t offset, std::vector<std::uint8_t> bytes);
  /// How many bytes it holds.
  [[nodiscard]] std::uint64_t held() const noexcept;
  /// Lets go of all bytes.
  void forget();

 private:
  class Pieces;

  [[nodiscard]] Result<const TableSection*> section(std::uint32_t tier);

  std::string name_;
  std::string checksum_;
  std::shared_ptr<Pieces> pieces_;
  std::optional<TableHeader> header_;
  std::map<std::uint32_t, TableSection> sections_;  // those that were opened
  TableReader reader_;
};

}  // namespace paika
