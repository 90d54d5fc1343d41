// What the computer player knows of Black & White: an evaluation (evaluator.hpp) and, on boards of
// one word, exact endings (ending.hpp).
//
// Scores are hundredths of a disc: 100 means that one disc more is expected, or proven, at the end.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/othello/ending.hpp"
#include "games/othello/evaluator.hpp"
#include "games/othello/params.hpp"
#include "games/othello/probcut.hpp"
#include "games/othello/rules.hpp"
#include "games/othello/shallow_search.hpp"
#include "rules/search_traits.hpp"

namespace paika::othello {

template <class Shape>
class BitboardTraits {
 public:
  using RulesType = BitboardRules<Shape>;
  using Position = typename RulesType::Position;
  using Move = typename RulesType::Move;

  static constexpr bool solves_endings = RulesType::Set::capacity == 64;
  static constexpr std::size_t history_size = std::size_t{2} * (Shape::max_size + 1);

  BitboardTraits(const RulesType& rules, Evaluation evaluation) : rules_(rules), evaluator_(rules, evaluation) {}
  BitboardTraits(const RulesType& rules, const Evaluator<Shape>& evaluator) : rules_(rules), evaluator_(evaluator) {}

  [[nodiscard]] const RulesType& rules() const { return rules_; }
  [[nodiscard]] const Evaluator<Shape>& evaluator() const { return evaluator_; }
  [[nodiscard]] SearchParams params() const { return search_params(); }
  [[nodiscard]] static LevelPlans levels() { return level_plans(); }
  [[nodiscard]] int evaluate(const Position& p) const { return evaluator_.evaluate(p.own, p.opponent); }
  [[nodiscard]] std::vector<Term> terms(const Position& p) const { return evaluator_.terms(p.own, p.opponent); }
  [[nodiscard]] int tactical_score(const Position& /*p*/, const Move& /*m*/) const { return 0; }
  [[nodiscard]] std::size_t history_index(const Position& p, const Move& m) const {
    const std::size_t square = m.is_pass() ? Shape::max_size : m.square;
    return static_cast<std::size_t>(p.to_move) * (Shape::max_size + 1) + square;
  }

  /// The difference at the end, empty squares counted for the winner.
  [[nodiscard]] int final_score(const Position& p) const {
    const int difference = p.own.count() - p.opponent.count();
    const int left = empties(p);
    return 100 * (difference == 0 ? 0 : difference > 0 ? difference + left : difference - left);
  }

  /// The last plies, for one thread; none without patterns, to which everything here was fitted.
  class ShallowSearch {
   public:
    explicit ShallowSearch(const BitboardTraits& traits)
        : search_(traits.rules(), traits.evaluator()), has_patterns_(traits.evaluator().patterns() != nullptr) {}

    [[nodiscard]] int max_depth() const noexcept { return has_patterns_ ? search_.max_depth : 0; }
    [[nodiscard]] int search(const Position& p, int alpha, int beta, int depth, bool prunes, std::uint64_t& nodes) {
      return search_.search(p.own, p.opponent, alpha, beta, depth, prunes, nodes);
    }
    [[nodiscard]] int order_score(const Position& p, int depth, std::uint64_t& nodes) {
      return search_.search(p.own, p.opponent, -infinity, infinity, std::clamp((depth - 4) / 3, 0, 2), true, nodes);
    }

   private:
    static constexpr int infinity = 1'000'000;
    othello::ShallowSearch<Shape> search_;
    bool has_patterns_;
  };

  /// See probcut.hpp. Half as deep, an even number of plies less: evaluations swing with the side to move.
  [[nodiscard]] ProbCut probcut(const Position& p, int depth) const {
    const int shallow = depth / 2 - (depth - depth / 2) % 2;
    return {shallow, probcut_margin(rules_.shape().size(), p.own.count() + p.opponent.count(), depth, shallow)};
  }

