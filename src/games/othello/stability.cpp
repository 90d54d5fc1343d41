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
    : top_((std::uint64_t{1} << size) - 1), bottom_(top_ << (size * (size - 1))), size_(static_cast<unsigned>(size)) {
  PAIKA_CHECK(size >= 1 && size <= 8);
  left_ = 0;
  for (int row = 0; row < size; ++row) left_ |= std::uint64_t{1} << (row * size);
  right_ = left_ << (size - 1);
  rim_ = top_ | bottom_ | left_ | right_;
  all_ = size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (size * size)) - 1;
  const auto step = static_cast<std::uint64_t>(size);
  for (std::size_t i = 0; i < spreads_.size(); ++i) {
    const int steps = 1 << i;
    // The columns that a spread by so many steps to the right, or to the left, can reach.
    std::uint64_t right = 0;
    std::uint64_t left = 0;
    for (int col = steps; col < size; ++col) right |= left_ << col;
    for (int col = 0; col + steps < size; ++col) left |= left_ << col;
    spreads_[i].by = Lanes{1, step - 1, step, step + 1} * static_cast<std::uint64_t>(steps);
    spreads_[i].up = Lanes{right, left, all_, right} & all_;
    spreads_[i].down = Lanes{left, right, all_, left} & all_;
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

Stability::FullLines Stability::full_lines(std::uint64_t taken) const noexcept {
  // Empty squares spread along their lines, both ways, by 1, 2 and 4 steps; lines they do not reach are full.
  Lanes up = Lanes{} + (all_ & ~taken);
  Lanes down = up;
  for (const Spread& spread : spreads_) {
    up |= (up << spread.by) & spread.up;
    down |= (down >> spread.by) & spread.down;
  }
  return std::bit_cast<FullLines>(~(up | down));
}

int Stability::count(std::uint64_t own, std::uint64_t opponent) const noexcept {
  const std::uint64_t taken = own | opponent;
  const auto [in_row, in_rising, in_column, in_falling] = full_lines(taken);
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
