// SectionWriter: writes the values of one tier into its own file, in order and without holding the tier.
//
// The bytes depend on the values and the size of blocks alone (and on the release of zstd), not on the
// threads, on how the values were handed over or on the clock: a tier that is solved again after an
// interruption gives the same file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "solve/table_format.hpp"

namespace paika {

/// The distinct codes among many, which a writer must know before it begins.
class CodeSet {
 public:
  void add(std::span<const std::uint16_t> codes) noexcept;
  /// Adds what another set holds, perhaps one that another thread filled.
  void add(const CodeSet& other) noexcept;
  /// The codes, ascending.
  [[nodiscard]] std::vector<std::uint16_t> sorted() const;
  /// A byte for every code there is, not 0 if the set has it: for sets that several processes put together.
  [[nodiscard]] std::span<unsigned char> bytes() noexcept { return seen_; }

 private:
  std::vector<unsigned char> seen_ = std::vector<unsigned char>(std::size_t{1} << 16);
};

struct SectionOptions {
  /// Threads that compress; at least 1.
  unsigned threads = 1;
  /// Positions in a block; see is_block_size.
  std::uint32_t block_positions = default_block_positions;
  /// Two bits a position instead of compressed bytes, for at most max_packed_values values.
  bool packed = false;
};

class SectionWriter {
 public:
  /// Begins the file PATH.part. Requires a name of 1 to max_tier_name_bytes bytes, and in `dictionary` the codes that
  /// will occur, all of them and no other, ascending, each the code of a proper value.
  [[nodiscard]] static Result<SectionWriter> create(const std::string& path, std::string_view tier_name,
                                                    std::uint64_t positions, std::span<const std::uint16_t> dictionary,
                                                    SectionOptions options = {});

  SectionWriter(SectionWriter&& other) noexcept;
  SectionWriter& operator=(SectionWriter&& other) noexcept;
  /// Gives up what is not finished: PATH.part is removed.
  ~SectionWriter();

  /// The codes of the next positions, any number at a time up to all that are missing; after an error only
  /// destruction makes sense.
  [[nodiscard]] Result<void> append(std::span<const std::uint16_t> codes);
  /// Puts the file on the disk under its name. Requires that all positions were appended.
  [[nodiscard]] Result<void> finish();
  /// What was counted, once finish() succeeded.
  [[nodiscard]] const TierStatistics& statistics() const noexcept;

 private:
  struct State;
  explicit SectionWriter(std::unique_ptr<State> state) noexcept;

  std::unique_ptr<State> state_;
};

}  // namespace paika
