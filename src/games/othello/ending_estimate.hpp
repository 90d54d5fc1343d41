// EndingEstimate: what the evaluation thinks of an ending, by a search of a few plies with it; and how far the exact
// score is usually from that. The ending solver orders placings by it, and believes it in its selective searches.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "games/othello/ending_order.hpp"
#include "games/othello/evaluator.hpp"

namespace paika::othello {

template <class Shape>
class EndingEstimate {
 public:
  static constexpr int infinity = 1'000'000;

  EndingEstimate(const BitboardRules<Shape>& rules, const Evaluator<Shape>& evaluator)
      : lines_(rules.lines()), evaluator_(evaluator), squares_(rules.shape().size()) {}

  /// How many positions were looked at so far.
  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }

  /// Alpha-beta `depth` plies deep, in hundredths of a disc. Requires more empty squares than plies, or a finished
  /// game at the end of each line that is shorter.
  [[nodiscard]] int search(std::uint64_t own, std::uint64_t opponent, int alpha, int beta, int depth) noexcept {
    ++nodes_;
    if (depth <= 0) return evaluator_.evaluate({{own}}, {{opponent}});
    const std::uint64_t set = placings(own, opponent);
    if (set == 0) {
      if (placings(opponent, own) == 0) return 100 * final_score(own, opponent);
      return -search(opponent, own, -beta, -alpha, depth);
    }
    EndingMoves moves;
    for (std::uint64_t left = set; left != 0; left &= left - 1) {
      moves.add(after(own, opponent, std::countr_zero(left)));
    }
    if (depth >= min_sorted) {
      for (EndingMove& move : moves) move.worth = first_look(move, depth);
    }
    int best = -infinity;
    for (std::size_t i = 0; i < moves.size() && best < beta; ++i) {
      const EndingMove& move = depth >= min_sorted ? moves.pick(i) : moves[i];
      const int low = std::max(alpha, best);
      int score = -infinity;
      if (i > 0 && depth > 1 && beta - low > 1) score = -search(move.own, move.opponent, -low - 1, -low, depth - 1);
      if (i == 0 || depth <= 1 || beta - low <= 1 || (score > low && score < beta)) {
        score = -search(move.own, move.opponent, -beta, -low, depth - 1);
      }
      best = std::max(best, score);
    }
    return best;
  }

  /// Whether error() is that of this board: elsewhere nothing may be believed.
  [[nodiscard]] bool is_measured() const noexcept { return squares_ == 64; }
  /// The root mean square of the difference between search() and the exact score, in hundredths of a disc. Measured:
  /// docs/strategy/othello.md.
  [[nodiscard]] static constexpr int error(int depth) noexcept {
    constexpr std::array<std::int16_t, 9> measured = {840, 750, 680, 630, 570, 520, 490, 450, 420};
    return measured[static_cast<std::size_t>(std::clamp(depth, 0, 8))];
  }

 private:
  static constexpr int min_sorted = 2;

  [[nodiscard, gnu::always_inline]] std::uint64_t placings(std::uint64_t own, std::uint64_t opponent) const noexcept {
    return lines_.placings({{own}}, {{opponent}}).words[0];
  }
  [[nodiscard, gnu::always_inline]] EndingMove after(std::uint64_t own, std::uint64_t opponent,
                                                     int square) const noexcept {
    const std::uint64_t flipped = lines_.flips(square, {{own}}, {{opponent}}).words[0];
    EndingMove move;
    move.own = opponent ^ flipped;
    move.opponent = own | flipped | (std::uint64_t{1} << square);
    move.square = static_cast<std::uint8_t>(square);
    return move;
  }

  /// The less the opponent can reply the sooner a placing is tried; where it pays, the evaluation counts too.
  [[nodiscard]] int first_look(const EndingMove& move, int depth) noexcept {
    const int replies = std::popcount(placings(move.own, move.opponent));
    if (depth < 3) return -replies;
    ++nodes_;
    return -evaluator_.evaluate({{move.own}}, {{move.opponent}}) - 100 * replies;
  }

  [[nodiscard]] int final_score(std::uint64_t own, std::uint64_t opponent) const noexcept {
    const int difference = std::popcount(own) - std::popcount(opponent);
    const int empty = squares_ - std::popcount(own | opponent);
    return difference == 0 ? 0 : difference > 0 ? difference + empty : difference - empty;
  }

  typename BitboardRules<Shape>::Lines lines_;
  Evaluator<Shape> evaluator_;
  int squares_;
  std::uint64_t nodes_ = 0;
};

}  // namespace paika::othello
