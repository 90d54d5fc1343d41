#include "games/othello/stability.hpp"

#include <bit>

#include "base/check.hpp"
#include "games/othello/ternary.hpp"

namespace paika::othello {

namespace {

/// What turns over along an edge of `size` squares when `own` places on `square`.
unsigned edge_flips(int size, int square, unsigned own, unsigned opponent) {
  unsigned flipped = 0;
  for (const int by : {1, -1}) {
    unsigned run = 0;
    int i = square + by;
    for (; i >= 0 && i < size && ((opponent >> i) & 1) != 0; i += by) run |= 1U << i;
    if (i >= 0 && i < size && ((own >> i) & 1) != 0) flipped |= run;
  }
  return flipped;
}

/// Finds which of `own` stay whatever is placed on the edge, by either side, in any order; a placing
/// that turns nothing along the edge may come about by another line, so it counts too.
class EdgeTruth {
 public:
  EdgeTruth(int size, std::array<std::uint8_t, 6561>& table) : size_(size), table_(table) { known_.fill(false); }

  unsigned stable(unsigned own, unsigned opponent) {
    const std::size_t index = std::size_t{ternary[own]} + 2 * std::size_t{ternary[opponent]};
    if (known_[index]) return table_[index];
    unsigned result = own;
    for (int square = 0; square < size_; ++square) {
      if ((((own | opponent) >> square) & 1) != 0) continue;
      const unsigned bit = 1U << square;
      const unsigned gained = edge_flips(size_, square, own, opponent);
      result &= stable(own | gained | bit, opponent & ~gained);
      const unsigned lost = edge_flips(size_, square, opponent, own);
      result &= stable(own & ~lost, opponent | lost | bit);
    }
    known_[index] = true;
    table_[index] = static_cast<std::uint8_t>(result);
    return result;
  }

 private:
  int size_;
  std::array<std::uint8_t, 6561>& table_;
  std::array<bool, 6561> known_{};
};

}  // namespace

Stability::Stability(int size)
    : size_(static_cast<unsigned>(size)), top_((std::uint64_t{1} << size) - 1), bottom_(top_ << (size * (size - 1))) {
  PAIKA_CHECK(size >= 1 && size <= 8);
  left_ = 0;
  for (int row = 0; row < size; ++row) left_ |= std::uint64_t{1} << (row * size);
  right_ = left_ << (size - 1);
  rim_ = top_ | bottom_ | left_ | right_;
  for (int line = 0; line < size; ++line) {
    rows_.lines[rows_.count++] = top_ << (line * size);
    columns_.lines[columns_.count++] = left_ << line;
  }
  for (int sum = 0; sum <= 2 * (size - 1); ++sum) {
    std::uint64_t rising = 0;
    std::uint64_t falling = 0;
    for (int row = 0; row < size; ++row) {
      const int col = sum - row;
      if (col < 0 || col >= size) continue;
      rising |= std::uint64_t{1} << (row * size + col);
      falling |= std::uint64_t{1} << (row * size + (size - 1 - col));
    }
    rising_.lines[rising_.count++] = rising;
    falling_.lines[falling_.count++] = falling;
  }
  EdgeTruth truth(size, edges_);
  const unsigned full = (1U << size) - 1;
  for (unsigned own = 0; own <= full; ++own) {
    for (unsigned opponent = 0; opponent <= full; ++opponent) {
      if ((own & opponent) == 0) truth.stable(own, opponent);
    }
    for (int i = 0; i < size; ++i) spread_[own] |= std::uint64_t{(own >> i) & 1} << (i * size);
  }
}

std::uint64_t Stability::stable_on_edges(std::uint64_t own, std::uint64_t opponent) const noexcept {
  const std::uint64_t top = edges_[ternary_index(own, opponent, top_)];
  const std::uint64_t bottom = edges_[ternary_index(own, opponent, bottom_)];
  const std::uint64_t left = spread_[edges_[ternary_index(own, opponent, left_)]];
  const std::uint64_t right = spread_[edges_[ternary_index(own, opponent, right_)]];
  return top | (bottom << (size_ * (size_ - 1))) | left | (right << (size_ - 1));
}

std::uint64_t Stability::in_full_lines(std::uint64_t taken, const LineSet& lines) noexcept {
  std::uint64_t full = 0;
  for (std::size_t i = 0; i < lines.count; ++i) {
    if ((lines.lines[i] & ~taken) == 0) full |= lines.lines[i];
  }
  return full;
}

int Stability::count(std::uint64_t own, std::uint64_t opponent) const noexcept {
  const std::uint64_t taken = own | opponent;
  const std::uint64_t in_row = in_full_lines(taken, rows_);
  const std::uint64_t in_column = in_full_lines(taken, columns_);
  const std::uint64_t in_rising = in_full_lines(taken, rising_);
  const std::uint64_t in_falling = in_full_lines(taken, falling_);
  std::uint64_t stable = stable_on_edges(own, opponent);
  stable |= own & in_row & in_column & in_rising & in_falling & ~rim_;
  const std::uint64_t inner = own & ~rim_;
  for (std::uint64_t before = ~stable; before != stable;) {
    before = stable;
    // Only inner squares are added: they have neighbours on all sides, so shifts need no care.
    const std::uint64_t row = in_row | (stable << 1) | (stable >> 1);
    const std::uint64_t column = in_column | (stable << size_) | (stable >> size_);
    const std::uint64_t rising = in_rising | (stable << (size_ - 1)) | (stable >> (size_ - 1));
    const std::uint64_t falling = in_falling | (stable << (size_ + 1)) | (stable >> (size_ + 1));
    stable |= inner & row & column & rising & falling;
  }
  return std::popcount(stable);
}

}  // namespace paika::othello
