// Search: iterative deepening over one or more threads, several lines, limits and levels.
//
// The threads share the table and nothing else; each searches the same root to the same depths
// (lazy SMP), and what one finds out spares the others the work. The first thread's result is the answer,
// so with one thread and a limit of nodes or depth the answer is always the same. Where the time matters
// the caller does not search himself: he waits (search/mailbox.hpp), and leaves with what is known in time.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "search/helpers.hpp"
#include "search/level.hpp"
#include "search/mailbox.hpp"
#include "search/tree.hpp"

namespace paika {

template <class Move>
struct SearchLine {
  int score = 0;         // in hundredths of a piece, or a win or loss
  bool exact = false;    // proven to the end of the game
  bool at_most = false;  // of a win or loss: it is proven, but may come sooner than the score says
  std::vector<Move> moves;
};

template <class Move>
struct SearchReport {
  int depth = 0;
  int selective_depth = 0;
  std::uint64_t nodes = 0;
  Milliseconds time{0};
  int table_permille = 0;
  std::vector<SearchLine<Move>> lines;  // best first; in a result the chosen one comes first
};

template <class Move>
struct SearchResult {
  Move move{};
  SearchReport<Move> report;
};

template <SearchTraits K>
class Search {
 public:
  using Position = typename K::RulesType::Position;
  using Move = typename K::RulesType::Move;
  using OnProgress = std::function<void(const SearchReport<Move>&)>;

