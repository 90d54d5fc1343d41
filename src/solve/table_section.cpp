#include "solve/table_section.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#include "base/random.hpp"
#include "base/text.hpp"

namespace paika {

namespace {

/// A number for a section that no other has: an address could come again when a section is gone.
std::uint64_t next_section_number() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

constexpr std::size_t max_name_shown = 60;

/// How many blocks are read between two reports.
constexpr std::uint64_t blocks_per_report = 1024;

}  // namespace

TableReader::TableReader(std::size_t memory_bytes, std::size_t block_bytes)
    : block_bytes_(std::max<std::size_t>(block_bytes, 1)),
      lines_(std::max<std::size_t>(memory_bytes / (block_bytes_ + sizeof(Line)), 1)),
      memory_(std::make_unique_for_overwrite<std::uint8_t[]>(lines_.size() * block_bytes_)) {}

std::size_t TableReader::slot(Line wanted) const noexcept {
  // Blocks of one section that follow each other never meet while there is room for all of them.
  return static_cast<std::size_t>((wanted.block + mix64(wanted.section)) % lines_.size());
}

TableSection::TableSection(std::shared_ptr<const TableStorage> storage, std::uint64_t offset,
                           std::uint64_t length) noexcept
    : storage_(std::move(storage)), offset_(offset), length_(length), number_(next_section_number()) {}

Result<TableSection> TableSection::open(const std::string& path) {
  auto storage = WholeStorage::map(path);
  if (!storage) return tl::unexpected(std::move(storage).error());
  const std::uint64_t size = (*storage)->size();
  return open(*std::move(storage), 0, size);
}

Result<TableSection> TableSection::open(std::shared_ptr<const TableStorage> storage, std::uint64_t offset,
                                        std::uint64_t length) {
  TableSection section(std::move(storage), offset, length);
  if (auto read = section.read_header(); !read) return tl::unexpected(std::move(read).error());
  if (auto sound = section.check_sizes(); !sound) return tl::unexpected(std::move(sound).error());
  if (auto read = section.read_front(); !read) return tl::unexpected(std::move(read).error());
  if (auto checked = section.check_index(); !checked) return tl::unexpected(std::move(checked).error());
  if (section.is_packed() && !section.blocks_.empty()) {
    section.sound_ =
        std::make_shared<std::vector<std::atomic<bool>>>(static_cast<std::size_t>(section.header_.blocks()));
  }
  return section;
}

std::string TableSection::where() const {
  if (!name_.empty()) return fmt::format("the file {}, tier {}", storage_->name(), in_quotes(name_, max_name_shown));
  return fmt::format("the file {}, the section from byte {} on", storage_->name(), offset_);
}

tl::unexpected<Error> TableSection::damaged(std::uint64_t block, std::string_view how) const {
  return fail("{}, block {} is damaged: {}", where(), block, how);
}

tl::unexpected<Error> TableSection::blocks_damaged() const {
  return fail("{} is damaged: the checksum of its blocks is not the one in its header", where());
}

Result<void> TableSection::read_header() {
  if (length_ < SectionHeader::bytes) {
    return fail("{} is cut short: {} bytes, but a section begins with {}", where(), length_, SectionHeader::bytes);
  }
  const auto bytes = storage_->read(offset_, SectionHeader::bytes);
  if (!bytes) return tl::unexpected(bytes.error());
  ByteSource source(*bytes);
  if (as_text(source.take_bytes(SectionHeader::magic.size())) != SectionHeader::magic) {
    return fail("{} is not a section of a table: those begin with {}", where(), SectionHeader::magic);
  }
  if (const auto version = source.take<std::uint32_t>(); version != table_version) {
    return fail("{} has version {}; this program reads version {}", where(), version, table_version);
  }
  const auto header_bytes = source.take<std::uint32_t>();
  const Bytes summed = bytes->first(SectionHeader::bytes - sizeof(std::uint64_t));
  if (header_bytes != SectionHeader::bytes || checksum64(summed) != section_checksum(*bytes)) {
    return fail("{} is damaged: the checksum of its header is wrong", where());
  }
  header_ = SectionHeader::decoded(*bytes);
  return {};
}

/// Before anything is read by what the header says.
Result<void> TableSection::check_sizes() const {
  const auto absurd = [&](std::string_view what) { return fail("{} is damaged: {}", where(), what); };
  if (header_.section_bytes != length_) {
    return fail("{} is damaged: {} bytes long, but its header says {}", where(), length_, header_.section_bytes);
  }
  if (header_.name_bytes == 0 || header_.name_bytes > max_tier_name_bytes) return absurd("the name's length is wrong");
  if (header_.distinct > (1U << 16) || (header_.distinct == 0) != (header_.positions == 0)) {
    return absurd("its number of distinct values is wrong");
  }
  const bool packs = header_.is_packed() && header_.distinct <= max_packed_values;
  if (!is_block_size(header_.block_positions) ||
      (!packs && header_.position_bytes != position_bytes_for(header_.distinct))) {
    return absurd("the size of its blocks is wrong");
  }
  const auto& counted = header_.statistics;
  std::uint64_t left = header_.positions;
  for (const std::uint64_t count : {counted.wins, counted.losses, counted.draws, counted.voids}) {
    if (count > left) return absurd("its statistics count more than its positions");
    left -= count;
  }
  if (left != 0) return absurd("its statistics count fewer than its positions");
  // A tier with more positions than its file has room for the index of is refused before anything is multiplied.
  const std::uint64_t index_offset = header_.index_offset();
  if (index_offset > length_ || header_.blocks() > (length_ - index_offset) / BlockEntry::bytes) {
    return absurd("it is too short for its positions");
  }
  return {};
}

Result<void> TableSection::read_front() {
  const auto absurd = [&](std::string_view what) { return fail("{} is damaged: {}", where(), what); };
  const std::uint64_t front_bytes = header_.index_offset() + header_.blocks() * BlockEntry::bytes;
  const auto front = storage_->read(offset_, front_bytes);
  if (!front) return tl::unexpected(front.error());
  front_ = *front;
  ByteSource source(front_.subspan(SectionHeader::bytes));
  const Bytes texts = source.rest().first(static_cast<std::size_t>(header_.index_offset() - SectionHeader::bytes));
  const Bytes name = source.take_bytes(header_.name_bytes);
  const Bytes dictionary = source.take_bytes(2 * std::uint64_t{header_.distinct});
  index_ = source.rest();
  blocks_length_ = length_ - front_bytes;
  if (const Bytes all = storage_->bytes(); !all.empty()) {
    blocks_ = all.subspan(static_cast<std::size_t>(offset_ + front_bytes), static_cast<std::size_t>(blocks_length_));
  }
  block_shift_ = std::countr_zero(header_.block_positions);
  if (checksum64(texts) != header_.dictionary_checksum) {
    return absurd("the checksum of its name and dictionary is wrong");
  }
  if (checksum64(index_) != header_.index_checksum) return absurd("the checksum of its index is wrong");
  name_ = as_text(name);
  return read_dictionary(dictionary);
}

Result<void> TableSection::read_dictionary(Bytes dictionary) {
  dictionary_.reserve(header_.distinct);
  for (std::size_t i = 0; i < header_.distinct; ++i) {
    const auto code = get_little_endian<std::uint16_t>(dictionary.data() + 2 * i);
    if (!Value::from_code(code).is_proper() || (i > 0 && code <= dictionary_.back())) {
      return fail("{} is damaged: entry {} of its dictionary is wrong", where(), i);
    }
    dictionary_.push_back(code);
  }
  return {};
}

const char* TableSection::entry_fault(const BlockEntry& entry, std::uint64_t block,
                                      std::uint64_t offset) const noexcept {
  if (entry.offset != offset) return "it does not follow the block before it";
  const std::size_t raw_bytes = header_.bytes_of(positions_in(block));
  if (header_.is_packed() && entry.kind != BlockKind::raw) return "it is of a kind that packed tiers do not have";
  switch (entry.kind) {
    case BlockKind::one_value:
      return entry.detail < header_.distinct && entry.checksum == 0 ? nullptr : "it has an unknown value";
    case BlockKind::raw:
      if (entry.detail != raw_bytes) return "its length is wrong";
      break;
    case BlockKind::compressed:
      if (entry.detail == 0 || entry.detail >= raw_bytes) return "its length is wrong";
      break;
    default: return "it is of an unknown kind";
  }
  return entry.length() <= blocks_length_ - offset ? nullptr : "it reaches beyond the end";
}

Result<void> TableSection::check_index() const {
  std::uint64_t offset = 0;
  for (std::uint64_t block = 0; block < header_.blocks(); ++block) {
    const BlockEntry now = entry(block);
    if (const char* fault = entry_fault(now, block, offset)) return damaged(block, fault);
    offset += now.length();
  }
  if (offset != blocks_length_) return fail("{} is damaged: there are bytes after its last block", where());
  return {};
}

BlockEntry TableSection::entry(std::uint64_t block) const noexcept {
  return BlockEntry::decoded(index_.data() + block * BlockEntry::bytes);
}

/// The block's bytes, which are as they were written.
Result<Bytes> TableSection::stored(std::uint64_t block, const BlockEntry& entry) const {
  const auto bytes = storage_->read(offset_ + front_.size() + entry.offset, entry.length());
  if (!bytes) return bytes;
  if (checksum32(*bytes) != entry.checksum) return damaged(block, "its checksum is wrong");
  return bytes;
}

std::size_t TableSection::positions_in(std::uint64_t block) const noexcept {
  const std::uint64_t first = block << block_shift_;
  return static_cast<std::size_t>(std::min<std::uint64_t>(header_.block_positions, header_.positions - first));
}

std::uint32_t TableSection::number_at(const std::uint8_t* block, std::size_t position) const noexcept {
  if (header_.is_packed()) return block[position / 4] >> (2 * (position % 4)) & 3U;
  return header_.position_bytes == 1 ? block[position] : get_little_endian<std::uint16_t>(block + 2 * position);
}

Result<void> TableSection::unpack(TableReader& reader, std::uint64_t block, const BlockEntry& entry,
                                  std::uint8_t* out) const {
  ++reader.misses_;
  const std::size_t count = positions_in(block);
  const auto bytes = stored(block, entry);
  if (!bytes) return tl::unexpected(bytes.error());
  if (entry.kind == BlockKind::raw) {
    std::ranges::copy(*bytes, out);
  } else if (!reader.decompressor_.run(*bytes, {out, header_.bytes_of(count)})) {
    return damaged(block, "it cannot be decompressed");
  }
  if (const char* fault = numbers_fault(out, count)) return damaged(block, fault);
  return {};
}

/// So that nobody need ask again whether a number is in the dictionary.
const char* TableSection::numbers_fault(const std::uint8_t* numbers, std::size_t count) const noexcept {
  std::uint32_t largest = 0;
  if (header_.position_bytes == 1) {
    std::uint8_t byte = 0;
    for (std::size_t i = 0; i < count; ++i) byte = std::max(byte, numbers[i]);
    largest = byte;
  } else {
    for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, number_at(numbers, i));
  }
  return largest < header_.distinct ? nullptr : "it has an unknown value";
}

