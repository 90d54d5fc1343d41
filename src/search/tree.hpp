// Tree: one thread's search of one root: principal-variation alpha-beta with all its refinements.
//
// The same for every game; what differs is asked of the game's SearchTraits. Each refinement can be
// switched off (SearchFeatures), so that its worth can be measured.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "search/candidates.hpp"
#include "search/distance.hpp"
#include "search/endgame_probe.hpp"
#include "search/optional_parts.hpp"
#include "search/root_turns.hpp"
#include "search/search_control.hpp"
#include "search/transposition_table.hpp"

namespace paika {

inline constexpr int max_plies = 250;  // of a line; deeper positions are evaluated as they are

namespace detail {

/// By how much the n-th turn at a depth is searched less.
[[nodiscard]] inline int reduction(int depth, std::size_t n) {
  static const auto table = [] {
    std::array<std::array<std::int8_t, 64>, 64> t{};
    for (std::size_t d = 1; d < 64; ++d) {
      for (std::size_t i = 1; i < 64; ++i) {
        t[d][i] =
            static_cast<std::int8_t>(0.4 + std::log(static_cast<double>(d)) * std::log(static_cast<double>(i)) / 2.3);
      }
    }
    return t;
  }();
  return table[static_cast<std::size_t>(std::min(depth, 63))][std::min<std::size_t>(n, 63)];
}

}  // namespace detail

template <SearchTraits K>
class Tree {
 public:
  using Position = typename K::RulesType::Position;
  using Move = typename K::RulesType::Move;
  using EndingTable = typename detail::EndingOf<K>::TableType;

  Tree(const K& traits, TranspositionTable& table, EndingTable* endings, const OpenProbe& probe, bool is_main)
      : k_(traits),
        rules_(traits.rules()),
        params_(traits.params()),
        table_(table),
        candidates_(traits),
        ordering_(K::history_size, max_plies + 2),
        is_main_(is_main),
        lines_(max_plies + 2),
        path_(max_plies + 2) {
    if constexpr (HasEndings<K>) ending_ = std::make_unique<typename K::Ending>(traits, *endings);
    if constexpr (HasShallowSearch<K>) shallow_ = std::make_unique<typename K::ShallowSearch>(traits);
    if constexpr (HasStoneSets<K>) {
      if (probe) probe_ = probe();
    }
  }

  /// Prepares for a search: lists the root's turns, one of those that `symmetries` make alike. Keeps what was learned
  /// of ordering. Looks endgames up if it may.
  void begin(const Position& root, const PastKeys& past, const std::vector<Symmetry>& symmetries,
             const SearchFeatures& features, bool may_look_up, SearchControl& control) {
    root_ = root;
    past_ = &past;
    past_key_ = 0;
    for (const std::uint64_t key : past.twice) past_key_ = mix64(past_key_ ^ key);
    features_ = features;
    control_ = &control;
    halted_ = false;
    probing_ = 0;
    max_known_stones_ = 0;
    if constexpr (HasStoneSets<K>) {
      // From a root that the table holds, only what fewer stones are left in: who has won must get on, and to the table
      // one way is as good as another.
      if (probe_ && features.endings && may_look_up) {
        max_known_stones_ = std::min(probe_->max_stones(), k_.stones(root) - 1);
      }
    }
    nodes_.store(0, std::memory_order_relaxed);
    until_look_ = 0;
    deepest_ = 0;
    ordering_.forget_killers();
    turns_.clear();
    typename Candidates<K>::Frame frame(candidates_);
    candidates_.list(frame, root, hints(0, no_history_index, 0), false, Candidates<K>::max_root_turns);
    root_complete_ = frame.complete();
    const bool many = frame.size() > Candidates<K>::max_turns;
    if (many) frame.sort();
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const Candidate<Move>& c = many ? frame[i] : frame.pick(i);
      turns_.push_back({c, -infinite_score, -infinite_score, {c.move}, {}, 0});
    }
    if (past_->twice.empty()) join_twins(rules_, root_, symmetries, turns_);
  }
  void forget() { ordering_.forget(); }

  /// The root's turns, best first as far as known.
  [[nodiscard]] std::vector<RootTurn<Move>>& turns() { return turns_; }
  [[nodiscard]] const std::vector<RootTurn<Move>>& turns() const { return turns_; }
  [[nodiscard]] std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  [[nodiscard]] int deepest() const { return deepest_; }
  [[nodiscard]] bool halted() const { return halted_; }
  /// Whether no turn of the root was left out because there were too many.
  [[nodiscard]] bool root_complete() const { return root_complete_; }

