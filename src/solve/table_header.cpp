#include "solve/table_header.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace paika {

namespace {

constexpr std::string_view table_magic = "PAIKATBL";

/// Magic, version, number of tiers, length of the header, length of the file.
constexpr std::size_t front_bytes = 32;
/// What a header has besides texts and tiers: the front, the length of the spec, the checksum.
constexpr std::size_t fixed_bytes = front_bytes + 4 + 8;
/// What the header says of a tier besides its name: the name's length, positions, offset, length, checksum.
constexpr std::size_t tier_bytes = 4 + 4 * 8;

tl::unexpected<Error> damaged(const TableStorage& storage, std::string_view how) {
  return fail("the file {} is damaged: {}", storage.name(), how);
}

/// The header without its checksum, which is right.
Result<Bytes> checked_header(const TableStorage& storage) {
  const std::uint64_t size = storage.size();
  const auto front = storage.read(0, std::min<std::uint64_t>(size, front_bytes));
  if (!front) return tl::unexpected(front.error());
  ByteSource source(*front);
  if (as_text(source.take_bytes(table_magic.size())) != table_magic) {
    return fail("the file {} is not a table of solved positions: those begin with {}", storage.name(), table_magic);
  }
  const auto version = source.take<std::uint32_t>();
  if (source.ok() && version != table_version) {
    return fail("the file {} has version {} of the table format; this program reads version {}", storage.name(),
                version, table_version);
  }
  (void)source.take<std::uint32_t>();
  const auto header_bytes = source.take<std::uint64_t>();
  const auto file_bytes = source.take<std::uint64_t>();
  if (!source.ok() || header_bytes < fixed_bytes || header_bytes > size) {
    return damaged(storage, fmt::format("it is too short for its header ({} bytes)", size));
  }
  const auto whole = storage.read(0, header_bytes);
  if (!whole) return tl::unexpected(whole.error());
  const Bytes header = whole->first(whole->size() - sizeof(std::uint64_t));
  if (checksum64(header) != get_little_endian<std::uint64_t>(header.data() + header.size())) {
    return damaged(storage, "the checksum of its header is wrong");
  }
  if (file_bytes != size)
    return damaged(storage, fmt::format("{} bytes long, but its header says {}", size, file_bytes));
  return header;
}

}  // namespace

Result<TableHeader> TableHeader::read(const TableStorage& storage) {
  const auto header = checked_header(storage);
  if (!header) return tl::unexpected(header.error());
  ByteSource source(header->subspan(table_magic.size() + sizeof(std::uint32_t)));
  const auto count = source.take<std::uint32_t>();
  (void)source.take_bytes(2 * sizeof(std::uint64_t));
  const auto spec_bytes = source.take<std::uint32_t>();
  TableHeader found;
  found.spec = as_text(source.take_bytes(spec_bytes));
  if (found.spec.empty() || spec_bytes > max_spec_bytes)
    return damaged(storage, "the length of the game's spec is wrong");
  if (count == 0 || count > source.rest().size() / tier_bytes) return damaged(storage, "the number of tiers is wrong");
  found.tiers.reserve(count);
  std::uint64_t end = header->size() + sizeof(std::uint64_t);  // of what came before
  for (std::uint32_t number = 0; number < count; ++number) {
    Tier tier;
    tier.name = as_text(source.take_bytes(source.take<std::uint32_t>()));
    tier.positions = source.take<std::uint64_t>();
    tier.offset = source.take<std::uint64_t>();
    tier.length = source.take<std::uint64_t>();
    tier.checksum = source.take<std::uint64_t>();
    if (!source.ok() || tier.offset != end || tier.length > storage.size() - end) {
      return damaged(storage, fmt::format("the place of tier {} is wrong", number));
    }
    end += tier.length;
    found.tiers.push_back(std::move(tier));
  }
  if (!source.rest().empty()) return damaged(storage, "its header is longer than its tiers");
  if (end != storage.size()) return damaged(storage, "there are bytes after its last tier");
  return found;
}

std::uint64_t TableHeader::checksum() const {
  ByteSink sink;
  for (const Tier& tier : tiers) sink.put(tier.checksum);
  return checksum64(sink.bytes());
}

std::string checksum_text(std::uint64_t checksum) { return fmt::format("{:016x}", checksum); }

Result<TableSection> open_tier(const std::shared_ptr<const TableStorage>& storage, const TableHeader& header,
                               std::uint32_t tier) {
  const TableHeader::Tier& expected = header.tiers[tier];
  auto section = TableSection::open(storage, expected.offset, expected.length);
  if (section && (section->name() != expected.name || section->positions() != expected.positions ||
                  section->checksum() != expected.checksum)) {
    return damaged(*storage, fmt::format("the section of tier {} is not the one that belongs there", tier));
  }
  return section;
}

std::vector<std::uint8_t> encoded_table_header(std::string_view spec, std::span<const TableSection> sections) {
  std::uint64_t header_bytes = fixed_bytes + spec.size();
  std::uint64_t file_bytes = 0;
  for (const TableSection& section : sections) {
    header_bytes += tier_bytes + section.name().size();
    file_bytes += section.length();
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
    sink.put(section.length());
    sink.put(section.checksum());
    offset += section.length();
  }
  sink.put(checksum64(sink.bytes()));
  PAIKA_CHECK(sink.bytes().size() == header_bytes);
  return std::move(sink).take();
}

}  // namespace paika
