// ShallowEnding: the part of an ending with few empty squares, where speed counts more than order: no table, placings
// in odd quarters first, and stability cutoffs; down to LastSquares. Also what it shares with the search above it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "games/othello/last_squares.hpp"
#include "games/othello/rules.hpp"
#include "games/othello/stability.hpp"

namespace paika::othello {

template <class Shape>
class ShallowEnding {
 public:
  explicit ShallowEnding(const BitboardRules<Shape>& rules)
      : last_(rules.shape(), rules.lines()),
        stability_(rules.shape().cols()),
        all_(rules.shape().all().words[0]),
        squares_(rules.shape().size()) {
    const int side = rules.shape().cols() - 1;
    for (const Square s : {Square{0, 0}, {side, 0}, {0, side}, {side, side}}) corners_ |= bit(rules.shape().index(s));
    for (int i = 0; i < squares_; ++i) quadrants_[last_.quadrant(i)] |= bit(i);
    for (unsigned parity = 0; parity < odd_.size(); ++parity) {
      for (unsigned q = 0; q < 4; ++q) {
        if (((parity >> q) & 1) != 0) odd_[parity] |= quadrants_[q];
      }
    }
  }

  /// How many positions were looked at so far.
  [[nodiscard]] std::uint64_t nodes() const noexcept { return last_.nodes(); }
  void add_node() noexcept { last_.add_node(); }

