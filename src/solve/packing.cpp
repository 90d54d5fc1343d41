#include "solve/packing.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solve/table_file.hpp"
#include "solve/table_section.hpp"
#include "solve/table_writer.hpp"

namespace paika {

namespace {

[[nodiscard]] std::uint16_t plain(std::uint16_t code) noexcept {
  return without_distance(Value::from_code(code)).code();
}

}  // namespace

Result<void> pack_section(const std::string& from, const std::string& to, int threads) {
  const auto section = TableSection::open(from);
  if (!section) return tl::unexpected(section.error());
  std::vector<std::uint16_t> dictionary(section->dictionary().size());
  std::ranges::transform(section->dictionary(), dictionary.begin(), plain);
  std::ranges::sort(dictionary);
  dictionary.erase(std::unique(dictionary.begin(), dictionary.end()), dictionary.end());
  auto writer = SectionWriter::create(
      to, section->name(), section->positions(), dictionary,
      {.threads = static_cast<unsigned>(threads), .block_positions = packed_block_positions, .packed = true});
  if (!writer) return tl::unexpected(writer.error());
  TableReader reader(std::size_t{1} << 20, 2 * std::size_t{default_block_positions});
  std::vector<std::uint16_t> codes;
  Result<void> written;
  auto read = section->for_each_piece(reader, [&](std::uint64_t /*first*/, std::span<const std::uint16_t> piece) {
    if (!written) return;
    codes.resize(piece.size());
    std::ranges::transform(piece, codes.begin(), plain);
    written = writer->append(codes);
  });
  if (!read) return read;
  if (!written) return written;
  return writer->finish();
}

Result<void> assemble_from(const WorkFolder& folder, const std::string& table, std::string_view spec,
                           std::span<const std::string> sections, bool distances, int threads) {
  if (distances) return assemble_table(table, spec, sections);
  std::vector<std::string> packed;
  for (std::size_t tier = 0; tier < sections.size(); ++tier) {
    packed.push_back(folder.path(static_cast<std::uint32_t>(tier), "packed"));
    if (auto done = pack_section(sections[tier], packed.back(), threads); !done) return done;
  }
  return assemble_table(table, spec, packed);
}

}  // namespace paika
