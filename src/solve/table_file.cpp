#include "solve/table_file.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/text.hpp"

namespace paika {

namespace {

constexpr std::string_view table_magic = "PAIKATBL";

/// Magic, version, number of tiers, length of the header, length of the file.
constexpr std::size_t front_bytes = 32;
/// What a header has besides texts and tiers: the front, the length of the spec, the checksum.
constexpr std::size_t fixed_bytes = front_bytes + 4 + 8;
/// What the header says of a tier besides its name: the name's length, positions, offset, length, checksum.
constexpr std::size_t tier_bytes = 4 + 4 * 8;

/// How much is copied at a time.
constexpr std::size_t copy_bytes = std::size_t{1} << 22;

std::vector<std::uint8_t> encoded_header(std::string_view spec, std::span<const TableSection> sections) {
  std::uint64_t header_bytes = fixed_bytes + spec.size();
  std::uint64_t file_bytes = 0;
  for (const TableSection& section : sections) {
    header_bytes += tier_bytes + section.name().size();
    file_bytes += section.bytes().size();
  }
  file_bytes += header_bytes;
  ByteSink sink;
  sink.put(table_magic);
  sink.put(table_version);
  sink.put(static_cast<std::uint32_t>(sections.size()));
  sink.put(header_bytes);
  sink.put(file_bytes);
  sink.put(static_cast<std::uint32_t>(spec.size()));
  sink.put(spec);
  std::uint64_t offset = header_bytes;
  for (const TableSection& section : sections) {
    sink.put(static_cast<std::uint32_t>(section.name().size()));
    sink.put(section.name());
    sink.put(section.positions());
    sink.put(offset);
    sink.put(std::uint64_t{section.bytes().size()});
    sink.put(section_checksum(section.bytes()));
    offset += section.bytes().size();
  }
  sink.put(checksum64(sink.bytes()));
  PAIKA_CHECK(sink.bytes().size() == header_bytes);
  return std::move(sink).take();
}

/// Copies a section byte for byte; what opening it did not check is checked on the way.
Result<void> copy_section(PartFile& file, const TableSection& section) {
  const Bytes blocks = section.blocks();
  if (auto done = file.append(section.bytes().first(section.bytes().size() - blocks.size())); !done) return done;
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
  if (auto done = file->append(encoded_header(spec, sections)); !done) return done;
  for (const TableSection& section : sections) {
    if (auto done = copy_section(*file, section); !done) return done;
  }
  return file->commit();
}

Result<ValueTable> ValueTable::open(const std::string& path) {
  auto storage = TableStorage::map(path);
  if (!storage) return tl::unexpected(std::move(storage).error());
  return open(*std::move(storage));
}

Result<ValueTable> ValueTable::open(std::string_view name, std::vector<std::uint8_t> bytes) {
  return open(TableStorage::hold(name, std::move(bytes)));
}

Result<ValueTable> ValueTable::open(std::shared_ptr<const TableStorage> storage) {
  ValueTable table(std::move(storage));
  const auto header = table.checked_header();
  if (!header) return tl::unexpected(header.error());
  if (auto read = table.read_tiers(*header); !read) return tl::unexpected(std::move(read).error());
  return table;
}

tl::unexpected<Error> ValueTable::damaged(std::string_view how) const {
  return fail("the file {} is damaged: {}", storage_->name(), how);
}

/// The header without its checksum, which is right.
Result<Bytes> ValueTable::checked_header() const {
  const Bytes bytes = storage_->bytes();
  ByteSource source(bytes);
  if (as_text(source.take_bytes(table_magic.size())) != table_magic) {
    return fail("the file {} is not a table of solved positions: those begin with {}", storage_->name(), table_magic);
  }
  const auto version = source.take<std::uint32_t>();
  if (source.ok() && version != table_version) {
    return fail("the file {} has version {} of the table format; this program reads version {}", storage_->name(),
                version, table_version);
  }
  (void)source.take<std::uint32_t>();
  const auto header_bytes = source.take<std::uint64_t>();
  const auto file_bytes = source.take<std::uint64_t>();
  if (!source.ok() || header_bytes < fixed_bytes || header_bytes > bytes.size()) {
    return damaged(fmt::format("it is too short for its header ({} bytes)", bytes.size()));
  }
  const Bytes header = bytes.first(static_cast<std::size_t>(header_bytes) - sizeof(std::uint64_t));
  if (checksum64(header) != get_little_endian<std::uint64_t>(header.data() + header.size())) {
    return damaged("the checksum of its header is wrong");
  }
  if (file_bytes != bytes.size()) {
    return damaged(fmt::format("{} bytes long, but its header says {}", bytes.size(), file_bytes));
  }
  return header;
}

Result<void> ValueTable::read_tiers(Bytes header) {
  ByteSource source(header.subspan(table_magic.size() + sizeof(std::uint32_t)));
  const auto tiers = source.take<std::uint32_t>();
  (void)source.take_bytes(2 * sizeof(std::uint64_t));
  const auto spec_bytes = source.take<std::uint32_t>();
  spec_ = as_text(source.take_bytes(spec_bytes));
  if (spec_.empty() || spec_bytes > max_spec_bytes) return damaged("the length of the game's spec is wrong");
  if (tiers == 0 || tiers > source.rest().size() / tier_bytes) return damaged("the number of tiers is wrong");
  tiers_.reserve(tiers);
  ByteSource sections(storage_->bytes().subspan(header.size() + sizeof(std::uint64_t)));
  for (std::uint32_t tier = 0; tier < tiers; ++tier) {
    const Bytes name = source.take_bytes(source.take<std::uint32_t>());
    const auto positions = source.take<std::uint64_t>();
    const auto offset = source.take<std::uint64_t>();
    const auto length = source.take<std::uint64_t>();
    const auto checksum = source.take<std::uint64_t>();
    const std::uint64_t expected = storage_->bytes().size() - sections.rest().size();
    const Bytes bytes = sections.take_bytes(length);
    if (!source.ok() || !sections.ok() || offset != expected) {
      return damaged(fmt::format("the place of tier {} is wrong", tier));
    }
    auto section = TableSection::open(storage_, bytes);
    if (!section) return tl::unexpected(std::move(section).error());
    if (section->name() != as_text(name) || section->positions() != positions || section_checksum(bytes) != checksum) {
      return damaged(fmt::format("the section of tier {} is not the one that belongs there", tier));
    }
    tiers_.push_back(*std::move(section));
    // Each section has more bytes than it has blocks, and a block is at most 2^16 positions: this is far from 2^64.
    positions_ += positions;
  }
  if (!source.rest().empty()) return damaged("its header is longer than its tiers");
  if (!sections.rest().empty()) return damaged("there are bytes after its last tier");
  return {};
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
