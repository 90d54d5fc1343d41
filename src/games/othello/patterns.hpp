// The patterns of the 8x8 board: the evaluation that is learned from games.
//
// A pattern is a small set of squares (an edge, a corner, a line); every way its squares can be empty,
// own or opponent has a weight, in hundredths of a disc, by phase of the game. The evaluation of a
// position is the sum of the weights of all patterns in all places, and of a few counts (mobility and
// the like) that have a weight a number. tools/tune/othello learns the weights.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace paika::othello {

/// The two sides' pawns on the 8x8 board, the mover's first.
struct WordPair {
  std::uint64_t own = 0;
  std::uint64_t opponent = 0;
};

/// One pattern, as it lies in one place; its digits are its squares from the lowest bit up.
struct Pattern {
  std::string_view name;
  std::uint64_t squares;
  std::uint8_t images;  // bit i: it is looked up in the i-th image of the board (board_images)
};

inline constexpr std::array<Pattern, 13> patterns = {{
    {"edge and X squares", 0x42ff, 0b0011'0011},
    {"edge block", 0x3cbd, 0b0011'0011},
    {"corner 2x5", 0x1f1f, 0b1111'1111},
    {"corner triangle", 0x0103070f, 0b0000'1111},
    {"corner 3x3", 0x070707, 0b0000'1111},
    {"row 2", 0xff00, 0b0011'0011},
    {"row 3", 0xff0000, 0b0011'0011},
    {"row 4", 0xff000000, 0b0011'0011},
    {"diagonal 8", 0x8040201008040201, 0b0000'0011},
    {"diagonal 7", 0x0080402010080402, 0b0000'1111},
    {"diagonal 6", 0x0000804020100804, 0b0000'1111},
    {"diagonal 5", 0x0000008040201008, 0b0000'1111},
    {"diagonal 4", 0x0000000080402010, 0b0000'1111},
}};

/// The counts that have weights of their own, each from 0 to count_values-1 (more counts as the most).
struct Counts {
  std::array<std::uint8_t, 5> values{};
};
inline constexpr std::size_t count_values = 64;
inline constexpr std::array<std::string_view, 5> count_names = {"placings", "opponent's placings", "open neighbours",
                                                                "opponent's open neighbours", "pawns on the board"};

inline constexpr int phases = 12;
/// The phase of a position with this many pawns (4 to 63).
[[nodiscard]] constexpr int phase_of(int pawns) noexcept { return pawns >= 64 ? phases - 1 : (pawns - 4) / 5; }

/// The board as it is, turned and mirrored: i-th image for bit i of Pattern::images.
using BoardImages = std::array<WordPair, 8>;
[[nodiscard]] BoardImages board_images(const WordPair& board) noexcept;

/// The counts of a position, given where both sides could place.
[[nodiscard]] Counts counts_of(const WordPair& board, std::uint64_t placings, std::uint64_t opponent_placings) noexcept;

/// The ways a pattern's digits can be reordered by a symmetry of the board that keeps its squares:
/// states that differ by one of these share their weight.
[[nodiscard]] std::vector<std::vector<int>> digit_symmetries(const Pattern& pattern);

/// For every state of a pattern (base 3) the number of its weight; weights are numbered from 0 in the
/// order of the least state that has them.
[[nodiscard]] std::vector<std::uint32_t> weight_numbers(const Pattern& pattern);

/// The learned weights, unpacked for use.
class PatternWeights {
 public:
  /// Reads a weights file: text lines, the last of them "data", then the numbers (docs/strategy/othello.md).
  [[nodiscard]] static Result<PatternWeights> read(std::string_view file);
  /// Those built into the program; null if there are none.
  [[nodiscard]] static const PatternWeights* built_in();

  /// How good the position is for the mover. Requires at least one empty square.
  [[nodiscard]] int evaluate(const WordPair& board, const Counts& counts) const noexcept;
  /// The same, one part a pattern and then one a count.
  [[nodiscard]] std::array<int, patterns.size() + count_names.size()> parts(const WordPair& board,
                                                                            const Counts& counts) const noexcept;

 private:
  PatternWeights() = default;
  std::vector<std::int16_t> weights_;  // by phase: the states of the patterns, then the counts
};

}  // namespace paika::othello