  /// Searches the turns from `first` on to `depth` within a window, and sorts them. Scores of turns
  /// proven not to be the best are -infinite_score. Returns the best score.
  int search_root(int alpha, int beta, int depth, std::size_t first) {
    path_[0] = rules_.key(root_);
    int best = -infinite_score;
    for (std::size_t i = first; i < turns_.size(); ++i) turns_[i].score = -infinite_score;
    for (std::size_t i = first; i < turns_.size() && !halted_; ++i) {
      RootTurn<Move>& turn = turns_[i];
      const Position child = rules_.play(root_, turn.candidate.move);
      const int score = search_turn(child, turn.candidate.history_index, alpha, beta, {depth - 1, 0, 1, i == first});
      if (halted_) break;
      if (i == first || score > alpha) {
        turn.score = score;
        if (!lines_[1].empty()) {  // a score beyond the window comes without a line: the old one will do
          turn.line.assign(1, turn.candidate.move);
          turn.line.insert(turn.line.end(), lines_[1].begin(), lines_[1].end());
        }
      }
      best = std::max(best, score);
      alpha = std::max(alpha, score);
      if (alpha >= beta) break;
    }
    sort_turns(turns_, first, turns_.size(), [](const RootTurn<Move>& turn) { return turn.score; });
    return best;
  }

  /// The exact score of the root, by the game's own solver; worthless if halted. The best turn comes first among the
  /// root's, even if it is only likely to be the best so far.
  int solve_root()
    requires HasEndings<K>
  {
    const auto bring_best = [this](int score) {
      const auto best = ending_->best_move(root_);
      if (!best) return;
      const auto at =
          std::find_if(turns_.begin(), turns_.end(), [&](const auto& t) { return t.candidate.move == *best; });
      if (at == turns_.end()) return;
      at->previous = score;
      std::rotate(turns_.begin(), at, at + 1);
    };
    const int score = ending_->solve(
        root_, -infinite_score, infinite_score, [this](std::uint64_t n) { return count(n); }, bring_best);
    if (!halted_) bring_best(score);
    return score;
  }

  /// Finds out whether turn `i`, a proven win or loss, takes as long as it says: whether nobody wins sooner, in a
  /// search of about `allowance` positions that leaves nothing out. A win of it or a later turn that is shorter takes
  /// its place.
  void confirm_distance(std::size_t i, std::uint64_t allowance) {
    const int score = turns_[i].best_known();
    const int plies = plies_to(score);
    if (turns_[i].shortest != 0 || plies >= max_plies || !(is_win(score) || is_loss(score))) return;
    const std::uint64_t end = nodes() + allowance;
    const auto tick = [&] { return count(1) || nodes() > end; };
    const auto drawn = [this](const Position& p) { return occurred_twice(rules_.key(p)); };
    const auto key = [this](const Position& p) { return table_key(p); };
    DistanceCheck<K> check(k_, {candidates_, features_.table ? &table_ : nullptr,
                                features_.ordering ? &ordering_ : nullptr, tick, drawn, key});
    const auto child = [this](const RootTurn<Move>& turn) { return rules_.play(root_, turn.candidate.move); };
    for (int n = 1; n < plies; ++n) {
      if (is_loss(score) && check.wins(child(turns_[i]), n - 1, 1)) return;  // another turn may hold out longer
      for (std::size_t j = i; j < turns_.size() && is_win(score); ++j) {
        if (check.loses(child(turns_[j]), n - 1, 1)) return take_shorter_win(i, j, n);
        if (check.gave_up()) return;
      }
      if (check.gave_up()) return;
    }
    turns_[i].shortest = score;
  }

 private:
  /// Turn `j` wins in `plies`, sooner than turn `i`, and no turn does sooner: it takes the place of `i`.
  void take_shorter_win(std::size_t i, std::size_t j, int plies) {
    RootTurn<Move>& turn = turns_[j];
    path_[0] = rules_.key(root_);
    const Position child = rules_.play(root_, turn.candidate.move);
    const int score =
        search_turn(child, turn.candidate.history_index, win_in(plies + 1), infinite_score, {plies - 1, 0, 1, true});
    turn.line.assign(1, turn.candidate.move);
    if (score == win_in(plies) && !halted_) turn.line.insert(turn.line.end(), lines_[1].begin(), lines_[1].end());
    turn.score = turn.shortest = win_in(plies);
    const auto at = [this](std::size_t n) { return turns_.begin() + static_cast<std::ptrdiff_t>(n); };
    std::rotate(at(i), at(j), at(j + 1));
  }

