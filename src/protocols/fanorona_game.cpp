#include "protocols/fanorona_game.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/module.hpp"
#include "engine/registry.hpp"
#include "play/class_move.hpp"
#include "play/reason.hpp"
#include "play/start.hpp"
#include "protocols/fanorona_full_chains.hpp"

namespace paika::protocols {

namespace {

using Clock = ClassPeer::Clock;
using Kind = ClassMessage::Kind;
using Trouble = ClassPeer::Trouble;
using play::Failed;
using play::Failure;

/// How long a peer may take for a message that needs no thinking.
constexpr std::chrono::seconds time_to_answer(3);
/// Some peers take a chain that stops early for no move at all, and wait for ever.
constexpr std::string_view full_chains_hint = "; if it waits for a longer capture, try --full-chains";
/// Lines that make no sense are passed over in a greeting, but not for ever.
constexpr int max_nonsense = 20;

Failure failure_of(Trouble trouble, bool limited) {
  switch (trouble) {
    case Trouble::timeout: return limited ? Failure::time : Failure::stall;
    case Trouble::closed: return Failure::crash;
    case Trouble::flood: return Failure::flood;
    case Trouble::stopped: break;
  }
  return Failure::stopped;
}

/// The peer as a player.
class PeerPlayer final : public play::GamePlayer {
 public:
  /// `us` is told of all turns but a last one of ours.
  PeerPlayer(ClassPeer& peer, ClassRole role, const ClassPatience& patience, const ClassSide& us)
      : peer_(peer), role_(role), patience_(patience), us_(us) {}

  [[nodiscard]] std::string name() const override { return role_ == ClassRole::server ? "client" : "server"; }
  [[nodiscard]] tl::expected<void, Failed> start(std::uint64_t /*game_number*/) override { return {}; }
  [[nodiscard]] tl::expected<play::Choice, Failed> choose(const play::GameSoFar& game, const play::Allowance& allowance,
                                                          const std::stop_token& stop) override {
    const Player their_colour = game.session.board().to_move;
    if (!game.turns.empty()) {
      report(other(their_colour), game.turns.back());
      peer_.say(last_move(game.session.game(), game.turns));
    }
    const auto limit = allowance.limits.move_time;
    const auto deadline = Clock::now() + (limit ? *limit + patience_.margin : patience_.to_think);
    for (;;) {
      auto heard = peer_.receive(deadline, stop);
      if (!heard) return tl::unexpected(trouble(heard.error(), limit.has_value()));
      if (heard->kind == Kind::ok) continue;
      if (heard->kind != Kind::move) return tl::unexpected(no_move(*heard));
      // What is illegal or late gets no OK: the referee says what is wrong with it.
      if (const auto turn = game.session.read_turn(heard->text); turn && Clock::now() <= deadline) {
        report(their_colour, game.session.notation().turn_text(game.session.board(), *turn));
        peer_.say(keyword(Kind::ok));
      }
      return play::Choice{std::move(heard->text), {}, 0};
    }
  }

  /// The last turn played as the protocol writes it.
  [[nodiscard]] static std::string last_move(const Game& game, std::span<const std::string> turns) {
    const auto session = game.start();
    for (const std::string& turn : turns.first(turns.size() - 1)) static_cast<void>(session->try_play(turn));
    return play::class_move(*session->read_turn(turns.back()), game.notation().coordinates());
  }

  /// What it said instead of a move.
  [[nodiscard]] const std::optional<Kind>& claim() const { return claim_; }

 private:
  void report(Player player, std::string_view turn) const {
    if (us_.on_turn) us_.on_turn(player, turn);
  }

  [[nodiscard]] Failed trouble(Trouble trouble, bool limited) const {
    std::string message(words_for(trouble));
    if (!peer_.unfinished().empty()) message += fmt::format(" after {}", in_quotes(peer_.unfinished()));
    if (trouble == Trouble::timeout && !us_.full_chains) message += std::string(full_chains_hint);
    return {failure_of(trouble, limited), std::move(message)};
  }

  [[nodiscard]] Failed no_move(const ClassMessage& message) {
    if (message.kind == Kind::unknown) {
      return {Failure::protocol, fmt::format("it said {} instead of a move", in_quotes(message.text))};
    }
    claim_ = message.kind;
    return {Failure::protocol, fmt::format("it said {} instead of a move", keyword(message.kind))};
  }

  ClassPeer& peer_;
  ClassRole role_;
  ClassPatience patience_;
  const ClassSide& us_;
  std::optional<Kind> claim_;
};

/// The game after all its turns.
std::unique_ptr<Session> replayed(const Game& game, const play::GameRecord& record) {
  auto session = game.start();
  for (const play::RecordedTurn& turn : record.turns) static_cast<void>(session->try_play(turn.text));
  return session;
}

/// A game with its peer, from the first turn to the last word.
class ClassMatch {
 public:
  ClassMatch(ClassPeer& peer, ClassRole role, const ClassGame& game, GamePtr rules, const ClassPatience& patience)
      : peer_(peer),
        role_(role),
        our_colour_(role == ClassRole::client ? game.client : other(game.client)),
        game_(std::move(rules)),
        patience_(patience) {}

