// ShallowSearch: the last plies of a search of the middle game, where nearly all of its positions are.
//
// Alpha-beta on bare sets of pawns, without a table. The states of the patterns are brought up to date move by move.
// What looks clear enough by the evaluation alone is believed, as ProbCut does further up (probcut.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "games/othello/evaluator.hpp"
#include "games/othello/probcut.hpp"

namespace paika::othello {

template <class Shape>
class ShallowSearch {
 public:
  using Set = typename Shape::Set;
  static constexpr int max_depth = 3;

  /// The evaluator must outlive the search. Requires an evaluator with patterns.
  ShallowSearch(const BitboardRules<Shape>& rules, const Evaluator<Shape>& evaluator)
      : lines_(rules.lines()), evaluator_(&evaluator), squares_(rules.shape().size()) {}

  /// The score of a position in hundredths of a disc if it lies between alpha and beta, else a bound beyond the
  /// nearer one; clear positions are cut off if `prunes`. Adds the number of positions looked at to `nodes`.
  [[nodiscard]] int search(const Set& own, const Set& opponent, int alpha, int beta, int depth, bool prunes,
                           std::uint64_t& nodes) noexcept {
    nodes_ = 0;
    prunes_ = prunes;
    const int score =
        search(evaluator_->states(own, opponent), own, opponent, lines_.placings(own, opponent), alpha, beta, depth);
    nodes += nodes_;
    return score;
  }

 private:
  struct Placing {
    Set own;  // of the opponent, who is to move then
    Set opponent;
    Set flipped;
    Set replies;  // where the opponent can place then, if it is known
    int square;
    int worth;
  };
  using Placings = std::array<Placing, Shape::max_size <= 64 ? 40 : 80>;
  static constexpr int infinity = 1'000'000;

  /// `set` is where the mover can place.
  [[nodiscard]] int search(const PatternStates& states, const Set& own, const Set& opponent, const Set& set, int alpha,
                           int beta, int depth) noexcept {
    ++nodes_;
    if (set.none()) {
      const Set replies = lines_.placings(opponent, own);
      if (replies.none()) return final_score(own, opponent);
      if (depth > 0) return -search(states.passed(), opponent, own, replies, -beta, -alpha, depth);
    }
    if (depth <= 0) return evaluator_->evaluate(states, own, opponent, set);
    if (prunes_) {
      const int evaluation = evaluator_->evaluate(states, own, opponent, set);
      const int margin = probcut_margin(squares_, (own | opponent).count(), depth, 0);
      if (evaluation >= beta + margin) return beta;
      if (evaluation <= alpha - margin) return alpha;
    }
    return depth == 1 ? search_leaves(states, own, opponent, set, beta)
                      : search_placings(states, own, opponent, set, alpha, beta, depth);
  }

  /// The best of the placings of `set`, or one that reaches beta, by their evaluations.
  [[nodiscard]] int search_leaves(const PatternStates& states, const Set& own, const Set& opponent, const Set& set,
                                  int beta) noexcept {
    int best = -infinity;
    for (Set left = set; left.any() && best < beta;) {
      ++nodes_;
      const Placing placing = placed(own, opponent, left.pop_lowest());
      best = std::max(best, -leaf(states, placing));
    }
    return best;
  }

  /// For the side to move after the placing.
  [[nodiscard]] int leaf(const PatternStates& states, const Placing& placing) noexcept {
    const Counts counts = evaluator_->counts(placing.own, placing.opponent);
    if (counts.values[0] == 0 && counts.values[1] == 0) return final_score(placing.own, placing.opponent);
    const auto& patterns = *evaluator_->patterns();
    return patterns.evaluate(states.lanes_after(patterns.layout(), placing.square, placing.flipped), counts);
  }

  [[nodiscard]] int search_placings(const PatternStates& states, const Set& own, const Set& opponent, const Set& set,
                                    int alpha, int beta, int depth) noexcept {
    Placings placings;
    std::size_t count = 0;
    for (Set left = set; left.any();) {
      Placing& placing = placings[count++] = placed(own, opponent, left.pop_lowest());
      placing.replies = lines_.placings(placing.own, placing.opponent);
      placing.worth = -placing.replies.count();
    }
    const PatternLayout& layout = evaluator_->patterns()->layout();
    int best = -infinity;
    for (std::size_t i = 0; i < count && best < beta; ++i) {
      const auto at = std::max_element(placings.begin() + static_cast<std::ptrdiff_t>(i),
                                       placings.begin() + static_cast<std::ptrdiff_t>(count),
                                       [](const Placing& a, const Placing& b) { return a.worth < b.worth; });
      std::swap(placings[i], *at);
      const Placing& placing = placings[i];
      const PatternStates next = states.after(layout, placing.square, placing.flipped);
      const int low = std::max(alpha, best);
      best = std::max(best, -search(next, placing.own, placing.opponent, placing.replies, -beta, -low, depth - 1));
    }
    return best;
  }

  [[nodiscard, gnu::always_inline]] Placing placed(const Set& own, const Set& opponent, int square) const noexcept {
    const Set flipped = lines_.flips(square, own, opponent);
    Set grown = own | flipped;
    grown.set(square);
    return {opponent ^ flipped, grown, flipped, {}, square, 0};
  }

  [[nodiscard]] int final_score(const Set& own, const Set& opponent) const noexcept {
    const int difference = own.count() - opponent.count();
    const int empty = squares_ - own.count() - opponent.count();
    return 100 * (difference == 0 ? 0 : difference > 0 ? difference + empty : difference - empty);
  }

  typename BitboardRules<Shape>::Lines lines_;
  const Evaluator<Shape>* evaluator_;
  int squares_;
  bool prunes_ = true;
  std::uint64_t nodes_ = 0;
};

}  // namespace paika::othello