  [[nodiscard]] OrderingHints hints(std::size_t ply, std::uint32_t before, std::uint16_t table_move) const {
    return {table_move, ply, before, features_.ordering ? &ordering_ : nullptr};
  }

  [[nodiscard]] std::uint64_t table_key(const Position& p) const {
    // Where repetitions draw, what is won depends on the positions that have occurred twice.
    if constexpr (HasSearchKeys<K>) {
      return k_.search_key(p) ^ past_key_;
    } else {
      return rules_.key(p) ^ past_key_;
    }
  }

  /// Counts positions and, once in a while, asks whether to stop.
  bool count(std::uint64_t positions) {
    const std::uint64_t n = nodes_.load(std::memory_order_relaxed) + positions;
    nodes_.store(n, std::memory_order_relaxed);  // only this thread writes
    if (is_main_ && n >= control_->max_nodes()) control_->stop();
    if (until_look_ <= positions) {
      until_look_ = positions_between_looks;
      if (is_main_) control_->look();
    } else {
      until_look_ -= positions;
    }
    if (control_->set()) halted_ = true;
    return halted_;
  }

  /// The score of a finished game `ply` turns below the root.
  [[nodiscard]] int final_score(const Position& p, const Outcome& outcome, int ply) const {
    if constexpr (HasFinalScores<K>) return k_.final_score(p);
    if (outcome.verdict == Verdict::draw) return 0;
    return outcome.won_by(rules_.to_move(p)) ? win_in(ply) : loss_in(ply);
  }

  /// Whether the position now at `ply` has been on the way to it, or twice in the game before. One
  /// occurrence within the search counts as a draw already: who could come back once can do so again.
  [[nodiscard]] bool repeats(int ply) const {
    if (!past_->draws) return false;
    const std::uint64_t key = path_[static_cast<std::size_t>(ply)];
    for (int i = ply - 2; i >= 0; i -= 2) {
      if (path_[static_cast<std::size_t>(i)] == key) return true;
    }
    return occurred_twice(key);
  }
  [[nodiscard]] bool occurred_twice(std::uint64_t key) const {
    return past_->draws && std::find(past_->twice.begin(), past_->twice.end(), key) != past_->twice.end();
  }

  // Wins and losses are remembered by their distance from the position, not from the root.
  [[nodiscard]] static int to_table(int score, int ply) {
    return is_won(score) ? score + ply : is_lost(score) ? score - ply : score;
  }
  [[nodiscard]] static int from_table(int score, int ply) {
    return is_won(score) ? score - ply : is_lost(score) ? score + ply : score;
  }

  /// The score of a position that a table of endgames decides within the window.
  [[nodiscard]] std::optional<int> looked_up(const Position& p, int alpha, int beta, int ply) {
    if constexpr (HasStoneSets<K>) {
      if (max_known_stones_ == 0 || k_.stones(p) > max_known_stones_) return {};
      const auto known = probe_->look_up(k_.stone_sets(p));
      if (!known) return {};
      const int lower = from_table(known->lower, ply);
      const int upper = from_table(known->upper, ply);
      if (lower == upper || lower >= beta) return lower;
      if (upper <= alpha) return upper;
    }
    return {};
  }

