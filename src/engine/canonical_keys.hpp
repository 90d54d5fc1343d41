// CanonicalKeys: 64-bit keys of positions up to the symmetries of a game, quick enough for every position of many
// games.
//
// Two positions of a spec have the same key if one of the notation's symmetries maps one to the other. Move numbers and
// clocks do not count. The words behind the keys are fixed for ever (base/hash.hpp): keys may be stored in files.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/notation.hpp"

namespace paika {

class CanonicalKeys {
 public:
  explicit CanonicalKeys(const Notation& notation);

  /// The key of a board of the notation's size. Also tells games of other specs apart.
  [[nodiscard]] std::uint64_t key(const Board& board);

 private:
  static constexpr std::size_t max_symmetries = 16;
  static constexpr std::size_t codes = std::size_t{3} * 256;  // owner and kind
  /// The word of a cell on a square under each symmetry.
  using Words = std::array<std::uint64_t, max_symmetries>;

  /// The words of all squares for one kind of cell, made when it is first met.
  const std::vector<Words>& words_of(const Cell& cell);

  std::vector<Symmetry> symmetries_;
  int cols_;
  int rows_;
  std::uint64_t spec_key_;
  std::array<std::vector<Words>, codes> words_;
};

}  // namespace paika
