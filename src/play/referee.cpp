#include "play/referee.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "play/clock.hpp"
#include "play/start.hpp"

namespace paika::play {

namespace {

/// A game in progress.
class Play {
 public:
  Play(const GamePlan& plan, const std::array<Side, 2>& sides)
      : plan_(plan), sides_(sides), session_(known_start(*plan.game, plan.start)) {
    record().spec = plan.game->notation().spec();
    record().start = plan.start.empty() ? "" : session_->position_text();
    for (std::size_t i = 0; i < sides.size(); ++i) {
      record().players[i] = sides[i].game_player.name();
      record().limits[i] = sides[i].limits;
      if (sides[i].limits.clock) left_[i] = sides[i].limits.clock->left;
    }
    for (const std::string& turn : plan.opening) {
      const auto read = session_->read_turn(turn);
      PAIKA_CHECK(read.has_value());
      play_turn(*read, {});
    }
    record().opening = static_cast<int>(plan.opening.size());
  }

  GameReport run(const std::stop_token& stop) {
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      if (const auto ready = sides_[i].game_player.start(plan_.number); !ready) {
        lose(i, ready.error());
        return std::move(report_);
      }
    }
    while (!over() && step(stop)) {
    }
    for (const Side& side : sides_) side.game_player.rest();
    return std::move(report_);
  }

 private:
  GameRecord& record() { return report_.record; }
  [[nodiscard]] std::size_t mover() const { return seat_of(session_->board().to_move); }

  void play_turn(const Turn& turn, RecordedTurn recorded) {
    recorded.text = session_->notation().turn_text(session_->board(), turn);
    session_->play(turn);
    texts_.push_back(recorded.text);
    record().turns.push_back(std::move(recorded));
  }

  /// Enters the result if the game has ended by its rules, or was drawn for its length.
  bool over() {
    const Outcome outcome = session_->outcome();
    if (outcome.over()) {
      record().result = {outcome.verdict, std::string(name(outcome.reason)), ""};
      return true;
    }
    if (plan_.max_turns == 0 || static_cast<int>(texts_.size()) < plan_.max_turns) return false;
    record().result = {Verdict::draw, std::string(too_long_reason), ""};
    return true;
  }

  void lose(std::size_t side, const Failed& failed) {
    if (failed.how == Failure::stopped) {
      report_.stopped = true;
      return;
    }
    report_.failure = failed.how;
    record().result = {side == 0 ? Verdict::second_wins : Verdict::first_wins, std::string(play::name(failed.how)),
                       failed.message};
  }

  [[nodiscard]] Allowance allowance(std::size_t side) const {
    Allowance allowed{sides_[side].limits, {}};
    if (!allowed.limits.clock) return allowed;
    const auto clock_of = [&](std::size_t i) {
      const auto increment = sides_[i].limits.clock ? sides_[i].limits.clock->increment : Milliseconds(0);
      return GameClock{std::chrono::floor<Milliseconds>(left_[i]), increment};
    };
    allowed.limits.clock = clock_of(side);
    allowed.opponent = clock_of(1 - side);
    return allowed;
  }

  /// The time after which the side's turn is late; nothing if it has no limit of time.
  [[nodiscard]] std::optional<Microseconds> time_allowed(std::size_t side) const {
    TimeLeft left;
    if (sides_[side].limits.move_time) left.turn = *sides_[side].limits.move_time;
    if (sides_[side].limits.clock) left.game = left_[side];
    return left.least();
  }

  /// Asks the side to move for a turn and plays it; false if the game ended by that.
  bool step(const std::stop_token& stop) {
    const std::size_t side = mover();
    const auto allowed = time_allowed(side);
    const auto before = std::chrono::steady_clock::now();
    const auto choice = sides_[side].game_player.choose({*session_, record().start, texts_}, allowance(side), stop);
    const auto passed = std::chrono::duration_cast<Microseconds>(std::chrono::steady_clock::now() - before);
    sides_[side].game_player.tidy();
    const auto time = sides_[side].game_player.time_charged(passed);
    if (stop.stop_requested()) {
      report_.stopped = true;
      return false;
    }
    report_.timings[side].add(time, allowed);
    if (!choice) {
      lose(side, choice.error());
      return false;
    }
    if (allowed && time > *allowed + plan_.margin) {
      lose(side, {Failure::time,
                  fmt::format("{} took {:.1f} ms of {:.1f} ms", in_quotes(choice->turn),
                              static_cast<double>(time.count()) / 1000, static_cast<double>(allowed->count()) / 1000)});
      return false;
    }
    const Microseconds total = report_.timings[side].total;
    if (plan_.max_total.count() > 0 && total > plan_.max_total + plan_.margin) {
      lose(side, {Failure::time, fmt::format("its moves took {:.1f} s, and a game allows {:.1f} s",
                                             static_cast<double>(total.count()) / 1e6,
                                             static_cast<double>(plan_.max_total.count()) / 1e3)});
      return false;
    }
    if (sides_[side].limits.clock) {
      left_[side] = std::max(left_[side] - time, Microseconds(0)) + Microseconds(sides_[side].limits.clock->increment);
    }
    return accept(side, *choice, time);
  }

  bool accept(std::size_t side, const Choice& choice, Microseconds time) {
    const auto turn = session_->read_turn(choice.turn);
    if (!turn) {
      lose(side, {Failure::illegal,
                  fmt::format("{}: {}", in_quotes(choice.turn), refusal_sentence(session_->notation(), turn.error()))});
      return false;
    }
    play_turn(*turn, {"", time, choice.score, choice.depth});
    return true;
  }

  const GamePlan& plan_;
  const std::array<Side, 2>& sides_;
  std::unique_ptr<Session> session_;
  std::vector<std::string> texts_;
  std::array<Microseconds, 2> left_{};
  GameReport report_;
};

}  // namespace

void Timing::add(std::chrono::microseconds time, std::optional<std::chrono::microseconds> allowed) {
  Timing one;
  one.turns = 1;
  one.total = time;
  one.slowest = time;
  if (allowed) one.max_over = time - *allowed;
  add(one);
}

void Timing::add(const Timing& other) {
  turns += other.turns;
  total += other.total;
  slowest = std::max(slowest, other.slowest);
  if (other.max_over) max_over = max_over ? std::max(*max_over, *other.max_over) : *other.max_over;
}

GameReport play_game(const GamePlan& plan, const std::array<Side, 2>& sides, const std::stop_token& stop) {
  return Play(plan, sides).run(stop);
}

}  // namespace paika::play