  /// The score of `p` if it lies between alpha and beta, else a bound beyond the nearer one.
  int search(const Position& p, int alpha, int beta, int depth, int ply, std::uint32_t before, bool may_pass) {
    const auto at = static_cast<std::size_t>(ply);
    const bool is_pv = beta - alpha > 1;
    lines_[at].clear();

    // 0 The last plies, where the game has a search of its own for them.
    if constexpr (HasShallowSearch<K>) {
      if (!is_pv && depth > 0 && depth <= shallow_->max_depth() && !leaves_to_solver(p, depth)) {
        deepest_ = std::max(deepest_, ply + depth);
        std::uint64_t nodes = 0;
        const int score = shallow_->search(p, alpha, beta, depth, features_.futility, nodes);
        return count(nodes) ? 0 : score;
      }
    }

    // 1 The game may be over, or the time.
    if (const Outcome outcome = rules_.outcome(p); outcome.over()) {
      count(1);
      return final_score(p, outcome, ply);
    }
    path_[at] = rules_.key(p);
    if (repeats(ply)) {
      count(1);
      return 0;
    }
    if (const auto score = looked_up(p, alpha, beta, ply)) {
      count(1);
      return *score;
    }
    if constexpr (HasEndings<K>) {
      if (leaves_to_solver(p, depth)) {
        return ending_->solve(p, alpha, beta, [this](std::uint64_t n) { return count(n); });
      }
    }
    if (depth <= 0 || ply >= max_plies) return quiet_score(p, alpha, beta, ply, 0);
    if (count(1)) return 0;
    deepest_ = std::max(deepest_, ply);

    // 2 No line is better than winning at once, none worse than losing at once.
    if constexpr (!HasFinalScores<K>) {
      alpha = std::max(alpha, loss_in(ply));
      beta = std::min(beta, win_in(ply + 1));
      if (alpha >= beta) return alpha;
    }

    // 3 What the table knows.
    const std::uint64_t key = table_key(p);
    const auto known = features_.table ? table_.find(key) : std::optional<TtEntry>{};
    if (known && !is_pv && known->depth >= depth) {
      if (const auto score = cut(*known, alpha, beta, ply)) return *score;
    }
    const std::uint16_t table_move = known ? known->move : std::uint16_t{0};

    // 4 Without a guess for the best turn a shallower search comes first, here or at the next depth.
    if (table_move == 0 && depth >= 6 && features_.table && features_.reductions) --depth;

    // 5 What looks clear enough is believed.
    Node node{depth, ply, before, table_move, -infinite_score};
    if (!is_pv && !is_won(beta) && !is_lost(alpha) && !is_won(alpha) && !is_lost(beta)) {
      if (const auto score = try_prune(p, alpha, beta, node, may_pass)) return *score;
      if (halted_) return 0;
    }

    // 6 The turns, best first.
    return search_turns(p, alpha, beta, node, key);
  }

  /// Whether a position inside of a search is left to the game's solver.
  [[nodiscard]] bool leaves_to_solver(const Position& p, int depth) const {
    if constexpr (HasEndings<K>) return features_.endings && k_.solves_from(p, depth);
    return false;
  }

  static constexpr int futile_depth = 3;
  static constexpr int probed_depth = 5;
  static constexpr int max_probes = 2;  // inside of each other

  /// How deep to search before a search of `depth`, and how far beyond the window that must be to be believed. Half as
  /// deep unless the game knows better, an even number of plies less: evaluations swing with the side to move.
  [[nodiscard]] ProbCut probcut(const Position& p, int depth) const {
    if constexpr (HasProbCut<K>) return k_.probcut(p, depth);
    return {depth / 2 + (depth / 2 + depth) % 2, params_.probcut};
  }

  /// Searches less deeply in a window beyond alpha or beta, whichever the evaluation is nearer to.
  std::optional<int> probe(const Position& p, int alpha, int beta, int depth, int ply, std::uint32_t before) {
    const ProbCut cut = probcut(p, depth);
    const bool high = k_.evaluate(p) >= beta;
    const int bound = high ? beta + cut.margin : alpha - cut.margin;
    ++probing_;
    const int score = high ? search(p, bound - 1, bound, cut.depth, ply, before, false)
                           : search(p, bound, bound + 1, cut.depth, ply, before, false);
    --probing_;
    if (halted_) return {};
    if (high ? score >= bound : score <= bound) return high ? beta : alpha;
    return {};
  }

  [[nodiscard]] bool wants_evaluation(int depth, bool may_pass) const {
    if (features_.futility && params_.futility > 0 && depth <= futile_depth) return true;
    return HasPassing<K> && features_.null_move && params_.null_move && may_pass && depth >= 3;
  }

  [[nodiscard]] static std::optional<int> cut(const TtEntry& known, int alpha, int beta, int ply) {
    const int score = from_table(known.score, ply);
    if (known.bound == Bound::exact) return score;
    if (known.bound == Bound::lower && score >= beta) return score;
    if (known.bound == Bound::upper && score <= alpha) return score;
    return {};
  }

  std::optional<int> null_move(const Position& p, int beta, int depth, int ply) {
    if constexpr (HasPassing<K>) {
      if (!features_.null_move || !params_.null_move) return {};
      const Position passed = k_.pass(p);
      if (rules_.outcome(passed).over()) return {};
      const int score = -search(passed, -beta, -beta + 1, depth - 1 - params_.null_move_cut - depth / 6, ply + 1,
                                no_history_index, false);
      if (!halted_ && score >= beta) return is_won(score) ? beta : score;
    }
    return {};
  }