/// A block that is as it was written, with nothing but numbers of the dictionary.
Result<Bytes> TableSection::packed_block(std::uint64_t block) const {
  const auto bytes = stored(block, entry(block));
  if (!bytes) return bytes;
  if (const char* fault = numbers_fault(bytes->data(), positions_in(block))) return damaged(block, fault);
  return bytes;
}

Result<Value> TableSection::packed_value(std::uint64_t index) const {
  const std::uint64_t block = index >> block_shift_;
  if (blocks_.empty()) {
    const auto bytes = packed_block(block);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto position = static_cast<std::size_t>(index & (header_.block_positions - 1));
    return Value::from_code(dictionary_[number_at(bytes->data(), position)]);
  }
  std::atomic<bool>& sound = (*sound_)[static_cast<std::size_t>(block)];
  if (!sound.load(std::memory_order_relaxed)) {
    if (const auto bytes = packed_block(block); !bytes) return tl::unexpected(bytes.error());
    sound.store(true, std::memory_order_relaxed);
  }
  // All blocks but the last have whole bytes, so the numbers of a packed section follow each other without gaps.
  return Value::from_code(dictionary_[number_at(blocks_.data(), static_cast<std::size_t>(index))]);
}

Result<const std::uint8_t*> TableSection::block_passing(TableReader& reader, std::uint64_t block,
                                                        const BlockEntry& entry) const {
  const TableReader::Line wanted{number_, block};
  if (reader.large_line_ == wanted) return reader.large_.data();
  reader.large_line_ = {};
  if (reader.large_.size() < block_bytes()) reader.large_.resize(block_bytes());
  if (auto done = unpack(reader, block, entry, reader.large_.data()); !done) {
    return tl::unexpected(std::move(done).error());
  }
  reader.large_line_ = wanted;
  return reader.large_.data();
}

