// LastSquares: the end of the endings, four empty squares and fewer, where nearly all positions are.
//
// Scores are discs for the side to move, empty squares counted for the winner. All searches here are
// with a null window: the result is above `alpha` if the score is, else not, and is a bound of it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "games/othello/ternary.hpp"

namespace paika::othello {

/// Lower than any score.
inline constexpr int no_score = -127;

template <class Shape, class Lines>
class LastSquares {
 public:
  LastSquares(const Shape& shape, const Lines& lines) : lines_(lines), squares_(shape.size()) {
    for (int i = 0; i < shape.size(); ++i) {
      const Square s = shape.square(i);
      Around& around = around_[at(i)];
      for (const Direction d : all_directions) {
        const Square next = step(s, d);
        if (shape.contains(next)) around.neighbours |= bit(shape.index(next));
      }
      constexpr std::array<Direction, 4> ways = {Direction::e, Direction::s, Direction::se, Direction::sw};
      for (std::size_t line = 0; line < ways.size(); ++line) around.lines[line] = line_through(shape, s, ways[line]);
      around.quadrant = static_cast<std::uint8_t>((s.row * 2 / shape.rows()) * 2 + s.col * 2 / shape.cols());
    }
  }

  [[nodiscard]] const Lines& lines() const noexcept { return lines_; }
  /// How many positions were looked at so far.
  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
  void add_node() noexcept { ++nodes_; }

  /// Which quarter of the board a square is in, 0 to 3.
  [[nodiscard]] unsigned quadrant(int square) const noexcept { return around_[at(square)].quadrant; }

  /// The score of a finished game.
  [[nodiscard]] int final_score(std::uint64_t own, std::uint64_t opponent) const noexcept {
    const int difference = std::popcount(own) - std::popcount(opponent);
    const int empty = squares_ - std::popcount(own | opponent);
    return difference == 0 ? 0 : difference > 0 ? difference + empty : difference - empty;
  }