  /// What search() found out about a position before it looks at its turns.
  struct Node {
    int depth = 0;
    int ply = 0;
    std::uint32_t before = no_history_index;  // the turn that led here
    std::uint16_t table_move = 0;
    int ceiling = -infinite_score;  // more quiet turns will not reach, and it is too little; else -infinite_score
  };

  /// The score of a position that need not be searched in full; nothing if it must be. May find that quiet
  /// turns will not help it.
  std::optional<int> try_prune(const Position& p, int alpha, int beta, Node& node, bool may_pass) {
    const int depth = node.depth;
    // If even passing is too good for the opponent, a turn will be; near the leaves a position that looks
    // far too good or far too bad is believed to be so.
    if (wants_evaluation(depth, may_pass)) {
      const int evaluation = k_.evaluate(p);
      const int margin = features_.futility && depth <= futile_depth ? params_.futility * depth : 0;
      if (margin > 0 && evaluation - margin >= beta) return evaluation - margin;
      if (margin > 0 && evaluation + margin <= alpha) node.ceiling = evaluation + margin;
      if (may_pass && depth >= 3 && evaluation >= beta) {
        const auto score = null_move(p, beta, depth, node.ply);
        if (score || halted_) return score;
      }
    }
    // What half the depth sees clearly is believed.
    if (probing_ >= max_probes || depth < probed_depth || params_.probcut == 0 || !features_.probcut) return {};
    return probe(p, alpha, beta, depth, node.ply, node.before);
  }

  int search_turns(const Position& p, int alpha, int beta, const Node& node, std::uint64_t key) {
    const auto [depth, ply, before, table_move, ceiling] = node;
    const auto at = static_cast<std::size_t>(ply);
    const bool is_pv = beta - alpha > 1;
    const int first_alpha = alpha;
    int best = -infinite_score;
    std::uint16_t best_number = 0;
    std::vector<std::uint32_t>& tried = tried_[at];
    tried.clear();
    typename Candidates<K>::Frame frame(candidates_);
    candidates_.list(frame, p, hints(at, before, table_move), false);
    if constexpr (HasShallowSearch<K>) order_by_search(frame, p, depth, table_move);
    const int next_depth = depth - 1 + (frame.size() == 1 && ply < 2 * depth ? 1 : 0);  // a forced turn costs no depth

    for (std::size_t i = 0; i < frame.size(); ++i) {
      const Candidate<Move> c = frame.pick(i);
      if (ceiling != -infinite_score && i > 0 && !c.tactical) {  // tactical ones come first
        best = std::max(best, ceiling);                          // those left out may not lose, whatever the others do
        break;
      }
      const int less = i == 0 ? 0 : reduced(c, i, depth, is_pv, at);
      const int score =
          search_turn(rules_.play(p, c.move), c.history_index, alpha, beta, {next_depth, less, ply + 1, i == 0});
      if (halted_) return 0;
      if (score > best) {
        best = score;
        if (score > alpha) {
          alpha = score;
          best_number = c.number;
          if (is_pv) extend_line(at, c.move);
        }
        if (alpha >= beta) {
          if (!c.tactical && features_.ordering) ordering_.reward(c.history_index, depth, at, before, tried);
          break;
        }
      }
      if (!c.tactical) tried.push_back(c.history_index);
    }
    if (!frame.complete()) best = std::max(best, 1 - evaluation_bound);  // likewise
    if (features_.table) {
      table_.store(key, {to_table(best, ply), depth, bound_of(best, first_alpha, beta), best_number});
    }
    return best;
  }