  ClassReport play(const ClassGame& game, const ClassSide& us, const std::stop_token& stop) {
    PeerPlayer them(peer_, role_, patience_, us);
    us_ = &us;
    FullChains full(us.game_player);
    play::GamePlayer& we = us.full_chains ? static_cast<play::GamePlayer&>(full) : us.game_player;
    SearchLimits their_limits;
    if (game.time_ms > 0) their_limits.move_time = Milliseconds(game.time_ms);
    const play::Side ours{we, us.limits};
    const play::Side theirs{them, their_limits};
    play::GamePlan plan;
    plan.game = game_;
    plan.margin = patience_.margin;
    if (game_->start()->outcome().over()) {
      not_to_be_played();
    } else {
      const bool we_begin = our_colour_ == Player::first;
      report_.game = play::play_game(plan, {we_begin ? ours : theirs, we_begin ? theirs : ours}, stop);
    }
    if (them.claim()) believe(*them.claim());
    report_the_end(stop);
    finish_report();
    return std::move(report_);
  }

 private:
  play::GameResult& result() { return report_.game.record.result; }
  [[nodiscard]] static Verdict won_by(Player player) {
    return player == Player::first ? Verdict::first_wins : Verdict::second_wins;
  }
  [[nodiscard]] bool failed(Player player) const {
    return report_.game.failure && report_.game.record.result.verdict == won_by(other(player));
  }

  /// A board of one point is empty: the game is over before it begins.
  void not_to_be_played() {
    const Outcome outcome = game_->start()->outcome();
    report_.game.record.spec = game_->notation().spec();
    result() = {outcome.verdict, std::string(name(outcome.reason)), ""};
  }

  /// The peer ended the game by a word instead of a move: a server's word counts, and so does giving up.
  void believe(Kind claim) {
    const std::string said =
        fmt::format("the {} said {}", role_ == ClassRole::client ? "server" : "client", keyword(claim));
    if (claim == Kind::winner) {
      result() = {won_by(our_colour_), std::string(play::resigned_reason), said};
      report_.game.failure.reset();
      claimed_ = claim;
      return;
    }
    if (role_ == ClassRole::server) return;
    const auto lost_by = [&](std::string_view reason) {
      result() = {won_by(other(our_colour_)), std::string(reason), said};
      report_.game.failure.reset();
      claimed_ = claim;
    };
    if (claim == Kind::illegal) lost_by(play::name(Failure::illegal));
    if (claim == Kind::time) lost_by(play::name(Failure::time));
    if (claim == Kind::loser) lost_by(play::resigned_reason);
    if (claim != Kind::tie) return;
    result() = {Verdict::draw, std::string(play::agreed_reason), said};
    report_.game.failure.reset();
    claimed_ = claim;
  }

  /// The word for the peer.
  [[nodiscard]] Kind word_for_them() {
    if (result().verdict == Verdict::draw) return Kind::tie;
    return result().verdict == won_by(our_colour_) ? Kind::loser : Kind::winner;
  }

  void report_the_end(const std::stop_token& stop) {
    if (report_.game.stopped || claimed_) {
      peer_.hang_up();
      return;
    }
    const auto& failure = report_.game.failure;
    const bool theirs = failed(other(our_colour_));
    if (!failure) say_last_turn(stop);
    if (theirs && (failure == Failure::illegal || failure == Failure::protocol)) peer_.say(keyword(Kind::illegal));
    if (theirs && (failure == Failure::time || failure == Failure::stall)) peer_.say(keyword(Kind::time));
    if (failure || role_ == ClassRole::server) {
      peer_.say(keyword(word_for_them()));
    } else {
      receive_end(stop);
    }
    peer_.hang_up();
  }

  /// The last turn of the game, if it was ours, has not been sent.
  void say_last_turn(const std::stop_token& stop) {
    std::vector<std::string> turns;
    for (const play::RecordedTurn& turn : report_.game.record.turns) turns.push_back(turn.text);
    if (turns.empty() || (turns.size() % 2 == 1) != (our_colour_ == Player::first)) return;
    if (us_->on_turn) us_->on_turn(our_colour_, turns.back());
    peer_.say(PeerPlayer::last_move(*game_, turns));
    auto heard = peer_.receive(Clock::now() + time_to_answer, stop);
    if (heard && heard->kind != Kind::ok) peer_.put_back(std::move(*heard));
  }

  /// Client: the server's word on a game that has ended by its rules.
  void receive_end(const std::stop_token& stop) {
    const auto deadline = Clock::now() + time_to_answer;
    for (;;) {
      const auto heard = peer_.receive(deadline, stop);
      if (!heard) {
        remark_ = fmt::format("the server did not report the result: {}", words_for(heard.error()));
        return;
      }
      if (heard->kind == Kind::ok) continue;
      const bool draw = result().verdict == Verdict::draw;
      const Kind right = draw ? Kind::tie : result().verdict == won_by(our_colour_) ? Kind::winner : Kind::loser;
      if (heard->kind == right) return;
      const std::string said = heard->kind == Kind::unknown || heard->kind == Kind::move
                                   ? in_quotes(heard->text)
                                   : std::string(keyword(heard->kind));
      remark_ = fmt::format("but the server says {}", said);
      report_.broke_off = true;
      return;
    }
  }

