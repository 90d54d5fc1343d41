#include "play/match.hpp"

#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "engine/opening_book.hpp"
#include "play/engine_player.hpp"
#include "play/program_player.hpp"

namespace paika::play {

namespace {

/// A's result in half points: 0, 1 or 2.
std::size_t half_points(const GameResult& result, bool a_is_first) {
  if (result.verdict == Verdict::draw) return 1;
  return (result.verdict == Verdict::first_wins) == a_is_first ? 2 : 0;
}

/// Where both games of a pair begin.
struct Beginning {
  std::string start;
  std::vector<std::string> turns;  // played from there by nobody's choice
  std::string note;                // where it comes from, for the record
};

class Match {
 public:
  Match(const MatchPlan& plan, const MatchListener& listener)
      : plan_(plan),
        listener_(listener),
        openings_(plan.game, plan.start, plan.opening_plies, plan.seed,
                  plan.balance > 0 && plan.opening_plies > 0 ? balanced(plan.game, plan.balance) : Openings::Filter{}) {
  }

  Result<MatchScore> run(const std::stop_token& stop) {
    const std::stop_callback pass_on(stop, [this] { done_.request_stop(); });
    {
      std::vector<std::jthread> workers;
      while (static_cast<int>(workers.size()) + 1 < plan_.threads && add_worker(workers)) {
      }
      work();
    }
    if (error_) return tl::unexpected(*error_);
    score_.different_openings = plan_.starts.empty() ? openings_.different() : starts_used_.size();
    return score_;
  }

 private:
  using GamePlayers = std::array<std::unique_ptr<GamePlayer>, 2>;