  /// Requires exactly four empty squares, in the order in which they should be tried. `two_pairs`: the first two share
  /// a quarter of the board, and so do the others.
  [[nodiscard]] int four(std::uint64_t own, std::uint64_t opponent, int alpha, const std::array<std::uint8_t, 4>& s,
                         bool two_pairs) noexcept {
    ++nodes_;
    int best = no_score;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint64_t flipped = flips(s[i], own, opponent);
      if (flipped == 0) continue;
      const int score = -three(opponent ^ flipped, own | flipped | bit(s[i]), -alpha - 2, without(s, i, two_pairs));
      if (score > alpha) return score;
      if (score > best) best = score;
    }
    if (best != no_score) return best;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint64_t flipped = flips(s[i], opponent, own);
      if (flipped == 0) continue;
      const int score = three(own ^ flipped, opponent | flipped | bit(s[i]), alpha, without(s, i, two_pairs));
      if (score <= alpha) return score;
      if (best == no_score || score < best) best = score;
    }
    return best != no_score ? best : final_score(own, opponent);
  }

 private:
  struct alignas(64) Around {
    std::uint64_t neighbours = 0;
    std::array<std::uint64_t, 4> lines{};   // the squares of the four lines through a square
    std::array<std::uint16_t, 4> places{};  // 256 times the square's place in each
    std::uint8_t quadrant = 0;
  };

  static constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  static constexpr std::uint64_t bit(int square) noexcept { return std::uint64_t{1} << square; }

  std::uint64_t line_through(const Shape& shape, Square s, Direction way) {
    Around& around = around_[at(shape.index(s))];
    const auto line = static_cast<std::size_t>(way == Direction::e    ? 0
                                               : way == Direction::s  ? 1
                                               : way == Direction::se ? 2
                                                                      : 3);
    Square first = s;
    int place = 0;
    for (; shape.contains(step(first, opposite(way))); first = step(first, opposite(way))) ++place;
    around.places[line] = static_cast<std::uint16_t>(256 * place);
    std::uint64_t squares = 0;
    for (Square next = first; shape.contains(next); next = step(next, way)) squares |= bit(shape.index(next));
    return squares;
  }

  [[nodiscard, gnu::always_inline]] std::uint64_t flips(int square, std::uint64_t own,
                                                        std::uint64_t opponent) const noexcept {
    if ((around_[at(square)].neighbours & opponent) == 0) return 0;
    return lines_.flips(square, {{own}}, {{opponent}}).words[0];
  }

  /// How many pawns turn over when `own` takes the last empty square.
  [[nodiscard, gnu::always_inline]] int last_flips(int square, std::uint64_t own) const noexcept {
    const Around& around = around_[at(square)];
    int count = 0;
    for (std::size_t i = 0; i < 4; ++i) count += enclosed[around.places[i] + gathered(own, around.lines[i])];
    return count;
  }

  [[nodiscard, gnu::always_inline]] int one(std::uint64_t own, std::uint64_t opponent, int square) noexcept {
    ++nodes_;
    const int difference = 2 * std::popcount(own) - squares_ + 1;
    if (const int gained = last_flips(square, own); gained != 0) return difference + 2 * gained + 1;
    if (const int lost = last_flips(square, opponent); lost != 0) return difference - 2 * lost - 1;
    return difference > 0 ? difference + 1 : difference - 1;
  }

  [[nodiscard, gnu::always_inline]] int two(std::uint64_t own, std::uint64_t opponent, int alpha, int a,
                                            int b) noexcept {
    ++nodes_;
    int best = no_score;
    if (const std::uint64_t flipped = flips(a, own, opponent); flipped != 0) {
      best = -one(opponent ^ flipped, own | flipped | bit(a), b);
      if (best > alpha) return best;
    }
    if (const std::uint64_t flipped = flips(b, own, opponent); flipped != 0) {
      const int score = -one(opponent ^ flipped, own | flipped | bit(b), a);
      return score > best ? score : best;
    }
    if (best != no_score) return best;
    if (const std::uint64_t flipped = flips(a, opponent, own); flipped != 0) {
      best = one(own ^ flipped, opponent | flipped | bit(a), b);
      if (best <= alpha) return best;
    }
    if (const std::uint64_t flipped = flips(b, opponent, own); flipped != 0) {
      const int score = one(own ^ flipped, opponent | flipped | bit(b), a);
      return best == no_score || score < best ? score : best;
    }
    return best != no_score ? best : final_score(own, opponent);
  }

  [[nodiscard]] int three(std::uint64_t own, std::uint64_t opponent, int alpha,
                          const std::array<std::uint8_t, 3>& s) noexcept {
    ++nodes_;
    int best = no_score;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t flipped = flips(s[i], own, opponent);
      if (flipped == 0) continue;
      const int score =
          -two(opponent ^ flipped, own | flipped | bit(s[i]), -alpha - 2, s[i == 0 ? 1 : 0], s[i == 2 ? 1 : 2]);
      if (score > alpha) return score;
      if (score > best) best = score;
    }
    if (best != no_score) return best;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t flipped = flips(s[i], opponent, own);
      if (flipped == 0) continue;
      const int score = two(own ^ flipped, opponent | flipped | bit(s[i]), alpha, s[i == 0 ? 1 : 0], s[i == 2 ? 1 : 2]);
      if (score <= alpha) return score;
      if (best == no_score || score < best) best = score;
    }
    return best != no_score ? best : final_score(own, opponent);
  }

  /// The squares that are left after the i-th, in the order in which they should be tried: of two pairs, the one that
  /// is left of its pair comes first, for who plays into an odd region tends to play last there.
  [[nodiscard, gnu::always_inline]] static std::array<std::uint8_t, 3> without(const std::array<std::uint8_t, 4>& s,
                                                                               std::size_t i, bool two_pairs) noexcept {
    if (i >= 2 && two_pairs) return {s[5 - i], s[0], s[1]};
    return {s[i == 0 ? 1 : 0], s[i <= 1 ? 2 : 1], s[i == 3 ? 2 : 3]};
  }

  /// enclosed[256 * place + own]: how many of the others a pawn at `place` of a full line encloses.
  /// Lines may be shorter than eight: what lies beyond them is not own, and encloses nothing.
  static constexpr std::array<std::uint8_t, std::size_t{8} * 256> enclosed = [] {
    std::array<std::uint8_t, std::size_t{8} * 256> table{};
    for (std::size_t place = 0; place < 8; ++place) {
      for (std::size_t own = 0; own < 256; ++own) {
        std::size_t count = 0;
        const std::size_t above = own >> (place + 1);
        if (above != 0) count += static_cast<std::size_t>(std::countr_zero(above));
        const std::size_t below = own & ((std::size_t{1} << place) - 1);
        if (below != 0) count += place - static_cast<std::size_t>(std::bit_width(below));
        table[256 * place + own] = static_cast<std::uint8_t>(count);
      }
    }
    return table;
  }();

  Lines lines_;
  int squares_;
  std::uint64_t nodes_ = 0;
  std::array<Around, 64> around_{};
};

}  // namespace paika::othello