  void finish_report() {
    const auto& failure = report_.game.failure;
    const bool theirs = failed(other(our_colour_));
    if (report_.game.stopped) report_.broke_off = true;
    if (failure && !(theirs && (failure == Failure::illegal || failure == Failure::time))) report_.broke_off = true;
    if (report_.game.stopped) {
      report_.sentence = "stopped before its end";
      return;
    }
    const auto session = replayed(*game_, report_.game.record);
    if (const Outcome outcome = session->outcome(); outcome.over()) {
      report_.sentence = ending_sentence(game_->notation(), session->board(), outcome);
    } else {
      report_.sentence = sentence_of_failure();
    }
    if (!result().remark.empty()) report_.sentence += fmt::format(" ({})", result().remark);
    if (!remark_.empty()) report_.sentence += fmt::format(" ({})", remark_);
  }

  /// play::result_phrase speaks of programs and the engine protocol; here are peers.
  [[nodiscard]] std::string sentence_of_failure() {
    const auto& failure = report_.game.failure;
    if (!failure) return play::result_phrase(game_->notation(), result()).english();
    const Player loser = result().verdict == Verdict::first_wins ? Player::second : Player::first;
    const std::string_view who = loser == our_colour_         ? "our player"
                                 : role_ == ClassRole::server ? "the client"
                                                              : "the server";
    return fmt::format("{} ({}) loses: {}.", who, game_->notation().player_name(loser),
                       play::failure_phrase(*failure).english());
  }

  ClassPeer& peer_;
  ClassRole role_;
  Player our_colour_;
  GamePtr game_;
  ClassPatience patience_;
  const ClassSide* us_ = nullptr;  // while the game is played
  ClassReport report_;
  std::optional<Kind> claimed_;  // the word by which the peer ended the game
  std::string remark_;
};

/// Waits for one of the messages of a greeting; what makes no sense is passed over.
Result<ClassMessage> wait_for(ClassPeer& peer, std::initializer_list<Kind> wanted, Clock::time_point deadline,
                              const std::stop_token& stop) {
  std::string last;
  for (int nonsense = 0; nonsense < max_nonsense;) {
    auto heard = peer.receive(deadline, stop);
    if (!heard) {
      const std::string_view rest = last.empty() ? peer.unfinished() : std::string_view(last);
      return fail("waiting for {}: {}{}", keyword(*wanted.begin()), words_for(heard.error()),
                  rest.empty() ? "" : fmt::format(" after {}", in_quotes(rest)));
    }
    if (std::find(wanted.begin(), wanted.end(), heard->kind) != wanted.end()) return std::move(*heard);
    last = heard->kind == Kind::info ? info_text(heard->game) : heard->text;
    ++nonsense;
  }
  return fail("waiting for {}: it only says such things as {}", keyword(*wanted.begin()), in_quotes(last));
}

}  // namespace

Result<GamePtr> open_class_game(const ClassGame& game) {
  return open_game_with(&GameModule::class_protocol, game.cols, game.rows);
}

Result<void> greet(ClassPeer& peer, const ClassGame& game, const ClassPatience& patience, const std::stop_token& stop) {
  const auto deadline = Clock::now() + patience.to_start;
  peer.say(keyword(Kind::welcome));
  peer.say(info_text(game));
  const auto ready = wait_for(peer, {Kind::ready}, deadline, stop);
  if (!ready) return tl::unexpected(ready.error());
  peer.say(keyword(Kind::begin));
  return {};
}

Result<ClassGame> be_greeted(ClassPeer& peer, const ClassPatience& patience, const std::stop_token& stop) {
  const auto deadline = Clock::now() + patience.to_start;
  // A server that forgets its WELCOME is still one.
  const auto info = wait_for(peer, {Kind::info}, deadline, stop);
  if (!info) return tl::unexpected(info.error());
  if (const auto game = open_class_game(info->game); !game) {
    return fail("the server said {}: {}", info_text(info->game), game.error().message);
  }
  peer.say(keyword(Kind::ready));
  auto begun = wait_for(peer, {Kind::begin, Kind::move}, deadline, stop);
  if (!begun) return tl::unexpected(begun.error());
  if (begun->kind == Kind::move) peer.put_back(std::move(*begun));
  return info->game;
}

ClassReport play_class_game(ClassPeer& peer, ClassRole role, const ClassGame& game, const GamePtr& rules,
                            const ClassSide& us, const ClassPatience& patience, const std::stop_token& stop) {
  ClassSide side = us;
  if (game.time_ms > 0) {
    // Some of the time is the network's.
    const Milliseconds limit(game.time_ms);
    const Milliseconds ours = limit - std::min(limit / 5, Milliseconds(250));
    side.limits.move_time = std::min(side.limits.move_time.value_or(ours), ours);
  }
  return ClassMatch(peer, role, game, rules, patience).play(game, side, stop);
}

}  // namespace paika::protocols