  /// `symmetries` are those of the game; turns that they make alike are searched once. `probe` looks endgames up;
  /// empty: none are.
  Search(K traits, const SearchSettings& settings, std::vector<Symmetry> symmetries = {}, OpenProbe probe = {})
      : k_(std::move(traits)), symmetries_(std::move(symmetries)), probe_(std::move(probe)) {
    set(settings);
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  ~Search() { wait(); }

  [[nodiscard]] const K& traits() const { return k_; }

  /// May throw std::bad_alloc if the table is too large; then the settings are as before.
  void set(const SearchSettings& settings) {
    wait();
    if (!table_ || settings.hash_mb != settings_.hash_mb) replace_tables(settings.hash_mb);
    if (trees_.empty() || settings.threads != settings_.threads) {
      helpers_ = std::make_unique<HelperThreads>(settings.threads);
      make_trees();
    }
    settings_ = settings;
  }

  void forget() {
    wait();
    table_->clear();
    if constexpr (HasEndings<K>) endings_->clear();
    for (auto& tree : trees_) tree->forget();
  }

  /// Searches from `root`, where the game is not over. `past` holds the positions before it.
  SearchResult<Move> run(const Position& root, PastKeys past, const SearchLimits& limits,
                         const std::stop_token& stop = {}, const OnProgress& on_progress = {}) {
    const auto start = SearchClock::now();
    const TimePlan plan = plan_time(limits, turns_left(root), lag_);
    if (!idle_in_time(start, plan)) return hasty(root, start + plan.hard);
    const LevelPlan level = settings_.plan ? *settings_.plan : plan_of_level<K>(settings_.level);
    job_ = std::make_unique<Job>(root, std::move(past), start, plan, limits.nodes.value_or(UINT64_MAX), stop);
    job_->level_nodes = level.nodes == 0 ? UINT64_MAX : level.nodes;
    job_->depth = std::min(limits.depth.value_or(max_depth), level.depth == 0 ? max_depth : level.depth);
    job_->lines = std::max(settings_.lines, level.lines);
    last_best_.reset();
    best_before_.reset();
    table_->next_search();
    prepare(*trees_.front());
    const bool hurried = job_->control.plan().limited() || (!limits.depth && !limits.nodes);
    SearchReport<Move> report =
        hurried && helpers_->count() > 0 ? search_elsewhere(stop, on_progress) : search_here(on_progress);
    job_->control.stop();
    return chosen(std::move(report), level.temperature);
  }

 private:
  static constexpr int max_depth = 200;

  /// Of the lines found, the one to play comes first; no more of them than were asked for.
  [[nodiscard]] SearchResult<Move> chosen(SearchReport<Move> report, double temperature) const {
    SearchResult<Move> result{{}, std::move(report)};
    auto& lines = result.report.lines;
    std::vector<int> scores;
    for (const auto& line : lines) scores.push_back(line.score);
    Random random(mix64(settings_.seed + 1) ^ k_.rules().key(job_->root));
    const auto choice_at = lines.begin() + static_cast<std::ptrdiff_t>(choose_by_chance(scores, temperature, random));
    std::rotate(lines.begin(), choice_at, choice_at + 1);
    if (lines.size() > static_cast<std::size_t>(settings_.lines))
      lines.resize(static_cast<std::size_t>(settings_.lines));
    result.move = lines.front().moves.front();
    return result;
  }

  /// All that the threads of one search share beside the table.
  struct Job {
    Job(const Position& position, PastKeys keys, SearchClock::time_point start, const TimePlan& plan,
        std::uint64_t nodes, std::stop_token stop)
        : root(position), past(std::move(keys)), control(start, plan, nodes, std::move(stop)) {}
    Position root;
    PastKeys past;
    SearchControl control;
    std::optional<Mailbox<SearchReport<Move>>> mailbox;
    int depth = max_depth;
    int lines = 1;
    std::uint64_t level_nodes = UINT64_MAX;  // after the first depth: every level looks at each turn once
  };

  void prepare(Tree<K>& tree) {
    tree.begin(job_->root, job_->past, symmetries_, settings_.features, settings_.level >= first_level_with_tables,
               job_->control);
  }

  /// Lets the threads after the first search along.
  void assist(int thread) {
    Tree<K>& tree = *trees_[static_cast<std::size_t>(thread)];
    prepare(tree);
    deepen(tree, thread, {});
  }

  /// The caller searches.
  SearchReport<Move> search_here(const OnProgress& on_progress) {
    if (helpers_->count() > 1) {
      helpers_->start([this](int i) {
        if (i > 0) assist(i);
      });
    }
    const int depth = deepen(*trees_.front(), 0, on_progress);
    return report(*trees_.front(), depth);
  }

  /// The caller waits, at most as long as the time plan says.
  SearchReport<Move> search_elsewhere(const std::stop_token& stop, const OnProgress& on_progress) {
    auto& mailbox = job_->mailbox.emplace(report(*trees_.front(), 0));
    helpers_->start([this, &mailbox](int i) {
      if (i > 0) return assist(i);
      const int depth =
          deepen(*trees_.front(), 0, [&mailbox](const SearchReport<Move>& now) { mailbox.publish(now, false); });
      mailbox.publish(report(*trees_.front(), depth), true);
    });
    const TimePlan& plan = job_->control.plan();
    wait_for_end(mailbox, stop, on_progress);
    if (!mailbox.last() && stop.stop_requested()) {
      constexpr Milliseconds grace{4};
      job_->control.stop();
      const auto end = SearchClock::now() + grace;
      while (!mailbox.last() && mailbox.wait(end, {})) {
      }
    }
    if (plan.limited()) remember_lag(latest_end());
    return mailbox.latest();
  }

  /// Waits until the search has ended, or the time is up. The caller sleeps in short naps: how late he wakes from
  /// them tells how busy the machine is, and he leaves so much sooner, in this turn already.
  void wait_for_end(Mailbox<SearchReport<Move>>& mailbox, const std::stop_token& stop, const OnProgress& on_progress) {
    constexpr Milliseconds nap{4};
    const bool limited = job_->control.plan().limited();
    const Milliseconds expected = lag_;
    while (!mailbox.last() && !stop.stop_requested()) {
      const auto end = latest_end() - 2 * (lag_ - expected);
      const auto nap_end = limited ? std::min(end, SearchClock::now() + nap) : end;
      if (mailbox.wait(nap_end, stop)) {
        if (on_progress && !mailbox.last()) on_progress(mailbox.latest());
        continue;
      }
      const auto now = SearchClock::now();
      lag_ = std::max(lag_, std::chrono::round<Milliseconds>(now - nap_end));
      if (now >= latest_end() - 2 * (lag_ - expected)) return;
    }
  }

  /// When the caller leaves with what is known.
  [[nodiscard]] SearchClock::time_point latest_end() const {
    const SearchControl& control = job_->control;
    if (!control.plan().limited()) return control.start() + std::chrono::hours(24 * 365);
    return control.start() + control.hard() + control.plan().grace;
  }

  /// How late the caller was woken, as a lasting impression: it fades in some tens of turns.
  void remember_lag(SearchClock::time_point latest_end) {
    const auto late = std::chrono::ceil<Milliseconds>(SearchClock::now() - latest_end);
    lag_ = std::max({late, lag_ * 31 / 32, Milliseconds(0)});
  }

  void wait() {
    if (job_) job_->control.stop();
    if (helpers_) helpers_->wait();
  }

  /// Waits for the threads to leave the search before; false if they do not in time: on a machine that is
  /// very busy they may get no processor for that long.
  [[nodiscard]] bool idle_in_time(SearchClock::time_point start, const TimePlan& plan) {
    if (job_) job_->control.stop();
    if (!helpers_) return true;
    if (plan.limited()) return helpers_->wait_until(start + plan.hard);
    helpers_->wait();
    return true;
  }

  /// The turn that looks best without any search; none but the first is looked at after the deadline. It touches
  /// nothing that the threads of the search before may still use.
  [[nodiscard]] SearchResult<Move> hasty(const Position& root, SearchClock::time_point deadline) const {
    const auto& rules = k_.rules();
    const Player mover = rules.to_move(root);
    SearchResult<Move> result;
    int best = -infinite_score;
    visit_turns(rules, root, [&](const Move& m) {
      const Position next = rules.play(root, m);
      const Outcome outcome = rules.outcome(next);
      const int score = !outcome.over()                    ? -k_.evaluate(next)
                        : outcome.verdict == Verdict::draw ? 0
                        : outcome.won_by(mover)            ? win_in(1)
                                                           : loss_in(1);
      if (score > best) {
        best = score;
        result.move = m;
      }
      return SearchClock::now() < deadline;
    });
    const bool decided = is_win(best) || is_loss(best);
    result.report.lines = {{decided ? best : in_pieces(best), decided, false, {result.move}}};
    return result;
  }

  void replace_tables(int megabytes) {
    trees_.clear();
    const auto all = static_cast<std::size_t>(std::max(megabytes, 1));
    if constexpr (HasEndings<K>) {
      auto endings = std::make_unique<typename Tree<K>::EndingTable>((all + 1) / 2);
      table_ = std::make_unique<TranspositionTable>((all + 1) / 2);
      endings_ = std::move(endings);
    } else {
      table_ = std::make_unique<TranspositionTable>(all);
    }
  }

  void make_trees() {
    trees_.clear();
    for (int i = 0; i < std::max(helpers_->count(), 1); ++i) {
      trees_.push_back(std::make_unique<Tree<K>>(k_, *table_, endings_.get(), probe_, i == 0));
    }
  }

  /// About how many more turns the player will have, for sharing out a clock.
  [[nodiscard]] int turns_left(const Position& root) const {
    constexpr int usual = 30;
    if constexpr (HasEndings<K>) return std::clamp(k_.plies_to_end(root) / 2 - 5, 4, usual);
    return usual;
  }

  [[nodiscard]] int next_depth(int depth) const {
    if constexpr (HasEndings<K>) {
      if (settings_.features.endings) {
        const int next = k_.next_depth(job_->root, depth);
        return next > depth + 1 && !worth_solving() ? depth + 1 : next;
      }
    }
    return depth + 1;
  }

  /// Whether the time left may do for solving the ending of the root, or at least for a good part of it: what is only
  /// likely is found much sooner than what is certain.
  [[nodiscard]] bool worth_solving() const {
    if constexpr (HasSolvingCosts<K>) {
      constexpr double part = 0.1;
      const TimePlan& plan = job_->control.plan();
      if (!plan.limited()) return true;
      const double left = static_cast<double>((plan.hard - job_->control.elapsed()).count());
      return part * k_.solving_cost(job_->root) <= left * solving_speed_;
    }
    return true;
  }

  /// Searches deeper and deeper in a tree that was prepared; returns the last depth completed.
  int deepen(Tree<K>& tree, int thread, const OnProgress& on_progress) {
    int completed = 0;
    DepthPolicy policy;
    for (int depth = 1 + thread % 2; depth <= job_->depth; depth = std::max(depth + 1, next_depth(depth))) {
      const Move last_best = tree.turns().front().candidate.move;
      if (thread == 0 && solves_in_time(depth)) job_->control.begin_solving();
      const std::uint64_t nodes_before = tree.nodes();
      const Milliseconds begun = job_->control.elapsed();
      if (!search_depth(tree, std::min(depth, max_depth))) break;
      completed = depth;
      if (thread != 0) continue;
      if (solved(depth)) remember_speed(tree.nodes() - nodes_before, job_->control.elapsed() - begun);
      job_->control.limit_nodes(job_->level_nodes);
      confirm_distances(tree);
      best_before_ = std::exchange(last_best_, tree.turns().front().best_known());
      if (on_progress) on_progress(report(tree, completed));
      const RootTurn<Move>& best = tree.turns().front();
      policy.completed(last_best == best.candidate.move, in_pieces(best.best_known()));
      const bool enough = policy.enough(job_->control.plan(), job_->control.elapsed());
      if (settled(tree, completed) || (enough && !solves_in_time(next_depth(depth)))) break;
    }
    return completed;
  }

  /// Whether a search to `depth` solves the ending, and will probably have done so before the time for that is over.
  [[nodiscard]] bool solves_in_time(int depth) const {
    if constexpr (HasSolvingCosts<K>) {
      const TimePlan& plan = job_->control.plan();
      if (!plan.limited() || !solved(depth)) return false;
      const double left = static_cast<double>((plan.solving - job_->control.elapsed()).count());
      return k_.solving_cost(job_->root) <= left * solving_speed_ / 2;
    }
    return false;
  }
  void remember_speed(std::uint64_t nodes, Milliseconds time) {
    constexpr Milliseconds min_measured{20};
    if (time < min_measured) return;
    solving_speed_ = (solving_speed_ + static_cast<double>(nodes) / static_cast<double>(time.count())) / 2;
  }

  /// Checks of the lines that are reported as won or lost whether they can be so sooner. All checks together may cost
  /// a quarter of the search so far.
  void confirm_distances(Tree<K>& tree) {
    if constexpr (!HasFinalScores<K>) {
      constexpr std::uint64_t min_allowance = 20'000;
      const std::size_t lines = std::min(tree.turns().size(), static_cast<std::size_t>(settings_.lines));
      const std::uint64_t allowance = std::max(tree.nodes() / 4, min_allowance) / lines;
      for (std::size_t i = 0; i < lines && !tree.halted(); ++i) tree.confirm_distance(i, allowance);
    }
  }

  /// All lines at one depth; false if it was broken off.
  bool search_depth(Tree<K>& tree, int depth) {
    auto& turns = tree.turns();
    const std::size_t lines = std::min(turns.size(), static_cast<std::size_t>(job_->lines));
    for (auto& turn : turns) turn.previous = turn.best_known();
    for (std::size_t line = 0; line < lines && !tree.halted(); ++line) search_window(tree, depth, line);
    sort_turns(turns, 0, lines, [](const RootTurn<Move>& turn) { return turn.best_known(); });
    return !tree.halted();
  }

  /// What the depth before found, or the exact score if the game's own solver has it.
  [[nodiscard]] int first_guess(Tree<K>& tree, [[maybe_unused]] int depth, std::size_t line) {
    if constexpr (HasEndings<K>) {
      if (line == 0 && solved(depth)) return tree.solve_root();
    }
    return tree.turns()[line].previous;
  }

  /// One line, in a small window about what the depth before found; wider if that was wrong.
  void search_window(Tree<K>& tree, int depth, std::size_t line) {
    constexpr int first_depth = 4;
    const int guess = first_guess(tree, depth, line);
    if (tree.halted()) return;
    int width = std::max(k_.params().window, 1);
    int alpha = -infinite_score;
    int beta = infinite_score;
    if (settings_.features.aspiration && depth >= first_depth && !is_win(guess) && !is_loss(guess)) {
      alpha = guess - width;
      beta = guess + width;
    }
    for (;;) {
      const int score = tree.search_root(alpha, beta, depth, line);
      if (tree.halted() || (score > alpha && score < beta) || tree.turns().size() == line) return;
      width *= 4;
      const bool far = width > 120 * k_.params().window || is_win(score) || is_loss(score);
      if (score <= alpha) {
        if (alpha == -infinite_score) return;
        alpha = far ? -infinite_score : score - width;
      } else {
        if (beta == infinite_score) return;
        beta = far ? infinite_score : score + width;
      }
    }
  }

  /// Whether searching deeper can change nothing that matters.
  [[nodiscard]] bool settled(const Tree<K>& tree, int depth) const {
    const auto& turns = tree.turns();
    const bool forced = turns.size() == 1 && turns.front().twins.empty();
    if (forced && job_->control.plan().limited()) return true;
    if (solved(depth)) return true;
    const std::size_t lines = std::min(turns.size(), static_cast<std::size_t>(job_->lines));
    return std::all_of(turns.begin(), turns.begin() + static_cast<std::ptrdiff_t>(lines), [&](const auto& turn) {
      const int score = turn.best_known();
      return (is_win(score) || is_loss(score)) && plies_to(score) <= depth;
    });
  }
  [[nodiscard]] bool solved(int depth) const {
    if constexpr (HasEndings<K>) return settings_.features.endings && depth >= k_.plies_to_end(job_->root);
    return false;
  }

  [[nodiscard]] SearchReport<Move> report(const Tree<K>& tree, int depth) const {
    SearchReport<Move> out;
    out.depth = depth;
    for (const auto& t : trees_) out.nodes += t->nodes();
    out.selective_depth = tree.deepest();
    out.time = job_->control.elapsed();
    out.table_permille = table_->permille();
    const std::size_t lines = std::min(tree.turns().size(), static_cast<std::size_t>(job_->lines));
    const int swing = this->swing(tree.turns().front());
    for (std::size_t i = 0; i < lines; ++i) {
      const RootTurn<Move>& turn = tree.turns()[i];
      if (turn.best_known() == -infinite_score && i > 0) break;  // stopped before anything was found out about it
      add_lines(out.lines, turn, swing, solved(depth), tree.root_complete());
    }
    if (out.lines.size() > static_cast<std::size_t>(job_->lines))
      out.lines.resize(static_cast<std::size_t>(job_->lines));
    return out;
  }

  /// By how much the scores of this depth are to be corrected. Evaluations favour the side that moved last, or the
  /// other one, so scores go up and down with each depth. People are shown the mean of two depths; all turns are
  /// moved by the same amount, so that their order and their differences stay.
  [[nodiscard]] int swing(const RootTurn<Move>& best) const {
    const int score = best.best_known();
    const bool unfinished = best.score != -infinite_score && last_best_ && score != *last_best_;
    const std::optional<int>& before = unfinished ? last_best_ : best_before_;
    const auto decided = [](int s) { return is_won(s) || is_lost(s); };
    if (!before || decided(score) || decided(*before)) return 0;
    return (*before - score) / 2;
  }

  /// An evaluation in hundredths of a piece.
  [[nodiscard]] int in_pieces(int evaluation) const { return evaluation * 100 / k_.params().unit; }

  /// The line of a turn, and those of its twins.
  void add_lines(std::vector<SearchLine<Move>>& lines, const RootTurn<Move>& turn, int swing, bool solved,
                 bool root_complete) const {
    const int score = turn.best_known();
    SearchLine<Move> line;
    line.moves = turn.line;
    if (score != -infinite_score && (is_won(score) || is_lost(score))) {
      line.score = score;
      line.exact = is_won(score) || root_complete;
      line.at_most = turn.shortest == 0 && (is_win(score) || is_loss(score));
    } else if (score != -infinite_score) {
      line.score = in_pieces(solved ? score : score + swing);
      line.exact = solved;
    }
    lines.push_back(line);
    for (const TwinTurn<Move>& twin : turn.twins) {
      line.moves = image(turn.line, twin);
      lines.push_back(line);
    }
  }

  /// A line from the root as a symmetry of the root maps it.
  [[nodiscard]] std::vector<Move> image(const std::vector<Move>& line, const TwinTurn<Move>& twin) const {
    const auto& rules = k_.rules();
    std::vector<Move> moves = {twin.move};
    Position original = rules.play(job_->root, line.front());
    Position mapped = rules.play(job_->root, twin.move);
    for (std::size_t i = 1; i < line.size(); ++i) {
      original = rules.play(original, line[i]);
      const Position wanted = rules.transform(original, twin.symmetry);
      std::optional<Move> found;
      visit_turns(rules, mapped, [&](const Move& m) {
        if (rules.play(mapped, m) == wanted) found = m;
        return !found;
      });
      if (!found) break;
      moves.push_back(*found);
      mapped = wanted;
    }
    return moves;
  }

  K k_;
  std::vector<Symmetry> symmetries_;
  OpenProbe probe_;
  SearchSettings settings_;
  std::optional<int> last_best_;    // the best score of the last depth completed
  std::optional<int> best_before_;  // and of the one before
  std::unique_ptr<TranspositionTable> table_;
  std::unique_ptr<typename Tree<K>::EndingTable> endings_;
  std::vector<std::unique_ptr<Tree<K>>> trees_;  // one a thread; the first is the main thread's
  std::unique_ptr<Job> job_;
  Milliseconds lag_{0};
  double solving_speed_ = 10'000;  // positions of an ending in a millisecond, as far as is known
  std::unique_ptr<HelperThreads> helpers_;
};

}  // namespace paika