Result<const std::uint8_t*> TableSection::block_at_hand(TableReader& reader, std::uint64_t block,
                                                        const BlockEntry& entry) const {
  if (block_bytes() > reader.block_bytes_) return block_passing(reader, block, entry);
  const TableReader::Line wanted{number_, block};
  const std::size_t slot = reader.slot(wanted);
  std::uint8_t* at = reader.memory_.get() + slot * reader.block_bytes_;
  if (reader.lines_[slot] == wanted) return at;
  reader.lines_[slot] = {};
  if (auto done = unpack(reader, block, entry, at); !done) return tl::unexpected(std::move(done).error());
  reader.lines_[slot] = wanted;
  return at;
}

Result<Value> TableSection::value(TableReader& reader, std::uint64_t index) const {
  if (index >= header_.positions) {
    return fail("{} has no position {}: it has {}, counted from 0", where(), index, header_.positions);
  }
  if (header_.is_packed()) return packed_value(index);
  const std::uint64_t block = index >> block_shift_;
  const BlockEntry found = entry(block);
  if (found.kind == BlockKind::one_value) return Value::from_code(dictionary_[found.detail]);
  const auto numbers = block_at_hand(reader, block, found);
  if (!numbers) return tl::unexpected(numbers.error());
  const auto position = static_cast<std::size_t>(index & (header_.block_positions - 1));
  return Value::from_code(dictionary_[number_at(*numbers, position)]);
}