  /// Solves endings for one thread: EndingSolver, made in the way the search does.
  class Ending : public EndingSolver<Shape> {
   public:
    Ending(const BitboardTraits& traits, EndingTable& table)
        : EndingSolver<Shape>(traits.rules(), traits.evaluator(), table), traits_(&traits) {}

    /// The turn that was best when `p` was last searched, if that is still known.
    [[nodiscard]] std::optional<Move> best_move(const Position& p) const noexcept {
      const auto square = this->best_square(p);
      return square ? std::optional<Move>(Move{static_cast<std::uint16_t>(*square)}) : std::nullopt;
    }

    /// Turns of perfect play from `p`, whose score is `score`, to the end of the game. Quick soon after
    /// solving, while the table remembers. Shorter if `halt`, as for solve(), says so.
    template <class Halt>
    [[nodiscard]] std::vector<Move> line(Position p, int score, Halt&& halt) {
      std::vector<Move> turns;
      while (!traits_->rules().outcome(p).over()) {
        const std::optional<Move> kept = keeping_turn(p, score, halt);
        if (!kept) break;
        turns.push_back(*kept);
        p = traits_->rules().play(p, *kept);
        score = -score;
      }
      return turns;
    }

   private:
    /// A turn that keeps the score, the one the table remembers if it does; nothing if halted.
    template <class Halt>
    [[nodiscard]] std::optional<Move> keeping_turn(const Position& p, int score, Halt& halt) {
      const RulesType& rules = traits_->rules();
      bool halted = false;
      const auto noting = [&](std::uint64_t n) { return halted = halt(n); };
      const auto keeps = [&](const Move& m) {
        const Position q = rules.play(p, m);
        if (rules.outcome(q).over()) return -traits_->final_score(q) >= score;
        return -this->solve(q, -score, -score + 1, noting) >= score && !halted;
      };
      if (const auto remembered = best_move(p); remembered && keeps(*remembered)) return remembered;
      std::optional<Move> kept;
      visit_turns(rules, p, [&](const Move& m) {
        if (!halted && keeps(m)) kept = m;
        return !kept && !halted;
      });
      return kept;
    }

    const BitboardTraits* traits_;
  };
  using EndingTable = othello::EndingTable;

  /// The depth from which on a search sees the end: one turn an empty square, and a pass if the mover
  /// must begin with one. Later passes cost nothing, as the solver takes over.
  [[nodiscard]] int plies_to_end(const Position& p) const
    requires solves_endings
  {
    return empties(p) + (rules_.placings(p).none() ? 1 : 0);
  }

  /// Below the root the solver takes over where a turn is left for every empty square, even if the mover must pass: a
  /// reply that passes would otherwise be searched a ply short of the end, and only be estimated.
  [[nodiscard]] bool solves_from(const Position& p, int depth) const
    requires solves_endings
  {
    return depth >= empties(p);
  }

  /// As measured: docs/strategy/othello.md.
  [[nodiscard]] double solving_cost(const Position& p) const
    requires solves_endings
  {
    return 4e6 * std::pow(2.2, empties(p) - 20);
  }

  /// In the middle game one more; when an ending can be solved about as fast as a few plies more are
  /// searched, straight to its end.
  [[nodiscard]] int next_depth(const Position& p, int depth) const
    requires solves_endings
  {
    const int end = plies_to_end(p);
    constexpr int solvable = 28;
    if (end <= solvable && 5 * depth >= 2 * end) return std::max(end, depth + 1);
    return depth + 1;
  }

 private:
  [[nodiscard]] int empties(const Position& p) const {
    return rules_.shape().size() - p.own.count() - p.opponent.count();
  }

  RulesType rules_;
  Evaluator<Shape> evaluator_;
};

static_assert(HasEndings<BitboardTraits<FixedShape<8, 8>>>);
static_assert(!HasEndings<BitboardTraits<FixedShape<10, 10>>>);

}  // namespace paika::othello
