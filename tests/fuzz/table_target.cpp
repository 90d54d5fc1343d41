#include "tests/fuzz/table_target.hpp"

#include <algorithm>
#include <zstd.h>

#include "base/check.hpp"
#include "base/zstd_decoder.hpp"
#include "solve/remote_table.hpp"
#include "solve/table_file.hpp"
#include "tests/support/tables.hpp"

namespace paika::fuzz {

namespace {

using Buffer = std::span<std::uint8_t>;

/// The part of a buffer, or nothing if there is no such part.
Buffer part(Buffer bytes, std::uint64_t offset, std::uint64_t length) {
  if (offset > bytes.size() || length > bytes.size() - offset) return {};
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

/// Makes the checksums of a section what its bytes ask for, as far as it makes sense at all.
void repair_section(Buffer section) {
  if (section.size() < SectionHeader::bytes) return;
  const SectionHeader header = SectionHeader::decoded(section);
  const std::uint64_t index_offset = header.index_offset();
  if (header.block_positions != 0 && index_offset <= section.size() &&
      header.blocks() <= (section.size() - index_offset) / BlockEntry::bytes) {
    const Buffer index = part(section, index_offset, header.blocks() * BlockEntry::bytes);
    const Buffer blocks = section.subspan(static_cast<std::size_t>(index_offset) + index.size());
    for (std::size_t at = 0; at < index.size(); at += BlockEntry::bytes) {
      const BlockEntry entry = BlockEntry::decoded(index.data() + at);
      const Buffer stored = part(blocks, entry.offset, entry.length());
      if (!stored.empty()) put_little_endian(index.data() + at + 8, checksum32(stored));
    }
    const Buffer texts = part(section, SectionHeader::bytes, index_offset - SectionHeader::bytes);
    put_little_endian(section.data() + 88, checksum64(texts));
    put_little_endian(section.data() + 96, checksum64(index));
    put_little_endian(section.data() + 104, checksum64(blocks));
  }
  put_little_endian(section.data() + 112, checksum64(section.first(112)));
}

/// The same for a whole file: without this no changed byte would ever get past the checksums.
void repair(Buffer file) {
  if (file.size() < 36) return;
  const auto header_bytes = get_little_endian<std::uint64_t>(file.data() + 16);
  if (header_bytes < 44 || header_bytes > file.size()) return;
  put_little_endian(file.data() + 24, std::uint64_t{file.size()});
  std::uint64_t at = 36 + std::uint64_t{get_little_endian<std::uint32_t>(file.data() + 32)};
  for (auto tiers = get_little_endian<std::uint32_t>(file.data() + 12); tiers > 0; --tiers) {
    const Buffer name_bytes = part(file, at, 4);
    if (name_bytes.empty()) break;
    at += 4 + std::uint64_t{get_little_endian<std::uint32_t>(name_bytes.data())};
    const Buffer tier = part(file, at, 32);
    if (tier.empty()) break;
    const Buffer section = part(file, get_little_endian<std::uint64_t>(tier.data() + 8),
                                get_little_endian<std::uint64_t>(tier.data() + 16));
    repair_section(section);
    if (section.size() >= SectionHeader::bytes) put_little_endian(tier.data() + 24, section_checksum(section));
    at += 32;
  }
  const auto header = file.first(static_cast<std::size_t>(header_bytes) - 8);
  put_little_endian(file.data() + header.size(), checksum64(header));
}

void check_table_message(const Error& error) {
  PAIKA_CHECK(error.message.find("\"fuzz\"") != std::string::npos && error.message.size() < 1500);
  for (const char c : error.message) PAIKA_CHECK(c >= 0x20 && c < 0x7f);
}

/// Looks positions up in a tier, and compares with reading them in a row.
void compare(const TableSection& tier, TableReader& reader, bool is_sound) {
  const std::uint64_t count = std::min<std::uint64_t>(tier.positions(), 5000);
  for (const std::uint64_t first : {std::uint64_t{0}, tier.positions() - count}) {
    std::vector<std::uint16_t> codes(static_cast<std::size_t>(count));
    const auto read = tier.read(reader, first, codes);
    if (!read) check_table_message(read.error());
    PAIKA_CHECK(read || !is_sound);
    for (std::size_t i = 0; i < codes.size(); i += 7) {
      const auto value = tier.value(reader, first + i);
      if (!value) check_table_message(value.error());
      PAIKA_CHECK(value || !read);
      if (read) PAIKA_CHECK(value->code() == codes[i] && std::ranges::binary_search(tier.dictionary(), codes[i]));
    }
  }
}

/// A table of which only some pieces are brought gives the same values.
void compare_remote(const ValueTable& table, const std::vector<std::uint8_t>& bytes) {
  RemoteTable remote("fuzz", bytes.size(), checksum_text(table.checksum()));
  TableReader reader = table.reader(1 << 14);
  for (std::uint32_t tier = 0; tier < table.tiers().size(); ++tier) {
    const std::uint64_t last = table.tiers()[tier].positions();
    for (const std::uint64_t index : {std::uint64_t{0}, last / 2, last}) {
      auto value = remote.lookup({tier, index});
      for (auto missing = remote.take_missing(); !missing.empty(); missing = remote.take_missing()) {
        for (const ByteRange& range : missing) {
          const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(range.offset);
          remote.supply(range.offset, {first, first + static_cast<std::ptrdiff_t>(range.size)});
        }
        value = remote.lookup({tier, index});
      }
      const auto known = table.lookup(reader, tier, index);
      PAIKA_CHECK(value.has_value() == known.has_value() && (!value || *value == *known));
    }
  }
}

void run_bytes(const std::vector<std::uint8_t>& bytes) {
  const auto table = ValueTable::open("fuzz", bytes);
  if (!table) return check_table_message(table.error());
  PAIKA_CHECK(!table->spec().empty() && !table->tiers().empty());
  const auto checked = table->check();
  if (!checked) check_table_message(checked.error());
  TableReader reader = table->reader(1 << 14);
  for (const TableSection& tier : table->tiers()) {
    compare(tier, reader, checked.has_value());
    PAIKA_CHECK(!tier.value(reader, tier.positions()));
  }
  compare_remote(*table, bytes);
}

}  // namespace

void run_table(std::string_view bytes) {
  std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
  run_bytes(copy);
  repair(copy);
  run_bytes(copy);
}

void run_zstd(std::string_view bytes) {
  constexpr std::size_t max_size = 1 << 16;
  const std::size_t size = bytes.empty() ? 0 : ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  std::vector<std::uint8_t> ours(size <= max_size ? size : 1000);
  const Bytes frame(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (!decode_zstd(frame, ours)) return;
  // libzstd refuses some frames that mean something all the same; where both read one, they read the same.
  std::vector<std::uint8_t> theirs(ours.size());
  const std::size_t read = ZSTD_decompress(theirs.data(), theirs.size(), bytes.data(), bytes.size());
  PAIKA_CHECK(ZSTD_isError(read) != 0 || (read == ours.size() && ours == theirs));
}

std::vector<std::string> zstd_seeds() {
  std::vector<std::string> seeds;
  for (const std::size_t count : {1U, 50U, 5'000U}) {
    const auto codes = paika_tests::random_codes(count, count, 20);
    std::string frame(ZSTD_compressBound(2 * count), '\0');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), codes.data(), 2 * count, 12));
    seeds.push_back(std::move(frame));
  }
  return seeds;
}

std::vector<std::string> table_seeds() {
  const paika_tests::TemporaryFolder folder;
  std::vector<std::string> seeds;
  const auto add = [&](const std::vector<paika_tests::Codes>& tiers, std::uint32_t block_positions) {
    paika_tests::write_table(folder, folder / "x.table", tiers, {.threads = 1, .block_positions = block_positions});
    seeds.push_back(paika_tests::read_whole(folder / "x.table"));
  };
  add(paika_tests::small_tiers(), 64);
  for (const paika_tests::Codes& codes : paika_tests::small_tiers()) add({codes}, 128);
  add({paika_tests::random_codes(1, 500, 2), paika_tests::random_codes(1, 10, 2)}, 4096);
  return seeds;
}

}  // namespace paika::fuzz