  /// Puts the turns of `p` into the order of what the game's shallow search finds, the table's turn first.
  void order_by_search(typename Candidates<K>::Frame& frame, const Position& p, int depth, std::uint16_t table_move)
    requires HasShallowSearch<K>
  {
    if (!features_.ordering || shallow_->max_depth() == 0 || frame.size() < 2) return;
    std::uint64_t nodes = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
      Candidate<Move>& c = frame.at(i);
      if (c.number == table_move) continue;
      c.order = -shallow_->order_score(rules_.play(p, c.move), depth, nodes);
    }
    count(nodes);
  }

  /// What `score` says of a position that was searched within (alpha, beta).
  [[nodiscard]] static Bound bound_of(int score, int alpha, int beta) noexcept {
    if (score >= beta) return Bound::lower;
    return score > alpha ? Bound::exact : Bound::upper;
  }

  struct Way {
    int depth = 0;
    int less = 0;  // plies that a first try may save
    int ply = 0;
    bool is_first = false;
  };

  /// The score of the turn that led to `child`: the first in full, the others proven worse if they are.
  int search_turn(const Position& child, std::uint32_t history_index, int alpha, int beta, const Way& way) {
    if (!way.is_first) {
      int score = -search(child, -alpha - 1, -alpha, way.depth - way.less, way.ply, history_index, true);
      if (way.less > 0 && score > alpha && !halted_) {
        score = -search(child, -alpha - 1, -alpha, way.depth, way.ply, history_index, true);
      }
      if (score <= alpha || score >= beta || halted_) return score;
    }
    return -search(child, -beta, -alpha, way.depth, way.ply, history_index, true);
  }

  /// By how many plies less the i-th turn is searched at first.
  [[nodiscard]] int reduced(const Candidate<Move>& c, std::size_t i, int depth, bool is_pv, std::size_t ply) const {
    if (!features_.reductions || !params_.reductions || depth < 3 || c.tactical) return 0;
    if (i < static_cast<std::size_t>(params_.first_reduced)) return 0;
    int less = detail::reduction(depth, i);
    if (is_pv) --less;
    if (features_.ordering) {
      if (ordering_.is_killer(c.history_index, ply)) --less;
      less -= ordering_.history(c.history_index) / (Ordering::max_history / 2);
    }
    return std::clamp(less, 0, depth - 2);
  }

  void extend_line(std::size_t ply, const Move& m) {
    lines_[ply].assign(1, m);
    lines_[ply].insert(lines_[ply].end(), lines_[ply + 1].begin(), lines_[ply + 1].end());
  }

  /// The score of a position at the end of the depth: tactical turns are followed until it is quiet.
  /// The side to move may always stand pat. Requires that the game is not over.
  int quiet_score(const Position& p, int alpha, int beta, int ply, int plies_on) {
    if (count(1)) return 0;
    deepest_ = std::max(deepest_, ply);
    int best = k_.evaluate(p);
    if (!features_.quiescence || !params_.quiescence || plies_on >= params_.quiescence_plies) return best;
    if (best >= beta || ply >= max_plies) return best;
    alpha = std::max(alpha, best);
    typename Candidates<K>::Frame frame(candidates_);
    candidates_.list(frame, p, {}, true);
    const std::size_t most = std::min(frame.size(), static_cast<std::size_t>(params_.quiescence_width));
    for (std::size_t i = 0; i < most; ++i) {
      const Position child = rules_.play(p, frame.pick(i).move);
      const Outcome outcome = rules_.outcome(child);
      const int score = outcome.over() ? -final_score(child, outcome, ply + 1)
                                       : -quiet_score(child, -beta, -alpha, ply + 1, plies_on + 1);
      if (halted_) return 0;
      best = std::max(best, score);
      alpha = std::max(alpha, score);
      if (alpha >= beta) break;
    }
    return best;
  }

  static constexpr std::uint64_t positions_between_looks = 256;

  const K& k_;
  const typename K::RulesType& rules_;
  SearchParams params_;
  TranspositionTable& table_;
  std::unique_ptr<typename detail::EndingOf<K>::Type> ending_;
  std::unique_ptr<typename detail::ShallowSearchOf<K>::Type> shallow_;
  std::unique_ptr<EndgameProbe> probe_;
  int max_known_stones_ = 0;  // positions of at most so many are looked up
  Candidates<K> candidates_;
  Ordering ordering_;
  bool is_main_;
  Position root_{};
  const PastKeys* past_ = nullptr;
  SearchFeatures features_;
  SearchControl* control_ = nullptr;
  std::uint64_t past_key_ = 0;  // of the positions that occurred twice
  bool root_complete_ = true;
  bool halted_ = false;
  int probing_ = 0;  // how many probes are under way, one inside of the other
  std::atomic<std::uint64_t> nodes_{0};
  std::uint64_t until_look_ = 0;
  int deepest_ = 0;
  std::vector<RootTurn<Move>> turns_;
  std::vector<std::vector<Move>> lines_;                         // the best line from each ply
  std::vector<std::uint64_t> path_;                              // keys on the way from the root
  std::array<std::vector<std::uint32_t>, max_plies + 2> tried_;  // quiet turns searched at each ply
};

}  // namespace paika
