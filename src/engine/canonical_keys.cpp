#include "engine/canonical_keys.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/hash.hpp"

namespace paika {

namespace {

constexpr std::uint64_t to_move_plane = 1'000'000;
constexpr std::uint64_t spec_plane = 1'000'001;

std::size_t code_of(const Cell& cell) {
  return static_cast<std::size_t>(cell.owner) * 256 + static_cast<unsigned char>(cell.kind);
}

std::uint64_t key_of_text(std::string_view text) {
  std::uint64_t key = hash_key(spec_plane, text.size());
  for (const char c : text) key = mix64(key ^ static_cast<unsigned char>(c));
  return key;
}

}  // namespace

CanonicalKeys::CanonicalKeys(const Notation& notation)
    : symmetries_(notation.symmetries()),
      cols_(notation.coordinates().cols()),
      rows_(notation.coordinates().rows()),
      spec_key_(key_of_text(notation.spec())) {
  PAIKA_CHECK(!symmetries_.empty() && symmetries_.size() <= max_symmetries);
}

const std::vector<CanonicalKeys::Words>& CanonicalKeys::words_of(const Cell& cell) {
  std::vector<Words>& all = words_[code_of(cell)];
  if (!all.empty()) return all;
  all.resize(static_cast<std::size_t>(cols_) * static_cast<std::size_t>(rows_));
  for (int row = 0; row < rows_; ++row) {
    for (int col = 0; col < cols_; ++col) {
      const int index = row * cols_ + col;
      Words& words = all[static_cast<std::size_t>(index)];
      for (std::size_t i = 0; i < symmetries_.size(); ++i) {
        const Square image = mapped(Square{col, row}, symmetries_[i].map, cols_, rows_);
        const Cell there{symmetries_[i].swap_players ? exchanged(cell.owner) : cell.owner, cell.kind};
        const int place = image.row * cols_ + image.col;
        words[i] = hash_key(code_of(there), static_cast<std::uint64_t>(place));
      }
    }
  }
  return all;
}

std::uint64_t CanonicalKeys::key(const Board& board) {
  PAIKA_CHECK(board.cells.cols() == cols_ && board.cells.rows() == rows_);
  Words keys{};
  std::size_t index = 0;
  board.cells.for_each_square([&](Square square) {
    const Cell& cell = board.cells[square];
    if (cell != Cell{}) {
      const Words& words = words_of(cell)[index];
      for (std::size_t i = 0; i < max_symmetries; ++i) keys[i] ^= words[i];
    }
    ++index;
  });
  std::uint64_t least = UINT64_MAX;
  for (std::size_t i = 0; i < symmetries_.size(); ++i) {
    const bool second = (board.to_move == Player::second) != symmetries_[i].swap_players;
    least = std::min(least, second ? keys[i] ^ hash_key(to_move_plane, 0) : keys[i]);
  }
  return mix64(least ^ spec_key_);
}

}  // namespace paika