  [[nodiscard]] std::uint64_t corners() const noexcept { return corners_; }
  /// Which quarter of the board a square is in, 0 to 3.
  [[nodiscard]] unsigned quadrant(int square) const noexcept { return last_.quadrant(square); }
  /// The score of a finished game.
  [[nodiscard]] int final_score(std::uint64_t own, std::uint64_t opponent) const noexcept {
    return last_.final_score(own, opponent);
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t placings(std::uint64_t own, std::uint64_t opponent) const noexcept {
    return last_.lines().placings({{own}}, {{opponent}}).words[0];
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t flips(int square, std::uint64_t own,
                                                        std::uint64_t opponent) const noexcept {
    return last_.lines().flips(square, {{own}}, {{opponent}}).words[0];
  }

  /// Bit q: the q-th quarter of the board has an odd number of empty squares.
  [[nodiscard]] unsigned parity_of(std::uint64_t taken) const noexcept {
    unsigned parity = 0;
    for (unsigned q = 0; q < 4; ++q) {
      parity |= static_cast<unsigned>(std::popcount(quadrants_[q] & ~taken) & 1) << q;
    }
    return parity;
  }

  /// If the stable pawns of the opponent alone keep the score at alpha or below: that bound.
  [[nodiscard, gnu::always_inline]] bool cut_by_stability(std::uint64_t own, std::uint64_t opponent, int alpha,
                                                          int empties, int& bound) const noexcept {
    // With a low alpha it takes so many stable pawns that counting them is wasted.
    constexpr std::array<std::int8_t, 32> worthwhile = {99, 99, 99, 99, 6,  8,  10, 12, 14, 16, 20, 22, 24, 26, 28, 30,
                                                        32, 34, 36, 38, 40, 40, 42, 42, 44, 44, 46, 46, 48, 48, 50, 50};
    if (alpha < worthwhile[static_cast<std::size_t>(std::min(empties, 31))]) return false;
    bound = squares_ - 2 * stability_.count(opponent, own);
    return bound <= alpha;
  }

  /// Four to seven empty squares or so: no table, ordered by parity. Null window.
  [[nodiscard]] int search(std::uint64_t own, std::uint64_t opponent, std::uint64_t moves, int alpha, int empties,
                           unsigned parity) noexcept {
    last_.add_node();
    int bound = 0;
    if (cut_by_stability(own, opponent, alpha, empties, bound)) return bound;
    if (moves == 0) {
      const std::uint64_t replies = placings(opponent, own);
      if (replies == 0) return last_.final_score(own, opponent);
      return -search(opponent, own, replies, -alpha - 2, empties, parity);
    }
    int best = no_score;
    const std::uint64_t odd = moves & odd_[parity];
    for (std::uint64_t set : {odd & corners_, odd & ~corners_, moves & ~odd}) {
      for (; set != 0; set &= set - 1) {
        const int square = std::countr_zero(set);
        const std::uint64_t flipped = flips(square, own, opponent);
        const std::uint64_t next_own = opponent ^ flipped;
        const std::uint64_t next_opponent = own | flipped | bit(square);
        const unsigned next_parity = parity ^ (1U << last_.quadrant(square));
        const int score = empties == 5 ? -last_four(next_own, next_opponent, -alpha - 2, next_parity)
                                       : -search(next_own, next_opponent, placings(next_own, next_opponent), -alpha - 2,
                                                 empties - 1, next_parity);
        if (score > alpha) return score;
        if (score > best) best = score;
      }
    }
    return best;
  }

  /// A wide window over search(): climbs from alpha by null windows. Rare, at the end of best lines.
  [[nodiscard]] int search_wide(std::uint64_t own, std::uint64_t opponent, int alpha, int beta, int empties,
                                unsigned parity) noexcept {
    if (empties < 4) return few(own, opponent);
    const auto null_window = [&] {
      if (empties == 4) return last_four(own, opponent, alpha, parity);
      return search(own, opponent, placings(own, opponent), alpha, empties, parity);
    };
    int score = null_window();
    while (score > alpha && score < beta) {
      alpha = score;
      score = null_window();
    }
    return score;
  }

 private:
  static constexpr std::uint64_t bit(int square) noexcept { return std::uint64_t{1} << square; }

  [[nodiscard, gnu::always_inline]] int last_four(std::uint64_t own, std::uint64_t opponent, int alpha,
                                                  unsigned parity) noexcept {
    // Squares in odd quarters come first, one that is alone in its quarter before three that share one, and pairs stay
    // together: so parity needs no further thought below.
    const std::uint64_t empty = all_ & ~(own | opponent);
    std::uint64_t set = empty & odd_[parity];
    bool two_pairs = false;
    if (set == 0) {
      set = empty & quadrants_[last_.quadrant(std::countr_zero(empty))];
      two_pairs = set != empty;
    } else if (set == empty && parity != 0xf) {
      set = empty & quadrants_[static_cast<std::size_t>(std::countr_zero(parity))];
      if ((set & (set - 1)) != 0) set ^= empty;
    }
    std::uint64_t rest = empty ^ set;
    std::array<std::uint8_t, 4> squares;
    for (std::uint8_t& square : squares) {
      square = static_cast<std::uint8_t>(std::countr_zero(set));
      set &= set - 1;
      const bool next = set == 0;
      set = next ? rest : set;
      rest = next ? 0 : rest;
    }
    return last_.four(own, opponent, alpha, squares, two_pairs);
  }

  /// Fewer empty squares than four, at the root only: plain minimax.
  [[nodiscard]] int few(std::uint64_t own, std::uint64_t opponent) noexcept {
    last_.add_node();
    const std::uint64_t moves = placings(own, opponent);
    if (moves == 0) {
      return placings(opponent, own) == 0 ? last_.final_score(own, opponent) : -few(opponent, own);
    }
    int best = no_score;
    for (std::uint64_t set = moves; set != 0; set &= set - 1) {
      const int square = std::countr_zero(set);
      const std::uint64_t flipped = flips(square, own, opponent);
      best = std::max(best, -few(opponent ^ flipped, own | flipped | bit(square)));
    }
    return best;
  }

  LastSquares<Shape, typename BitboardRules<Shape>::Lines> last_;
  Stability stability_;
  std::uint64_t all_;
  int squares_;
  std::uint64_t corners_ = 0;
  std::array<std::uint64_t, 4> quadrants_{};
  std::array<std::uint64_t, 16> odd_{};  // by parity: the squares of the odd quarters
};

}  // namespace paika::othello
