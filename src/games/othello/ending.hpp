// EndingSolver: the exact score of an ending on boards of one word (6x6 and 8x8).
//
// Alpha-beta with null windows over bare words. Near the end (last_squares.hpp) parity alone orders
// the placings; above that come the table, stability cutoffs and fastest-first ordering, and further
// up the evaluation and shallow searches with it. Deterministic with one thread and a fresh table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "games/othello/ending_order.hpp"
#include "games/othello/ending_table.hpp"
#include "games/othello/evaluator.hpp"
#include "games/othello/last_squares.hpp"
#include "games/othello/stability.hpp"

namespace paika::othello {

template <class Shape>
class EndingSolver {
 public:
  using Position = typename BitboardRules<Shape>::Position;
  using Set = typename Shape::Set;
  static_assert(Set::capacity == 64);

  /// The table must outlive the solver; solvers of several threads may share one.
  EndingSolver(const BitboardRules<Shape>& rules, const Evaluator<Shape>& evaluator, EndingTable& table)
      : last_(rules.shape(), rules.lines()),
        evaluator_(evaluator),
        stability_(rules.shape().cols()),
        table_(&table),
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

  /// The score of `p` in hundredths of a disc if it lies between alpha and beta, else a bound beyond
  /// the nearer one. `halt` is told every now and then how many positions were looked at since, and
  /// returns true to give up; the result is worthless then. Requires alpha < beta.
  template <class Halt>
  [[nodiscard]] int solve(const Position& p, int alpha, int beta, Halt&& halt) {
    const std::uint64_t own = p.own.words[0];
    const std::uint64_t opponent = p.opponent.words[0];
    root_empties_ = squares_ - std::popcount(own | opponent);
    stopped_ = false;
    told_ = last_.nodes();
    // Scores are whole discs: the window is widened to whole discs.
    const int low = std::clamp(floor_discs(alpha), -squares_, squares_ - 1);
    const int high = std::clamp(-floor_discs(-beta), low + 1, squares_);
    const int score = search(own, opponent, low, high, root_empties_, parity_of(own | opponent), halt);
    if (!stopped_ && halt(last_.nodes() - told_)) stopped_ = true;
    return 100 * score;
  }

  /// The square that was best when `p` was last solved, if the table still knows; else nothing.
  [[nodiscard]] std::optional<int> best_square(const Position& p) const noexcept {
    EndingEntry known;
    if (!table_->find(EndingTable::key(p.own.words[0], p.opponent.words[0]), known)) return {};
    if (known.best == EndingEntry::none) return {};
    return known.best;
  }

 private:
  // By the number of empty squares: from where on each means pays. Measured: docs/strategy/othello.md.
  static constexpr int min_sorted = 8;
  static constexpr int min_cut_by_table = 10;
  static constexpr int min_evaluated = 13;
  static constexpr std::uint64_t positions_between_halts = 1000;

  static constexpr std::uint64_t bit(int square) noexcept { return std::uint64_t{1} << square; }
  static constexpr int floor_discs(int score) noexcept { return (score >= 0 ? score : score - 99) / 100; }

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

