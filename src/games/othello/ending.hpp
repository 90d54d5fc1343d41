// EndingSolver: the exact score of an ending on boards of one word (6x6 and 8x8).
//
// Alpha-beta with null windows over bare words. Near the end (last_squares.hpp) parity alone orders
// the placings; above that come the table, stability cutoffs and fastest-first ordering, and further
// up the evaluation and short searches with it (ending_estimate.hpp). Before the exact search of a large
// ending come selective ones that believe those short searches (Multi-ProbCut), at first rashly, then
// hardly at all: they cost little, and leave the best placings and nearly the right score in the table.
// All scores are even, since empty squares count for the winner: so are all windows.
//
// Solvers of several threads that share a table share the work: placings that another thread is
// searching are put off (ABDADA), and what another thread has settled meanwhile is left at once.
// Deterministic with one thread and a fresh table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "games/othello/ending_estimate.hpp"
#include "games/othello/ending_order.hpp"
#include "games/othello/ending_shallow.hpp"
#include "games/othello/ending_table.hpp"
#include "games/othello/evaluator.hpp"

namespace paika::othello {

template <class Shape>
class EndingSolver {
 public:
  using Position = typename BitboardRules<Shape>::Position;
  using Set = typename Shape::Set;
  static_assert(Set::capacity == 64);

  /// The table must outlive the solver; solvers of several threads may share one.
  EndingSolver(const BitboardRules<Shape>& rules, const Evaluator<Shape>& evaluator, EndingTable& table)
      : shallow_(rules),
        estimate_(rules, evaluator),
        table_(&table),
        play_all_(best_play_all(rules.shape().cols())),
        shape_(rules.shape()),
        squares_(rules.shape().size()) {
    table.attach();
    min_folded_ = squares_ - folded_plies;
  }

  EndingSolver(const EndingSolver&) = delete;
  EndingSolver& operator=(const EndingSolver&) = delete;
  ~EndingSolver() { table_->detach(); }

  /// The score of `p` in hundredths of a disc if it lies between alpha and beta, else a bound beyond
  /// the nearer one. `halt` is told every now and then how many positions were looked at since, and
  /// returns true to give up; the result is worthless then. Requires alpha < beta.
  template <class Halt>
  [[nodiscard]] int solve(const Position& p, int alpha, int beta, Halt&& halt) {
    return solve(p, alpha, beta, halt, [](int /*score*/) {});
  }

  /// The same; on_level(score) is called after each selective search, whose best square best_square()
  /// then gives.
  template <class Halt, class OnLevel>
  [[nodiscard]] int solve(const Position& p, int alpha, int beta, Halt&& halt, OnLevel&& on_level) {
    root_ = {p.own.words[0], p.opponent.words[0]};
    root_empties_ = squares_ - std::popcount(root_.own | root_.opponent);
    begin();
    // Scores are even numbers of discs: the window is widened to such.
    const int low = std::clamp(floor_even(alpha), -squares_, squares_ - 2);
    const int high = std::clamp(-floor_even(-beta), low + 2, squares_);
    const int score = solve_by_levels(low, high, halt, on_level);
    if (!stopped_ && halt(nodes() - told_)) stopped_ = true;
    return 100 * score;
  }

  /// The square that was best when `p` was last solved, if the table still knows; else nothing.
  [[nodiscard]] std::optional<int> best_square(const Position& p) const noexcept {
    EndingEntry known;
    const std::uint64_t key = EndingTable::key(p.own.words[0], p.opponent.words[0]);
    const bool shared = squares_ - p.own.count() - p.opponent.count() >= min_shared;
    if (!(shared ? table_->find(key, known) : near_.find(key, known))) return {};
    if (known.best == EndingEntry::none) return {};
    return known.best;
  }