  /// False if the machine gives no more threads; those there are then do the work.
  bool add_worker(std::vector<std::jthread>& workers) {
    try {
      workers.emplace_back([this] { work(); });
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  void give_up(Error error) {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::move(error);
    done_.request_stop();
  }

  /// Both players, made and started once, so that one that cannot play at all is found before any game.
  [[nodiscard]] Result<GamePlayers> game_players() const {
    GamePlayers made;
    for (std::size_t i = 0; i < made.size(); ++i) {
      auto game_player = plan_.entries[i].make();
      if (!game_player) return tl::unexpected(game_player.error());
      if (const auto ready = (*game_player)->start(0); !ready) {
        return fail("the player {} cannot play: {}", in_quotes(plan_.entries[i].text), ready.error().message);
      }
      made[i] = std::move(*game_player);
    }
    return made;
  }

  void work() {
    auto made = game_players();
    if (!made) return give_up(made.error());
    Beginning beginning;
    for (std::uint64_t pair = 0; take_pair(pair, beginning);) {
      std::array<GameReport, 2> reports;
      for (std::size_t i = 0; i < 2; ++i) {
        reports[i] = play_one(*made, pair, i == 0, beginning);
        if (reports[i].stopped) return;
      }
      count(reports);
    }
  }

  /// The next pair's number and beginning; false if there is none.
  bool take_pair(std::uint64_t& pair, Beginning& beginning) {
    const std::scoped_lock lock(openings_mutex_);
    if (next_pair_ >= plan_.pairs || done_.stop_requested()) return false;
    pair = next_pair_++;
    beginning = beginning_of(pair);
    return true;
  }

  /// To be called once for each pair, in their order.
  [[nodiscard]] Beginning beginning_of(std::uint64_t pair) {
    if (plan_.starts.empty()) return {plan_.start, openings_.next(), fmt::format("openings from seed {}", plan_.seed)};
    const std::size_t number = pair % plan_.starts.size();
    starts_used_.insert(plan_.starts[number]);
    return {plan_.starts[number], {}, fmt::format("opening {} of the {} given", number + 1, plan_.starts.size())};
  }

  GameReport play_one(const GamePlayers& game_players, std::uint64_t pair, bool a_is_first,
                      const Beginning& beginning) {
    const std::size_t first = a_is_first ? 0 : 1;
    GamePlan game;
    game.game = plan_.game;
    game.start = beginning.start;
    game.opening = beginning.turns;
    game.number = 2 * pair + first + 1;
    game.max_turns = plan_.max_turns;
    game.margin = plan_.margin;
    const std::array<Side, 2> sides = {Side{*game_players[first], plan_.entries[first].limits},
                                       Side{*game_players[1 - first], plan_.entries[1 - first].limits}};
    GameReport report = play_game(game, sides, done_.get_token());
    report.record.notes.push_back(
        fmt::format("game {} of a match, {} moves first, {}", game.number, a_is_first ? "A" : "B", beginning.note));
    return report;
  }

  void count(const std::array<GameReport, 2>& reports) {
    const std::scoped_lock lock(mutex_);
    if (done_.stop_requested()) return;
    std::size_t points = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      points += half_points(reports[i].record.result, i == 0);
      count_game(reports[i], i == 0);
      if (listener_.game_ended) listener_.game_ended(reports[i].record);
    }
    ++score_.pairs[points];
    if (listener_.pair_ended) listener_.pair_ended(score_);
    if (plan_.sprt && sprt_state(score_.pairs, *plan_.sprt) != SprtState::undecided) done_.request_stop();
  }

  void count_game(const GameReport& report, bool a_is_first) {
    const GameResult& result = report.record.result;
    const std::size_t first = a_is_first ? 0 : 1;
    for (std::size_t side = 0; side < 2; ++side)
      score_.timings[side == 0 ? first : 1 - first].add(report.timings[side]);
    score_.turns += report.record.turns.size() - static_cast<std::size_t>(report.record.opening);
    if (result.reason == too_long_reason) ++score_.too_long;
    if (result.verdict == Verdict::draw) {
      ++score_.draws;
      return;
    }
    const bool first_won = result.verdict == Verdict::first_wins;
    const std::size_t winner = first_won ? first : 1 - first;
    ++score_.wins[winner];
    ++(first_won ? score_.first_wins : score_.second_wins);
    if (!report.failure) return;
    ++score_.failures[1 - winner][static_cast<std::size_t>(*report.failure)];
    score_.last_failure = fmt::format("{} ({}): {}", winner == 0 ? "B" : "A", result.reason, result.remark);
  }

  const MatchPlan& plan_;
  const MatchListener& listener_;
  std::stop_source done_;
  std::mutex openings_mutex_;
  Openings openings_;
  std::unordered_set<std::string> starts_used_;
  std::uint64_t next_pair_ = 0;
  std::mutex mutex_;
  MatchScore score_;
  std::optional<Error> error_;
};

}  // namespace

MatchEntry enter(const GamePtr& game, const PlayerText& player, Milliseconds margin, const std::string& error_log) {
  MatchEntry entry;
  entry.text = player.text;
  entry.limits = player.settings.limits;
  if (!player.command.empty()) {
    ProgramPlayer::Patience patience;
    patience.beyond_limit += margin;
    entry.make = [game, player, patience, error_log]() -> Result<std::unique_ptr<GamePlayer>> {
      return std::make_unique<ProgramPlayer>(game->notation().spec(), player.text,
                                             shell_launch(player.command, error_log), patience, player.settings.ponder);
    };
    return entry;
  }
  entry.make = [game, player]() -> Result<std::unique_ptr<GamePlayer>> {
    const auto book = choose_book(game->notation().spec(), player.settings.search.book.value_or(""));
    if (!book) return fail("in the player {}: {}", in_quotes(player.text), book.error().message);
    try {
      return std::make_unique<EnginePlayer>(*game, player.text, player.settings.search, player.settings.ponder);
    } catch (const std::bad_alloc&) {
      return fail(phrase("there is not enough memory for {}: give it a smaller hash", in_quotes(player.text)));
    }
  };
  return entry;
}

Result<MatchScore> play_match(const MatchPlan& plan, const MatchListener& listener, const std::stop_token& stop) {
  return Match(plan, listener).run(stop);
}

}  // namespace paika::play
