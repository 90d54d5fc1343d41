// Postings: which games came to which position, and what was played there, as sorted bytes.
//
// A segment has the postings of some games, sorted by position and cut into blocks by the position's key: keys are
// spread evenly, so the block of a key follows from the key alone and no directory is needed. Segments are written once
// and merged into larger ones. docs/study.md gives the bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.hpp"
#include "base/result.hpp"

namespace paika::server {

/// A position's key as it is stored: 48 bits of the canonical one.
inline constexpr int key_bits = 48;
[[nodiscard]] constexpr std::uint64_t stored_key(std::uint64_t canonical) noexcept {
  return canonical >> (64 - key_bits);
}
/// What tells the moves of a position apart: 32 bits of the key of the position after it. 0: the game ends here.
[[nodiscard]] constexpr std::uint32_t move_tag(std::uint64_t canonical_after) noexcept {
  const auto tag = static_cast<std::uint32_t>(canonical_after);
  return tag == 0 ? 1 : tag;
}
inline constexpr std::uint32_t end_tag = 0;

struct Posting {
  std::uint64_t key = 0;    // stored_key()
  std::uint32_t tag = 0;    // move_tag(), or end_tag
  std::uint32_t visit = 0;  // twice the game's number, and 1 if the second player is to move

  friend auto operator<=>(const Posting&, const Posting&) = default;
};

/// How many blocks a segment of so many postings has.
[[nodiscard]] std::size_t block_count(std::size_t postings) noexcept;
/// Which block of a segment a key is in.
[[nodiscard]] std::size_t block_of(std::uint64_t key, std::size_t blocks) noexcept;

/// The bytes of one block. Requires sorted postings without repetitions.
[[nodiscard]] std::string block_bytes(std::span<const Posting> postings);
/// Visits the postings of a block in order. An error if the bytes are not a block.
[[nodiscard]] Result<void> read_block(std::string_view bytes, FunctionRef<void(const Posting&)> visit);
/// The same for the postings of one position.
[[nodiscard]] Result<void> read_block(std::string_view bytes, std::uint64_t key,
                                      FunctionRef<void(const Posting&)> visit);

}  // namespace paika::server