 private:
  // By the number of empty squares: from where on each means pays. Measured: docs/strategy/othello.md.
  static constexpr int min_sorted = 7;
  static constexpr int min_stored = 8;        // in the table of this thread alone …
  static constexpr int min_shared = 11;       // … and in that of all threads
  static constexpr int min_cut_by_table = 9;  // the placings are looked up before one is searched
  static constexpr int min_probed = 10;       // selective searches are exact below
  static constexpr int min_split = 12;        // threads share the work
  static constexpr int min_evaluated = 13;
  static constexpr int min_selective = 18;  // selective searches come first
  static constexpr int folded_plies = 14;   // from the start of a game positions are folded
  static constexpr std::uint64_t positions_between_halts = 1000;

  /// How many standard errors a probe must be beyond the window to be believed, level by level.
  static constexpr std::array<double, 3> confidence = {0.8, 1.4, 2.2};

  static constexpr std::uint64_t bit(int square) noexcept { return std::uint64_t{1} << square; }
  /// The largest even number of discs that is not more than `score` hundredths.
  static constexpr int floor_even(int score) noexcept { return 2 * ((score >= 0 ? score : score - 199) / 200); }

  [[nodiscard]] std::uint64_t nodes() const noexcept { return shallow_.nodes() + estimate_.nodes(); }

  [[nodiscard, gnu::always_inline]] std::uint64_t placings(std::uint64_t own, std::uint64_t opponent) const noexcept {
    return shallow_.placings(own, opponent);
  }

  /// True if the search must stop; asks `halt` if it is time to.
  template <class Halt>
  [[nodiscard, gnu::always_inline]] bool must_stop(Halt& halt) {
    if (broken_off()) return true;
    const std::uint64_t now = nodes();
    if (now - told_ < positions_between_halts) [[likely]]
      return false;
    stopped_ = halt(now - told_);
    told_ = now;
    if (shared_) leave_what_is_settled();
    return broken_off();
  }

  /// Whether the search is on its way back, without a result.
  [[nodiscard]] bool broken_off() const noexcept { return stopped_ || leaving_ != nowhere; }

  /// If another thread has settled a position on the way to this one, there is nothing to do here: the search goes
  /// back to that position.
  void leave_what_is_settled() noexcept {
    for (int i = 0; i < path_length_; ++i) {
      const Step& step = path_[static_cast<std::size_t>(i)];
      EndingEntry known;
      if (!table_->find(step.key, known) || known.level < step.level) continue;
      if (known.upper > step.alpha && known.lower < step.beta && known.lower != known.upper) continue;
      leaving_ = i;
      return;
    }
  }

