// Tables for tests: sections and whole files written in one call.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "solve/table_file.hpp"
#include "solve/table_writer.hpp"
#include "tests/support/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/must.hpp"

namespace paika_tests {

using Codes = std::vector<std::uint16_t>;

/// Throws the error of a result that has no value.
inline void must_do(const paika::Result<void>& done) {
  if (!done) throw std::runtime_error(done.error().message);
}

inline std::vector<std::uint16_t> distinct(const Codes& codes) {
  paika::CodeSet set;
  set.add(codes);
  return set.sorted();
}

/// Writes a section, `piece` codes at a time.
inline paika::Result<void> write_section(const std::string& path, std::string_view name, const Codes& codes,
                                         paika::SectionOptions options = {}, std::size_t piece = 1'000'000) {
  auto writer = paika::SectionWriter::create(path, name, codes.size(), distinct(codes), options);
  if (!writer) return tl::unexpected(writer.error());
  for (std::size_t at = 0; at < codes.size(); at += piece) {
    const std::size_t count = std::min(piece, codes.size() - at);
    if (auto done = writer->append(std::span(codes).subspan(at, count)); !done) return done;
  }
  return writer->finish();
}

/// Writes a whole table with tiers "t0", "t1", …
inline void write_table(const TemporaryFolder& folder, const std::string& path, const std::vector<Codes>& tiers,
                        paika::SectionOptions options = {}) {
  std::vector<std::string> paths;
  for (const Codes& codes : tiers) {
    const std::string name = "t" + std::to_string(paths.size());
    paths.push_back(folder / (name + ".section"));
    must_do(write_section(paths.back(), name, codes, options));
  }
  must_do(paika::assemble_table(path, "chess:1x1", paths));
}

/// Codes of random values: mostly a few neighbouring distances, as tiers have them.
inline Codes random_codes(std::uint64_t seed, std::size_t count, int max_turns) {
  paika::Random random(seed);
  Codes codes(count);
  for (std::uint16_t& code : codes) {
    const int turns = static_cast<int>(random.below(static_cast<std::uint64_t>(max_turns) + 1));
    switch (random.below(8)) {
      case 0: code = paika::Value::none().code(); break;
      case 1: code = paika::Value::draw().code(); break;
      case 2:
      case 3:
      case 4: code = paika::Value::win(turns).code(); break;
      default: code = paika::Value::loss(turns).code();
    }
  }
  return codes;
}

/// Small tiers that have every kind of block: of one value, compressed, as they are, with one byte and with two.
inline std::vector<Codes> small_tiers() {
  using paika::Value;
  Codes plain(64, Value::draw().code());
  for (int i = 0; i < 64; ++i) plain.push_back(Value::win(i % 2).code());
  const Codes noisy = random_codes(5, 70, 40);
  Codes wide;
  for (int i = 0; i < 300; ++i) wide.push_back(Value::win(i).code());
  wide.insert(wide.end(), 84, Value::none().code());
  return {plain, {}, noisy, wide, {Value::loss(3).code()}};
}

}  // namespace paika_tests
