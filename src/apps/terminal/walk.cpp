#include "apps/terminal/walk.hpp"

#include <fmt/format.h>
#include <memory>

#include "apps/terminal/sentences.hpp"
#include "apps/terminal/words.hpp"
#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/effect_text.hpp"
#include "engine/registry.hpp"
#include "play/start.hpp"

namespace paika::terminal {

namespace {

/// Builds a walk by playing its turns.
class Builder {
 public:
  Builder(GamePtr game, std::unique_ptr<Session> session, const Catalogue& catalogue)
      : catalogue_(catalogue), session_(std::move(session)) {
    walk_.game = std::move(game);
    stop().board = session_->board();
    for (const Player player : both_players) walk_.players[seat_of(player)] = name_of(player);
  }

  [[nodiscard]] const Session& session() const { return *session_; }
  [[nodiscard]] Walk& walk() { return walk_; }
  [[nodiscard]] std::string name_of(Player player) const {
    return player_words(catalogue_, session_->notation(), player);
  }
  [[nodiscard]] std::string say(const Phrase& phrase) const { return catalogue_.say(phrase); }

  /// The stop that is being described: the last one that was begun.
  [[nodiscard]] WalkStop& stop() {
    if (walk_.stops.empty()) walk_.stops.emplace_back();
    return walk_.stops.back();
  }
  void report(std::string text, Tone tone = Tone::normal) { stop().words.push_back({std::move(text), tone}); }

  /// Begins another stop at the same position.
  void next_stop() {
    WalkStop next;
    next.board = session_->board();
    next.turns = walk_.turns.size();
    next.last = stop().last;
    next.clocks = stop().clocks;
    walk_.stops.push_back(std::move(next));
  }

  /// Plays a legal turn and begins the stop after it. `remark` follows the turn's text.
  void play(const Turn& turn, const std::string& remark) {
    const Board before = session_->board();
    const Notation& notation = session_->notation();
    const std::string text = notation.turn_text(before, turn);
    auto effects = notation.effects(before, turn);
    session_->play(turn);
    walk_.turns.push_back(text);
    next_stop();
    stop().last = squares_of(turn);
    report(say(phrase("Move {}, {}: {}", walk_.turns.size(), name_of(before.to_move), text)) + remark, Tone::event);
    for (const std::string& line : effect_words(catalogue_, notation, effects)) report("  " + line);
    stop().effects = std::move(effects);
    const Outcome outcome = session_->outcome();
    if (!outcome.over()) return;
    report(ending_sentence(notation, session_->board(), outcome, catalogue_), Tone::event);
    for (auto& line : cause_sentences(notation, before, stop().effects, outcome, catalogue_)) report(std::move(line));
  }

  Walk finish() { return std::move(walk_); }

 private:
  const Catalogue& catalogue_;
  std::unique_ptr<Session> session_;
  Walk walk_;
};

/// The clocks after the first `count` turns of a record.
std::array<std::string, 2> clocks_after(const play::GameRecord& record, const std::vector<Player>& movers,
                                        std::size_t count) {
  std::array<std::string, 2> clocks;
  for (const Player player : both_players) {
    const SearchLimits& limits = record.limits[seat_of(player)];
    if (!limits.clock) continue;
    std::vector<play::Microseconds> times;
    for (std::size_t i = static_cast<std::size_t>(std::max(record.since[seat_of(player)], 0)); i < count; ++i) {
      if (movers[i] == player) times.push_back(record.turns[i].time.value_or(play::Microseconds{0}));
    }
    if (const auto left = play::time_left(limits, times).game) clocks[seat_of(player)] = clock_text(*left);
  }
  return clocks;
}

/// What is known of a recorded turn beside its text: how long it took.
std::string remark_of(const play::RecordedTurn& turn) {
  if (!turn.time) return "";
  return fmt::format("  ({:.1f} s)", std::chrono::duration<double>(*turn.time).count());
}

/// How a game ended that its rules did not end.
void report_result(Builder& builder, const Catalogue& catalogue, const play::GameResult& result) {
  const bool unfinished = result.verdict == Verdict::ongoing && result.reason == play::unfinished_reason;
  builder.report(unfinished ? catalogue.say(phrase("The game was not finished."))
                            : result_words(catalogue, builder.session().notation(), result),
                 Tone::event);
  if (!result.remark.empty()) builder.report(printable(result.remark));
}

}  // namespace

Result<Walk> walk_of(const play::GameRecord& record, const Catalogue& catalogue) {
  const auto game = open_game(record.spec);
  if (!game) return tl::unexpected(game.error());
  auto session = play::start_at(**game, record.start);
  if (!session) return tl::unexpected(session.error());
  Builder builder(*game, std::move(*session), catalogue);
  builder.walk().title = builder.say(phrase_of((*game)->info().title));
  for (const Player player : both_players) {
    const std::string& who = record.players[seat_of(player)];
    if (!who.empty()) builder.walk().players[seat_of(player)] += ": " + printable(who);
  }
  for (const std::string& note : record.notes) builder.report(printable(note));
  std::vector<Player> movers;
  builder.stop().clocks = clocks_after(record, movers, 0);
  for (const play::RecordedTurn& recorded : record.turns) {
    const auto turn = builder.session().read_turn(recorded.text);
    if (!turn) {
      return fail("move {}, {}: {}", movers.size() + 1, in_quotes(recorded.text),
                  refusal_sentence(builder.session().notation(), turn.error()));
    }
    movers.push_back(builder.session().board().to_move);
    builder.play(*turn, remark_of(recorded));
    builder.stop().clocks = clocks_after(record, movers, movers.size());
    if (recorded.score) builder.stop().score = movers.back() == Player::first ? *recorded.score : -*recorded.score;
  }
  if (!builder.session().outcome().over()) report_result(builder, catalogue, record.result);
  return builder.finish();
}

Walk walk_of(const play::Demo& demo, const Catalogue& catalogue, std::string_view language) {
  Builder builder(demo.game, demo.game->start_from(demo.start), catalogue);
  builder.walk().title = demo.title.in(language);
  bool fresh = true;  // nothing has been said at this stop yet
  for (const play::DemoStep& step : demo.steps) {
    if (!step.caption.empty()) {
      if (!fresh) builder.next_stop();
      builder.report(step.caption.in(language));
      fresh = false;
    }
    if (step.turn) {
      builder.play(*step.turn, "");
      fresh = false;
    } else if (step.refused) {
      builder.next_stop();
      builder.stop().refused = step.refusal->squares;
      builder.report(builder.say(phrase("{} is refused:", step.text)), Tone::event);
      builder.report(refusal_words(catalogue, demo.game->notation(), *step.refusal), Tone::refusal);
      fresh = false;
    }
  }
  return builder.finish();
}

}  // namespace paika::terminal