Result<void> TableSection::read(TableReader& reader, std::uint64_t first, std::span<std::uint16_t> out) const {
  if (first > header_.positions || out.size() > header_.positions - first) {
    return fail("{} has no {} positions from position {} on: it has {}", where(), out.size(), first, header_.positions);
  }
  while (!out.empty()) {
    const std::uint64_t block = first >> block_shift_;
    const auto from = static_cast<std::size_t>(first & (header_.block_positions - 1));
    const std::size_t count = std::min(out.size(), header_.block_positions - from);
    const BlockEntry found = entry(block);
    if (found.kind == BlockKind::one_value) {
      std::ranges::fill(out.first(count), dictionary_[found.detail]);
    } else {
      const auto numbers = block_passing(reader, block, found);
      if (!numbers) return tl::unexpected(numbers.error());
      for (std::size_t i = 0; i < count; ++i) out[i] = dictionary_[number_at(*numbers, from + i)];
    }
    first += count;
    out = out.subspan(count);
  }
  return {};
}

Result<void> TableSection::for_each_piece(
    TableReader& reader,
    const std::function<void(std::uint64_t first, std::span<const std::uint16_t> codes)>& use) const {
  constexpr std::size_t most = std::size_t{1} << 16;
  std::vector<std::uint16_t> codes(static_cast<std::size_t>(std::min<std::uint64_t>(most, positions())));
  for (std::uint64_t first = 0; first < positions(); first += most) {
    const std::span<std::uint16_t> piece(codes.data(), std::min<std::uint64_t>(most, positions() - first));
    if (auto done = read(reader, first, piece); !done) return done;
    use(first, piece);
  }
  return {};
}

Result<void> TableSection::check(const TableProgress& progress) const {
  TableReader reader(0, 1);
  RunningChecksum sum;
  std::vector<std::uint64_t> counts(dictionary_.size());
  for (std::uint64_t block = 0; block < header_.blocks(); ++block) {
    const BlockEntry found = entry(block);
    const std::size_t count = positions_in(block);
    if (found.kind == BlockKind::one_value) {
      counts[found.detail] += count;
    } else {
      const auto numbers = block_passing(reader, block, found);
      if (!numbers) return tl::unexpected(numbers.error());
      for (std::size_t i = 0; i < count; ++i) ++counts[number_at(*numbers, i)];
      const auto bytes = storage_->read(offset_ + front_.size() + found.offset, found.length());
      if (!bytes) return tl::unexpected(bytes.error());
      sum.add(*bytes);
    }
    if (progress && block % blocks_per_report == 0) progress(block << block_shift_, header_.positions);
  }
  if (sum.value() != header_.blocks_checksum) return blocks_damaged();
  if (statistics_of(dictionary_, counts) != header_.statistics) {
    return fail("{} is damaged: its statistics are not those of its positions", where());
  }
  if (std::ranges::find(counts, 0U) != counts.end()) {
    return fail("{} is damaged: its dictionary has a value that does not occur", where());
  }
  if (progress) progress(header_.positions, header_.positions);
  return {};
}

}  // namespace paika
