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
      : lines_(rules.lines()),
        evaluator_(evaluator),
        play_all_(best_play_all(rules.shape().cols())),
        squares_(rules.shape().size()) {}

  /// Whether there are patterns to estimate by; nothing else but evaluate() may be called without.
  [[nodiscard]] bool is_possible() const noexcept { return evaluator_.patterns() != nullptr; }
  /// The bare evaluation.
  [[nodiscard]] int evaluate(std::uint64_t own, std::uint64_t opponent) noexcept {
    ++nodes_;
    return evaluator_.evaluate({{own}}, {{opponent}});
  }
  /// How many positions were looked at so far.
  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }

  /// The states of the patterns, which search() keeps up to date.
  [[nodiscard]] PatternStates states(std::uint64_t own, std::uint64_t opponent) const noexcept {
    return evaluator_.states({{own}}, {{opponent}});
  }

  /// Alpha-beta `depth` plies deep, in hundredths of a disc; `set` is where the mover can place. Requires more empty
  /// squares than plies, or a finished game at the end of each line that is shorter.
  [[nodiscard]] int search(const PatternStates& states, std::uint64_t own, std::uint64_t opponent, std::uint64_t set,
                           int alpha, int beta, int depth) noexcept {
    ++nodes_;
    if (depth <= 0) return evaluator_.evaluate(states, {{own}}, {{opponent}}, {{set}});
    if (set == 0) {
      const std::uint64_t replies = lines_.placings({{opponent}}, {{own}}).words[0];
      if (replies == 0) return 100 * final_score(own, opponent);
      return -search(states.passed(), opponent, own, replies, -beta, -alpha, depth);
    }
    EndingMoves moves;
    play_all_(own, opponent, set, moves);
    return depth == 1 ? search_leaves(states, opponent, moves, beta)
                      : search_moves(states, opponent, moves, alpha, beta, depth);
  }

  /// The same, given the pawns alone.
  [[nodiscard]] int search(std::uint64_t own, std::uint64_t opponent, int alpha, int beta, int depth) noexcept {
    const std::uint64_t set = lines_.placings({{own}}, {{opponent}}).words[0];
    return search(states(own, opponent), own, opponent, set, alpha, beta, depth);
  }

  /// The value of the m-th move, given the states before it and the opponent's pawns then: -search() of the position
  /// after it.
  [[nodiscard]] int search_after(const PatternStates& states, std::uint64_t opponent, const EndingMoves& moves,
                                 std::size_t m, int alpha, int beta, int depth) noexcept {
    if (depth <= 0) return -leaf(states, opponent, moves, m);
    return -search(after(states, opponent, moves, m), moves.own[m], moves.opponent[m], moves.replies[m], -beta, -alpha,
                   depth);
  }

  /// The root mean square of the difference between search() and the exact score, in hundredths of a disc. Measured:
  /// docs/strategy/othello.md.
  [[nodiscard]] int error(int depth) const noexcept {
    using Errors = std::array<std::int16_t, 9>;
    static constexpr Errors on_8x8 = {710, 700, 660, 640, 570, 520, 460, 430, 370};
    static constexpr Errors on_6x6 = {780, 700, 600, 560, 440, 380, 340, 300, 250};
    return (squares_ == 64 ? on_8x8 : on_6x6)[static_cast<std::size_t>(std::clamp(depth, 0, 8))];
  }

 private:
  static constexpr int min_evaluated = 3;  // plies left, from which on the evaluation orders placings

  [[nodiscard]] PatternStates after(const PatternStates& states, std::uint64_t opponent, const EndingMoves& moves,
                                    std::size_t m) const noexcept {
    return states.after(evaluator_.patterns()->layout(), moves.square[m], Bits<1>{{opponent & moves.opponent[m]}});
  }

  /// The evaluation of the position after the m-th move, for the side to move then.
  [[nodiscard]] int leaf(const PatternStates& states, std::uint64_t opponent, const EndingMoves& moves,
                         std::size_t m) noexcept {
    ++nodes_;
    return evaluator_.evaluate_after(states, moves.square[m], Bits<1>{{opponent & moves.opponent[m]}}, {{moves.own[m]}},
                                     {{moves.opponent[m]}}, {{moves.replies[m]}});
  }

  /// The best of the moves, or one that reaches beta, by their evaluations.
  [[nodiscard]] int search_leaves(const PatternStates& states, std::uint64_t opponent, const EndingMoves& moves,
                                  int beta) noexcept {
    int best = -infinity;
    for (std::size_t m = 0; m < moves.size() && best < beta; ++m) {
      best = std::max(best, -leaf(states, opponent, moves, m));
    }
    return best;
  }

  [[nodiscard]] int search_moves(const PatternStates& states, std::uint64_t opponent, EndingMoves& moves, int alpha,
                                 int beta, int depth) noexcept {
    for (std::size_t m = 0; m < moves.size(); ++m) {
      // The less the opponent can reply the sooner a placing is tried; where it pays, the evaluation counts too.
      moves.score[m] = -100 * std::popcount(moves.replies[m]);
      if (depth >= min_evaluated) moves.score[m] -= leaf(states, opponent, moves, m);
    }
    int best = -infinity;
    for (std::size_t i = 0; i < moves.size() && best < beta; ++i) {
      const std::size_t m = moves.pick();
      moves.score[m] = EndingMoves::done;
      const PatternStates next = after(states, opponent, moves, m);
      const auto search_next = [&](int low, int high) {
        return -search(next, moves.own[m], moves.opponent[m], moves.replies[m], -high, -low, depth - 1);
      };
      const int low = std::max(alpha, best);
      int score = -infinity;
      if (i > 0 && beta - low > 1) score = search_next(low, low + 1);
      if (i == 0 || beta - low <= 1 || (score > low && score < beta)) score = search_next(low, beta);
      best = std::max(best, score);
    }
    return best;
  }

  [[nodiscard]] int final_score(std::uint64_t own, std::uint64_t opponent) const noexcept {
    const int difference = std::popcount(own) - std::popcount(opponent);
    const int empty = squares_ - std::popcount(own | opponent);
    return difference == 0 ? 0 : difference > 0 ? difference + empty : difference - empty;
  }

  typename BitboardRules<Shape>::Lines lines_;
  Evaluator<Shape> evaluator_;
  PlayAll play_all_;
  int squares_;
  std::uint64_t nodes_ = 0;
};

}  // namespace paika::othello
