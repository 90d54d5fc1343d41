#include "solve/table_file.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/text.hpp"
#include "solve/table_header.hpp"

namespace paika {

namespace {

/// How much is copied at a time.
constexpr std::size_t copy_bytes = std::size_t{1} << 22;

/// Copies a section byte for byte; what opening it did not check is checked on the way.
Result<void> copy_section(PartFile& file, const TableSection& section) {
  const Bytes blocks = section.blocks();
  if (auto done = file.append(section.front()); !done) return done;
  RunningChecksum sum;
  for (std::size_t at = 0; at < blocks.size(); at += copy_bytes) {
    const Bytes piece = blocks.subspan(at, std::min(copy_bytes, blocks.size() - at));
    sum.add(piece);
    if (auto done = file.append(piece); !done) return done;
  }
  if (sum.value() != section.blocks_checksum()) return section.blocks_damaged();
  return {};
}

}  // namespace

Result<void> assemble_table(const std::string& path, std::string_view spec,
                            std::span<const std::string> section_paths) {
  PAIKA_CHECK(!spec.empty() && spec.size() <= max_spec_bytes && !section_paths.empty());
  std::vector<TableSection> sections;
  sections.reserve(section_paths.size());
  for (const std::string& section_path : section_paths) {
    auto section = TableSection::open(section_path);
    if (!section) return tl::unexpected(std::move(section).error());
    sections.push_back(*std::move(section));
  }
  auto file = PartFile::create(path);
  if (!file) return tl::unexpected(std::move(file).error());
  if (auto done = file->append(encoded_table_header(spec, sections)); !done) return done;
  for (const TableSection& section : sections) {
    if (auto done = copy_section(*file, section); !done) return done;
  }
  return file->commit();
}

Result<ValueTable> ValueTable::open(const std::string& path) {
  auto storage = WholeStorage::map(path);
  if (!storage) return tl::unexpected(std::move(storage).error());
  return open(*std::move(storage));
}

Result<ValueTable> ValueTable::open(std::string_view name, std::vector<std::uint8_t> bytes) {
  return open(WholeStorage::hold(name, std::move(bytes)));
}

Result<ValueTable> ValueTable::open(const std::shared_ptr<const TableStorage>& storage) {
  auto header = TableHeader::read(*storage);
  if (!header) return tl::unexpected(std::move(header).error());
  ValueTable table(storage);
  table.checksum_ = header->checksum();
  table.tiers_.reserve(header->tiers.size());
  for (std::uint32_t tier = 0; tier < header->tiers.size(); ++tier) {
    auto section = open_tier(storage, *header, tier);
    if (!section) return tl::unexpected(std::move(section).error());
    // Each section has more bytes than it has blocks, and a block is at most 2^16 positions: this is far from 2^64.
    table.positions_ += section->positions();
    table.tiers_.push_back(*std::move(section));
  }
  table.spec_ = std::move(header->spec);
  return table;
}

TableReader ValueTable::reader(std::size_t memory_bytes) const {
  std::size_t largest = 0;
  for (const TableSection& tier : tiers_) largest = std::max(largest, tier.block_bytes());
  return TableReader(memory_bytes, largest);
}

Result<Value> ValueTable::lookup(TableReader& reader, std::uint32_t tier, std::uint64_t index) const {
  if (tier >= tiers_.size()) {
    return fail("the file {} has no tier {}: it has {}, counted from 0", storage_->name(), tier, tiers_.size());
  }
  return tiers_[tier].value(reader, index);
}

Result<void> ValueTable::check(const TableProgress& progress) const {
  std::uint64_t before = 0;
  for (const TableSection& tier : tiers_) {
    const TableProgress total = [&](std::uint64_t done, std::uint64_t /*of*/) { progress(before + done, positions_); };
    if (auto checked = tier.check(progress ? total : TableProgress{}); !checked) return checked;
    before += tier.positions();
  }
  return {};
}

}  // namespace paika