  /// Fills `moves` with the placings of `set` and what comes of them. If one takes the last pawn of
  /// the opponent, true: nothing can be better.
  [[nodiscard, gnu::always_inline]] bool list_moves(std::uint64_t own, std::uint64_t opponent, std::uint64_t set,
                                                    int empties, EndingMoves& moves) const noexcept {
    play_all_(own, opponent, set, moves);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (moves.own[i] == 0) return true;
    }
    if (empties > min_folded_) [[unlikely]]
      fold(moves);
    if (empties < min_cut_by_table) return false;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      moves.key[i] = EndingTable::key(moves.own[i], moves.opponent[i]);
      if (empties > min_shared) {
        table_->prefetch(moves.key[i]);
      } else {
        near_.prefetch(moves.key[i]);
      }
    }
    return false;
  }

  /// Turns and mirrors the position after each move to the least of its images: near the start of a small board many
  /// placings lead to images of one position.
  void fold(EndingMoves& moves) const noexcept {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      std::pair<std::uint64_t, std::uint64_t> least{moves.own[i], moves.opponent[i]};
      for (const Dihedral map : all_dihedrals) {
        const Set own = mapped(shape_, Set{{moves.own[i]}}, map);
        const Set opponent = mapped(shape_, Set{{moves.opponent[i]}}, map);
        least = std::min(least, {own.words[0], opponent.words[0]});
      }
      std::tie(moves.own[i], moves.opponent[i]) = least;
      moves.replies[i] = placings(moves.own[i], moves.opponent[i]);
    }
    moves.leave_out_repeated();
  }

  /// How many plies of search with the evaluation order the placings.
  [[nodiscard]] static constexpr int ordering_depth(int empties) noexcept {
    return std::clamp((empties - 15) / 3, 0, 4);
  }

  /// What search() knows of a position. The constructor leaves the room of `states` alone: clearing it takes longer
  /// than filling in the rest.
  struct Node {
    Node(std::uint64_t mover, std::uint64_t other, int low, int high, int empty_squares, unsigned odd_quarters) noexcept
        : own(mover),
          opponent(other),
          key(EndingTable::key(mover, other)),
          alpha(low),
          beta(high),
          empties(empty_squares),
          parity(odd_quarters) {}

    std::uint64_t own;
    std::uint64_t opponent;
    std::uint64_t key;
    EndingEntry known;
    int alpha;
    int beta;
    int empties;
    unsigned parity;
    int level = EndingEntry::exact;
    std::optional<PatternStates> states;  // once they are needed
  };

  /// The states of the patterns in a position. Requires patterns.
  [[nodiscard]] const PatternStates& states_of(Node& node) const noexcept {
    if (!node.states) node.states = estimate_.states(node.own, node.opponent);
    return *node.states;
  }

  /// How early a placing is to be tried: few replies for the opponent now and later, few of them corners.
  [[nodiscard, gnu::always_inline]] int order_score(const EndingMoves& moves, std::size_t i, unsigned parity,
                                                    int per_reply) const noexcept {
    const std::uint64_t replies = moves.replies[i];
    const int square = moves.square[i];
    int score = -per_reply * (std::popcount(replies) + std::popcount(replies & shallow_.corners()));
    score -= 10 * std::popcount(moves.frontier[i]);
    if (((parity >> shallow_.quadrant(square)) & 1) != 0) score += 50;
    if ((bit(square) & shallow_.corners()) != 0) score += 100;
    return score;
  }

  /// Scores all moves but the one at `tried`, higher up by the evaluation, too; the second best that the table knows
  /// comes first.
  void score_moves(EndingMoves& moves, Node& node, std::size_t tried) noexcept {
    const bool evaluated = node.empties >= min_evaluated;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      moves.score[i] = order_score(moves, i, node.parity, evaluated ? 300 : 100);
      if (evaluated && i != tried) moves.score[i] += evaluation_after(moves, i, node);
    }
    if (const std::size_t i = moves.find(node.known.second); i < moves.size()) moves.score[i] = infinity;
    if (tried < moves.size()) moves.score[tried] = EndingMoves::done;
  }

  /// What the evaluation thinks of a move, by a short search if it has patterns.
  [[nodiscard]] int evaluation_after(const EndingMoves& moves, std::size_t i, Node& node) noexcept {
    if (!estimate_.is_possible()) return -estimate_.evaluate(moves.own[i], moves.opponent[i]);
    const int depth = ordering_depth(node.empties);
    if (node.empties > min_folded_) [[unlikely]] {
      return -estimate_.search(moves.own[i], moves.opponent[i], -infinity, infinity, depth);
    }
    return estimate_.search_after(states_of(node), node.opponent, moves, i, -infinity, infinity, depth);
  }

  /// Looks in the table whether one of the moves is known to reach beta.
  [[nodiscard]] bool cut_by_table(const EndingMoves& moves, int beta, int empties, int level, int& score) noexcept {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const std::uint64_t key = moves.key[i];
      EndingEntry entry;
      if ((empties > min_shared ? table_->find(key, entry) : near_.find(key, entry)) && entry.level >= level &&
          -entry.upper >= beta) {
        score = -entry.upper;
        return true;
      }
    }
    return false;
  }

  void begin() {
    stopped_ = false;
    leaving_ = nowhere;
    path_length_ = 0;
    told_ = nodes();
    shared_ = table_->shared();
    if (times_cleared_ != table_->times_cleared()) near_.clear();
    times_cleared_ = table_->times_cleared();
  }

  /// The selective searches, then the exact one, each about the score of the one before.
  template <class Halt, class OnLevel>
  [[nodiscard]] int solve_by_levels(int low, int high, Halt& halt, OnLevel& on_level) {
    level_ = EndingEntry::exact;
    if (estimate_.is_possible() && root_empties_ >= min_selective && !is_decided(low, high)) {
      const int guess = estimate_.search(root_.own, root_.opponent, -infinity, infinity, guess_depth);
      int score = std::clamp(floor_even(guess + 100), low, high);
      for (level_ = 0; level_ < static_cast<int>(confidence.size()); ++level_) {
        score = search_about(score, level_ == 0 ? 6 : 4, low, high, halt);
        if (stopped_) return low;
        on_level(100 * score);
      }
      level_ = EndingEntry::exact;
      return search_about(score, 2, low, high, halt);
    }
    return search_root(low, high, halt);
  }

  /// Whether the table has the exact score of the root, or a bound beyond the window.
  [[nodiscard]] bool is_decided(int low, int high) const noexcept {
    EndingEntry known;
    if (!table_->find(EndingTable::key(root_.own, root_.opponent), known)) return false;
    return known.level == EndingEntry::exact &&
           (known.upper <= low || known.lower >= high || known.lower == known.upper);
  }

  /// Searches the root between low and high, beginning with a window of `width` on either side of `guess`.
  template <class Halt>
  [[nodiscard]] int search_about(int guess, int width, int low, int high, Halt& halt) {
    int lower = low;
    int upper = high;
    int alpha = std::clamp(guess - width, low, high - 2);
    int beta = std::clamp(guess + width, low + 2, high);
    for (;;) {
      const int score = search_root(alpha, beta, halt);
      if (stopped_) return low;
      if (score > alpha && score < beta) return score;
      (score <= alpha ? upper : lower) = score;
      if (lower >= upper || score <= low || score >= high) return score;
      // The bound just found may be the score itself, so the next window begins with it.
      alpha = score < beta ? std::max(score - width, lower) : score;
      beta = score < beta ? score : std::min(score + width, upper);
      width *= 2;
    }
  }

  template <class Halt>
  [[nodiscard]] int search_root(int alpha, int beta, Halt& halt) {
    return search(root_.own, root_.opponent, placings(root_.own, root_.opponent), alpha, beta, root_empties_,
                  shallow_.parity_of(root_.own | root_.opponent), halt);
  }

  /// Whether a short search is so far beyond the window that the level believes it (Multi-ProbCut); then `score`
  /// is the bound that it found; `set` is where the mover can place. Requires a null window.
  [[nodiscard]] bool cut_by_probe(Node& node, std::uint64_t set, int& score) {
    const int alpha = node.alpha;
    const int depth = probe_depth(node.empties);
    const double t = confidence[static_cast<std::size_t>(level_)];
    const int margin = static_cast<int>(t * estimate_.error(depth));
    const int doubt = static_cast<int>(t * (estimate_.error(0) + estimate_.error(depth))) / 2;
    const int beta = alpha + 2;
    const auto search = [&](int low, int high, int plies) {
      return estimate_.search(states_of(node), node.own, node.opponent, set, low, high, plies);
    };
    const int now = search(-infinity, infinity, 0);
    if (const int bound = 100 * beta + margin; now >= 100 * beta - doubt && bound < 100 * squares_) {
      if (search(bound - 1, bound, depth) >= bound) {
        score = beta;
        return true;
      }
    }
    if (const int bound = 100 * alpha - margin; now <= 100 * alpha + doubt && bound > -100 * squares_) {
      if (search(bound, bound + 1, depth) <= bound) {
        score = alpha;
        return true;
      }
    }
    return false;
  }
  /// About half of what is left beyond the last squares, an even number of plies before the end.
  [[nodiscard]] static constexpr int probe_depth(int empties) noexcept {
    const int depth = std::clamp((empties - 8) / 2, 2, 8);
    return depth - ((depth ^ empties) & 1);
  }

  template <class Halt>
  [[nodiscard]] int search(std::uint64_t own, std::uint64_t opponent, std::uint64_t set, int alpha, int beta,
                           int empties, unsigned parity, Halt& halt) {
    if (empties < min_sorted) {
      if (beta - alpha > 2 || empties <= 4) return shallow_.search_wide(own, opponent, alpha, beta, empties, parity);
      return shallow_.search(own, opponent, set, alpha, empties, parity);
    }
    shallow_.add_node();
    if (must_stop(halt)) return alpha;
    int score = 0;
    if (shallow_.cut_by_stability(own, opponent, alpha, empties, score)) return score;
    Node node(own, opponent, alpha, beta, empties, parity);
    if (empties >= min_probed) node.level = level_;
    if (known(node) && cut(node, score)) return score;
    if (set == 0) {
      const std::uint64_t replies = placings(opponent, own);
      if (replies == 0) return shallow_.final_score(own, opponent);
      return -search(opponent, own, replies, -beta, -alpha, empties, parity, halt);
    }
    if (node.level != EndingEntry::exact && node.beta - node.alpha <= 2 && cut_by_probe(node, set, score)) return score;
    EndingMoves moves;
    if (list_moves(own, opponent, set, empties, moves)) return squares_;
    if (empties >= min_cut_by_table && cut_by_table(moves, node.beta, empties, node.level, score)) return score;
    int best = no_score;
    const bool split = shared_ && empties >= min_split;
    if (split) path_[static_cast<std::size_t>(path_length_++)] = {node.key, node.alpha, node.beta, node.level};
    const std::uint8_t best_square = search_moves(moves, node, split, halt, best);
    if (split) --path_length_;
    if (broken_off()) {
      if (stopped_ || path_length_ > leaving_) return alpha;
      // Back where another thread has found the score. (Should it be lost already, once more.)
      leaving_ = nowhere;
      return search(own, opponent, set, alpha, beta, empties, parity, halt);
    }
    if (empties >= min_stored) remember(node, best, best_square);
    return best;
  }

  /// Looks the position up in the table for its number of empty squares.
  [[nodiscard, gnu::always_inline]] bool known(Node& node) const noexcept {
    if (node.empties >= min_shared) return table_->find(node.key, node.known);
    return node.empties >= min_stored && near_.find(node.key, node.known);
  }

  /// Whether what the table knows decides the score; else it narrows the window.
  [[nodiscard, gnu::always_inline]] static bool cut(Node& node, int& score) noexcept {
    const EndingEntry& known = node.known;
    if (known.level < node.level) return false;
    const int lower{known.lower};
    const int upper{known.upper};
    score = upper <= node.alpha ? upper : lower;
    if (upper <= node.alpha || lower >= node.beta || lower == upper) return true;
    node.alpha = std::max(node.alpha, lower);
    node.beta = std::min(node.beta, upper);
    return node.alpha >= node.beta;  // bounds that are only likely may contradict each other
  }

  /// Principal-variation search over the moves; gives the best score and returns its square. With `split`, moves
  /// that another thread is searching come last.
  template <class Halt>
  [[nodiscard]] std::uint8_t search_moves(EndingMoves& moves, Node& node, bool split, Halt& halt, int& best) {
    std::uint8_t best_square = EndingEntry::none;
    // What the table remembers goes first; often nothing else has to be put in order.
    const std::size_t remembered = node.known.best != EndingEntry::none ? moves.find(node.known.best) : moves.size();
    bool sorted = false;
    int put_off = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      std::size_t m = remembered;
      if (i > 0 || remembered == moves.size()) {
        if (!sorted) {
          score_moves(moves, node, remembered);
          sorted = true;
        }
        const bool can_put_off = split && i > 0 && i + 1 < moves.size();
        m = moves.pick();
        if (can_put_off && moves.score[m] > -infinity && table_->is_busy(moves.key[m])) {
          moves.score[m] = -infinity - put_off++;
          --i;
          continue;
        }
        moves.score[m] = EndingMoves::done;
      }
      if (split) table_->set_busy(moves.key[m]);
      const int score = search_move(moves, m, node, std::max(node.alpha, best), i == 0, halt);
      if (split) table_->set_idle(moves.key[m]);
      if (broken_off()) break;
      if (score > best) {
        best = score;
        best_square = moves.square[m];
      }
      if (best >= node.beta) break;
    }
    return best_square;
  }

  /// The score of the m-th move: the first in full, the others proven not to be better if they are not.
  template <class Halt>
  [[nodiscard]] int search_move(const EndingMoves& moves, std::size_t m, const Node& node, int low, bool is_first,
                                Halt& halt) {
    const std::uint64_t own = moves.own[m];
    const std::uint64_t opponent = moves.opponent[m];
    const unsigned parity = node.empties > min_folded_ ? shallow_.parity_of(own | opponent)
                                                       : node.parity ^ (1U << shallow_.quadrant(moves.square[m]));
    int score = no_score;
    if (!is_first && node.beta - low > 2) {
      score = -search(own, opponent, moves.replies[m], -low - 2, -low, node.empties - 1, parity, halt);
      if (broken_off() || score <= low || score >= node.beta) return score;
      low = std::max(low, score - 2);
    }
    return -search(own, opponent, moves.replies[m], -node.beta, -low, node.empties - 1, parity, halt);
  }

  void remember(const Node& node, int best, std::uint8_t best_square) noexcept {
    const EndingEntry& known = node.known;
    EndingEntry entry = known;
    entry.empties = static_cast<std::uint8_t>(node.empties);
    if (known.level < node.level || known.empties == 0) {
      entry.level = static_cast<std::uint8_t>(node.level);
      entry.lower = static_cast<std::int8_t>(-squares_);
      entry.upper = static_cast<std::int8_t>(squares_);
    }
    if (entry.level == node.level) {
      if (best > node.alpha) entry.lower = static_cast<std::int8_t>(std::max<int>(entry.lower, best));
      if (best < node.beta) entry.upper = static_cast<std::int8_t>(std::min<int>(entry.upper, best));
    }
    if (best_square != known.best) {
      entry.best = best_square;
      entry.second = known.best;
    }
    if (node.empties >= min_shared) {
      table_->store(node.key, entry, root_empties_);
    } else {
      near_.store(node.key, entry);
    }
  }

  static constexpr int infinity = EndingEstimate<Shape>::infinity;
  static constexpr int guess_depth = 6;  // of the guess that the selective searches begin with

  ShallowEnding<Shape> shallow_;
  EndingEstimate<Shape> estimate_;
  EndingTable* table_;
  PlayAll play_all_;
  NearEndingTable near_;
  Shape shape_;
  int squares_;
  int min_folded_ = 0;
  WordPair root_;
  int root_empties_ = 0;
  static constexpr int nowhere = -1;
  struct Step {
    std::uint64_t key;
    int alpha;
    int beta;
    int level;
  };
  std::array<Step, 64> path_;  // the positions on the way that other threads may settle
  int path_length_ = 0;
  int leaving_ = nowhere;  // where on the path to go back to
  bool shared_ = false;    // other threads use the table
  std::uint64_t times_cleared_ = 0;
  int level_ = EndingEntry::exact;  // of the search under way: an index of `confidence`, or exact
  std::uint64_t told_ = 0;          // positions that halt was told of
  bool stopped_ = false;
};

}  // namespace paika::othello