  /// True if the search must stop; asks `halt` if it is time to.
  template <class Halt>
  [[nodiscard, gnu::always_inline]] bool must_stop(Halt& halt) {
    if (stopped_) return true;
    if (last_.nodes() - told_ < positions_between_halts) [[likely]]
      return false;
    stopped_ = halt(last_.nodes() - told_);
    told_ = last_.nodes();
    return stopped_;
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
  [[nodiscard]] int shallow(std::uint64_t own, std::uint64_t opponent, int alpha, int empties,
                            unsigned parity) noexcept {
    if (empties == 4) return last_four(own, opponent, alpha, parity);
    last_.add_node();
    int bound = 0;
    if (cut_by_stability(own, opponent, alpha, empties, bound)) return bound;
    const std::uint64_t moves = placings(own, opponent);
    if (moves == 0) {
      if (placings(opponent, own) == 0) return last_.final_score(own, opponent);
      return -shallow(opponent, own, -alpha - 1, empties, parity);
    }
    int best = no_score;
    const std::uint64_t odd = moves & odd_[parity];
    for (std::uint64_t set : {odd & corners_, odd & ~corners_, moves & ~odd}) {
      for (; set != 0; set &= set - 1) {
        const int square = std::countr_zero(set);
        const std::uint64_t flipped = flips(square, own, opponent);
        const int score = -shallow(opponent ^ flipped, own | flipped | bit(square), -alpha - 1, empties - 1,
                                   parity ^ (1U << last_.quadrant(square)));
        if (score > alpha) return score;
        if (score > best) best = score;
      }
    }
    return best;
  }

  [[nodiscard, gnu::always_inline]] int last_four(std::uint64_t own, std::uint64_t opponent, int alpha,
                                                  unsigned parity) noexcept {
    const std::uint64_t empty = all_ & ~(own | opponent);
    std::array<std::uint8_t, 4> squares;
    std::size_t count = 0;
    for (std::uint64_t set : {empty & odd_[parity], empty & ~odd_[parity]}) {
      for (; set != 0; set &= set - 1) squares[count++] = static_cast<std::uint8_t>(std::countr_zero(set));
    }
    return last_.four(own, opponent, alpha, squares);
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

  /// A wide window over shallow(): climbs from alpha by null windows. Rare, at the end of best lines.
  [[nodiscard]] int shallow_wide(std::uint64_t own, std::uint64_t opponent, int alpha, int beta, int empties,
                                 unsigned parity) noexcept {
    if (empties < 4) return few(own, opponent);
    int score = shallow(own, opponent, alpha, empties, parity);
    while (score > alpha && score < beta) {
      alpha = score;
      score = shallow(own, opponent, alpha, empties, parity);
    }
    return score;
  }

  /// Fills `moves` with the placings of `set` and what comes of them. If one takes the last pawn of
  /// the opponent, true: nothing can be better.
  [[nodiscard]] bool list_moves(std::uint64_t own, std::uint64_t opponent, std::uint64_t set,
                                EndingMoves& moves) const noexcept {
    for (; set != 0; set &= set - 1) {
      const int square = std::countr_zero(set);
      const std::uint64_t flipped = flips(square, own, opponent);
      if (flipped == opponent) return true;
      EndingMove move;
      move.own = opponent ^ flipped;
      move.opponent = own | flipped | bit(square);
      move.square = static_cast<std::uint8_t>(square);
      moves.add(move);
    }
    return false;
  }

  /// How many plies of search with the evaluation order the placings.
  [[nodiscard]] static constexpr int ordering_depth(int empties) noexcept {
    return std::clamp((empties - 15) / 3, 0, 4);
  }

  /// What a placing is worth to the ordering: few replies for the opponent, few of them corners, a
  /// good evaluation where that pays.
  [[nodiscard]] int worth(const EndingMove& move, int empties, unsigned parity) noexcept {
    const std::uint64_t replies = placings(move.own, move.opponent);
    const int a_reply = empties >= min_evaluated ? 300 : 100;
    int value = -a_reply * (std::popcount(replies) + std::popcount(replies & corners_));
    if (((parity >> last_.quadrant(move.square)) & 1) != 0) value += 50;
    if ((bit(move.square) & corners_) != 0) value += 100;
    if (empties >= min_evaluated) {
      value -= estimate(move.own, move.opponent, -infinity, infinity, ordering_depth(empties));
    }
    return value;
  }

  /// Alpha-beta with the evaluation, `depth` plies deep.
  [[nodiscard]] int estimate(std::uint64_t own, std::uint64_t opponent, int alpha, int beta, int depth) noexcept {
    last_.add_node();
    if (depth <= 0) return evaluator_.evaluate({{own}}, {{opponent}});
    std::uint64_t moves = placings(own, opponent);
    if (moves == 0) {
      if (placings(opponent, own) == 0) return 100 * last_.final_score(own, opponent);
      return -estimate(opponent, own, -beta, -alpha, depth);
    }
    int best = -infinity;
    for (; moves != 0 && best < beta; moves &= moves - 1) {
      const int square = std::countr_zero(moves);
      const std::uint64_t flipped = flips(square, own, opponent);
      best = std::max(
          best, -estimate(opponent ^ flipped, own | flipped | bit(square), -beta, -std::max(alpha, best), depth - 1));
    }
    return best;
  }

  /// Scores the moves; with `cut`, also looks in the table whether one of them is known to reach beta.
  [[nodiscard]] bool sort_moves(EndingMoves& moves, const EndingEntry& known, int beta, int empties, unsigned parity,
                                int& score) noexcept {
    if (empties >= min_cut_by_table) {
      for (EndingMove& move : moves) {
        move.key = EndingTable::key(move.own, move.opponent);
        table_->prefetch(move.key);
      }
      for (const EndingMove& move : moves) {
        EndingEntry entry;
        if (table_->find(move.key, entry) && -entry.upper >= beta) {
          score = -entry.upper;
          return true;
        }
      }
    }
    for (EndingMove& move : moves) {
      move.worth = move.square == known.best     ? infinity
                   : move.square == known.second ? infinity - 1
                                                 : worth(move, empties, parity);
    }
    return false;
  }

  template <class Halt>
  [[nodiscard]] int search(std::uint64_t own, std::uint64_t opponent, int alpha, int beta, int empties, unsigned parity,
                           Halt& halt) {
    if (empties < min_sorted) {
      if (beta - alpha > 1 || empties < 4) return shallow_wide(own, opponent, alpha, beta, empties, parity);
      return shallow(own, opponent, alpha, empties, parity);
    }
    last_.add_node();
    if (must_stop(halt)) return alpha;
    int bound = 0;
    if (cut_by_stability(own, opponent, alpha, empties, bound)) return bound;
    const std::uint64_t key = EndingTable::key(own, opponent);
    EndingEntry known;
    if (table_->find(key, known)) {
      if (known.lower >= beta || known.lower == known.upper) return known.lower;
      if (known.upper <= alpha) return known.upper;
      alpha = std::max<int>(alpha, known.lower);
      beta = std::min<int>(beta, known.upper);
      if (alpha >= beta) return alpha;
    }
    const std::uint64_t set = placings(own, opponent);
    if (set == 0) {
      if (placings(opponent, own) == 0) return last_.final_score(own, opponent);
      return -search(opponent, own, -beta, -alpha, empties, parity, halt);
    }
    EndingMoves moves;
    if (list_moves(own, opponent, set, moves)) return squares_;
    int best = no_score;
    if (sort_moves(moves, known, beta, empties, parity, best)) return best;
    const std::uint8_t best_square = search_moves(moves, alpha, beta, empties, parity, halt, best);
    if (stopped_) return alpha;
    remember(key, known, alpha, beta, empties, best, best_square);
    return best;
  }

  /// Principal-variation search over the moves; gives the best score and returns its square.
  template <class Halt>
  [[nodiscard]] std::uint8_t search_moves(EndingMoves& moves, int alpha, int beta, int empties, unsigned parity,
                                          Halt& halt, int& best) {
    std::uint8_t best_square = EndingEntry::none;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const EndingMove& move = moves.pick(i);
      const unsigned parity_after = parity ^ (1U << last_.quadrant(move.square));
      const int low = std::max(alpha, best);
      int score = no_score;
      if (i > 0 && beta - low > 1) {
        score = -search(move.own, move.opponent, -low - 1, -low, empties - 1, parity_after, halt);
      }
      if (!stopped_ && (i == 0 || beta - low <= 1 || (score > low && score < beta))) {
        score = -search(move.own, move.opponent, -beta, -std::max(low, score), empties - 1, parity_after, halt);
      }
      if (stopped_) break;
      if (score > best) {
        best = score;
        best_square = move.square;
      }
      if (best >= beta) break;
    }
    return best_square;
  }

  void remember(std::uint64_t key, const EndingEntry& known, int alpha, int beta, int empties, int best,
                std::uint8_t best_square) noexcept {
    EndingEntry entry = known;
    entry.empties = static_cast<std::uint8_t>(empties);
    if (best > alpha) entry.lower = static_cast<std::int8_t>(std::max<int>(known.lower, best));
    if (best < beta) entry.upper = static_cast<std::int8_t>(std::min<int>(known.upper, best));
    if (best_square != known.best) {
      entry.best = best_square;
      entry.second = known.best;
    }
    table_->store(key, entry, root_empties_);
  }

  static constexpr int infinity = 1'000'000;

  LastSquares<Shape, typename BitboardRules<Shape>::Lines> last_;
  Evaluator<Shape> evaluator_;
  Stability stability_;
  EndingTable* table_;
  std::uint64_t all_;
  int squares_;
  std::uint64_t corners_ = 0;
  std::array<std::uint64_t, 4> quadrants_{};
  std::array<std::uint64_t, 16> odd_{};  // by parity: the squares of the odd quarters
  int root_empties_ = 0;
  std::uint64_t told_ = 0;  // positions that halt was told of
  bool stopped_ = false;
};

}  // namespace paika::othello
