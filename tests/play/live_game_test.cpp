// LiveGame: turns, clocks, taking back, ends, players on their threads, records; no test sleeps for a clock.
#include "play/live_game.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>

#include "tests/play/puppets.hpp"
#include "tests/support/session.hpp"

namespace paika::play {
namespace {

using namespace std::chrono_literals;
using paika_tests::must;
using paika_tests::must_open;
using paika_tests::Puppet;

/// A clock that stands still until it is told to go on.
class Hands {
 public:
  [[nodiscard]] Now now() {
    return [this] { return TimePoint(Microseconds(at_.load())); };
  }
  void pass(Microseconds time) { at_ += time.count(); }

 private:
  std::atomic<std::int64_t> at_ = 1'000'000'000;
};

/// Counts wake-ups, and waits for the next one that has not been waited for.
class Bell {
 public:
  [[nodiscard]] std::function<void()> ring() {
    return [this] {
      {
        const std::scoped_lock lock(mutex_);
        ++rung_;
      }
      changed_.notify_all();
    };
  }
  [[nodiscard]] bool wait() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, 10s, [&] { return rung_ > 0; })) return false;
    --rung_;
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int rung_ = 0;
};

class LiveGameTest : public testing::Test {
 protected:
  std::unique_ptr<LiveGame> begin(std::string_view spec, const std::string& first = "human",
                                  const std::string& second = "human", const std::string& start = "") {
    LivePlan plan;
    plan.game = must_open(spec);
    plan.start = start;
    plan.players = {who(first), who(second)};
    return must(LiveGame::begin(std::move(plan), setup()), spec);
  }
  static PlayerText who(const std::string& text) { return must(read_seat(text, {}, {}), text); }
  LiveSetup setup() {
    LiveSetup setup;
    setup.now = hands.now();
    setup.wake = bell.ring();
    setup.make = [this](const GamePtr& /*game*/, const PlayerText& player) -> Result<std::unique_ptr<GamePlayer>> {
      if (player.text == "engine:hash=1") return fail("there is no such puppet");
      return std::make_unique<Puppet>(player.text, puppet);
    };
    return setup;
  }

  /// Polls at each wake-up until something happens.
  std::vector<LiveEvent> next_events(LiveGame& game) {
    for (;;) {
      auto events = game.poll();
      if (!events.empty()) return events;
      if (!bell.wait()) return {};
    }
  }
  static std::string texts(const LiveGame& game) {
    std::string all;
    for (const RecordedTurn& turn : game.turns()) all += turn.text + " ";
    return all;
  }
  static std::string result(const LiveGame& game) {
    return fmt::format("{} {}", name(game.result().verdict), game.result().reason);
  }

  Hands hands;
  Bell bell;
  Puppet::Choose puppet;  // empty: plays the first turn
};

TEST_F(LiveGameTest, people_play_and_are_refused) {
  const auto game = begin("othello");
  EXPECT_TRUE(game->person_to_move());
  ASSERT_TRUE(game->play("E6"));
  const std::string position = game->session().position_text();
  const auto refused = game->play("a1");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().why, NotPlayed::Why::refused);
  EXPECT_EQ(refused.error().refusal.clause, "2.1");
  EXPECT_EQ(game->session().position_text(), position);
  EXPECT_FALSE(game->play("rubbish"));
  EXPECT_FALSE(game->play(Turn{}));
  EXPECT_FALSE(game->play(Turn{{StepKind::place, {99, 99}}}));
  ASSERT_TRUE(game->play(Turn{{StepKind::place, {5, 3}}}));
  EXPECT_EQ(texts(*game), "e6 f4 ");
  EXPECT_EQ(game->board_before(1), must(game->notation().parse_position(position), position));
}

TEST_F(LiveGameTest, a_game_ends_by_its_rules) {
  const auto game = begin("fanorona:3x3,sacrifice=off");
  while (!game->over()) {
    std::string text;
    game->session().for_each_turn([&](const ListedTurn& turn) {
      text = turn.text;
      return false;
    });
    ASSERT_TRUE(game->play(text)) << text;
  }
  EXPECT_NE(game->result().verdict, Verdict::ongoing);
  EXPECT_EQ(game->result().reason, name(game->session().outcome().reason));
  EXPECT_EQ(game->play("a1a2").error().why, NotPlayed::Why::over);
  EXPECT_FALSE(game->resign(Player::first));
  EXPECT_FALSE(game->reopen());
  EXPECT_EQ(game->undo(1), 1);
  EXPECT_FALSE(game->over());
}

TEST_F(LiveGameTest, a_game_cannot_begin_where_it_is_over) {
  LivePlan plan;
  plan.game = must_open("fanorona:1x1");
  plan.players = {who("human"), who("human")};
  EXPECT_FALSE(LiveGame::begin(std::move(plan), setup()));
}

TEST_F(LiveGameTest, clocks_run_for_the_side_to_move_only) {
  const auto game = begin("othello", "human:clock=60s+2s", "human:time=10s");
  hands.pass(5s);
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(55s));
  EXPECT_EQ(game->time_left(Player::second).turn, Microseconds(10s));
  ASSERT_TRUE(game->play("e6"));
  EXPECT_EQ(game->turns()[0].time, Microseconds(5s));
  hands.pass(9s);
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(57s));
  EXPECT_EQ(game->time_left(Player::second).turn, Microseconds(1s));
  EXPECT_EQ(game->time_left(Player::second).game, std::nullopt);
  ASSERT_TRUE(game->play("f4"));
  EXPECT_EQ(game->time_left(Player::second).turn, Microseconds(10s));
}

TEST_F(LiveGameTest, a_person_who_oversteps_loses_at_once) {
  const auto game = begin("othello", "human:time=10s", "human");
  hands.pass(10s);
  EXPECT_TRUE(game->poll().empty());
  ASSERT_TRUE(game->next_deadline());
  EXPECT_EQ(*game->next_deadline() - hands.now()(), Microseconds(1));
  hands.pass(Microseconds(1));
  const auto events = game->poll();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<GameEnded>(events[0]));
  EXPECT_EQ(result(*game), "second_wins time");
  EXPECT_EQ(game->time_left(Player::first).turn, Microseconds(0));
  EXPECT_TRUE(game->poll().empty());
  EXPECT_FALSE(game->next_deadline());
  ASSERT_TRUE(game->reopen());
  EXPECT_TRUE(game->play("e6"));
}

TEST_F(LiveGameTest, of_a_limit_per_move_and_a_clock_the_first_to_run_out_counts) {
  const auto game = begin("othello", "human:time=3s,clock=5s", "human");
  hands.pass(2s);
  EXPECT_EQ(*game->next_deadline() - hands.now()(), 1s + Microseconds(1)) << "the move's";
  ASSERT_TRUE(game->play("e6"));
  ASSERT_TRUE(game->play("f4"));
  hands.pass(1s);
  ASSERT_TRUE(game->play("e3"));
  ASSERT_TRUE(game->play("d6"));
  EXPECT_EQ(*game->next_deadline() - hands.now()(), 2s + Microseconds(1)) << "the clock's";
  hands.pass(2s + Microseconds(1));
  EXPECT_EQ(game->poll().size(), 1U);
  EXPECT_EQ(result(*game), "second_wins time");

  const auto slow = begin("othello", "human:time=3s,clock=5s", "human");
  hands.pass(3s + Microseconds(1));
  EXPECT_EQ(slow->poll().size(), 1U);
  EXPECT_EQ(result(*slow), "second_wins time");
}

TEST_F(LiveGameTest, a_turn_that_comes_too_late_is_not_played) {
  const auto game = begin("othello", "human:clock=10s", "human");
  hands.pass(11s);
  const auto late = game->play("e6");
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().why, NotPlayed::Why::too_late);
  EXPECT_TRUE(game->turns().empty());
  EXPECT_EQ(result(*game), "second_wins time");
}

TEST_F(LiveGameTest, taking_back_turns_the_clocks_back) {
  const auto game = begin("othello", "human:clock=60s", "human:clock=60s");
  for (const char* turn : {"e6", "f4", "e3", "d6"}) {
    hands.pass(3s);
    ASSERT_TRUE(game->play(turn));
  }
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(54s));
  hands.pass(20s);
  EXPECT_EQ(game->undo(3), 3);
  EXPECT_EQ(texts(*game), "e6 ");
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(57s));
  EXPECT_EQ(game->time_left(Player::second).game, Microseconds(60s));
  EXPECT_EQ(game->undone(), 3U);
  EXPECT_EQ(game->redo(2), 2);
  EXPECT_EQ(game->time_left(Player::second).game, Microseconds(57s));
  EXPECT_EQ(texts(*game), "e6 f4 e3 ");
  ASSERT_TRUE(game->play("f2"));
  EXPECT_EQ(game->undone(), 0U) << "another way was taken";
  EXPECT_EQ(game->undo(100), 4);
  EXPECT_EQ(game->undo(1), 0);
}

TEST_F(LiveGameTest, going_back_and_forth_wins_no_time) {
  const auto game = begin("othello", "human:clock=60s", "human:clock=60s");
  for (const char* turn : {"e6", "f4"}) {
    hands.pass(3s);
    ASSERT_TRUE(game->play(turn));
  }
  hands.pass(20s);
  EXPECT_EQ(game->undo(2), 2);
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(60s));
  hands.pass(5s);
  EXPECT_EQ(game->redo(2), 2);
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(60s - 3s - 5s - 20s)) << "5 s more for the first turn";
  EXPECT_EQ(game->time_left(Player::second).game, Microseconds(57s));
  EXPECT_EQ(game->record().pending, Microseconds(20s));
  // In steps, with a stop between them.
  EXPECT_EQ(game->undo(1), 1);
  hands.pass(4s);
  EXPECT_EQ(game->undo(1), 1);
  EXPECT_EQ(game->redo(1), 1);
  EXPECT_EQ(game->time_left(Player::second).game, Microseconds(56s));
  EXPECT_EQ(game->redo(1), 1);
  EXPECT_EQ(game->time_left(Player::second).game, Microseconds(53s));
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(32s));
}

TEST_F(LiveGameTest, giving_up_and_going_on_wins_no_time) {
  const auto game = begin("othello", "human:clock=60s", "human:clock=60s");
  hands.pass(20s);
  EXPECT_TRUE(game->resign(Player::first));
  hands.pass(100s);
  ASSERT_TRUE(game->reopen());
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(40s));
}

TEST_F(LiveGameTest, wildebeest_tells_its_three_integers) {
  const auto integers = [](const LiveGame& game) {
    return fmt::format("{}", fmt::join(game.notation().in_play(game.board(), game.progress()).counters, " "));
  };
  const auto game = begin("wildebeest", "human:clock=5min", "human");
  EXPECT_EQ(integers(*game), "0 300000 0");
  hands.pass(1500ms);
  EXPECT_EQ(integers(*game), "1500 300000 0");
  ASSERT_TRUE(game->play("f1e2"));
  EXPECT_EQ(integers(*game), "0 60000 1") << "the other side's time; without a clock as in the position";
  hands.pass(250ms);
  ASSERT_TRUE(game->play("f9e8"));
  hands.pass(1ms);
  EXPECT_EQ(integers(*game), "1501 300000 2");
  EXPECT_EQ(game->board().counters, game->start_board().counters) << "the rules do not touch them";
  EXPECT_EQ(game->undo(2), 2);
  EXPECT_EQ(integers(*game), "0 300000 0");
  const std::string start = begin("wildebeest")->session().position_text();
  const auto late =
      begin("wildebeest", "human", "human", start.substr(0, start.size() - 10) + " 700 9000 9223372036854775807");
  hands.pass(5ms);
  ASSERT_TRUE(late->play("f1e2"));
  EXPECT_EQ(integers(*late), "700 9000 9223372036854775807") << "it goes on from a board file's, and never overflows";
}

TEST_F(LiveGameTest, ends_that_people_bring_about) {
  const auto ended = [&](auto&& act) {
    const auto game = begin("othello");
    EXPECT_TRUE(game->play("e6"));
    EXPECT_TRUE(act(*game));
    EXPECT_TRUE(game->over());
    EXPECT_FALSE(act(*game)) << "it is over";
    const auto read = must(parse_records(record_text(game->record())), "record");
    EXPECT_EQ(read.at(0).result, game->result());
    return result(*game);
  };
  EXPECT_EQ(ended([](LiveGame& game) { return game.resign(Player::first); }), "second_wins resigned");
  EXPECT_EQ(ended([](LiveGame& game) { return game.resign(Player::second); }), "first_wins resigned");
  EXPECT_EQ(ended([](LiveGame& game) { return game.agree_draw(); }), "draw agreed");
  EXPECT_EQ(ended([](LiveGame& game) { return game.abandon(); }), "ongoing abandoned");
}

TEST_F(LiveGameTest, a_player_answers_on_its_own_thread) {
  std::atomic<std::thread::id> engine;
  puppet = [&](const GameSoFar& so_far, const Allowance&, const std::stop_token&) {
    engine = std::this_thread::get_id();
    Choice choice = Puppet::first_turn(so_far);
    choice.score = 35;
    choice.depth = 4;
    return tl::expected<Choice, Failed>(choice);
  };
  const auto game = begin("othello", "human", "engine");
  EXPECT_FALSE(game->thinking());
  ASSERT_TRUE(game->play("e6"));
  EXPECT_TRUE(game->thinking());
  EXPECT_EQ(game->play("f4").error().why, NotPlayed::Why::not_yours);
  const auto events = next_events(*game);
  ASSERT_EQ(events.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<TurnPlayed>(events[0]));
  EXPECT_EQ(std::get<TurnPlayed>(events[0]).number, 2);
  EXPECT_NE(engine.load(), std::this_thread::get_id());
  EXPECT_EQ(game->turns()[1].score, 35);
  EXPECT_EQ(game->turns()[1].depth, 4);
  EXPECT_TRUE(game->person_to_move());
}

TEST_F(LiveGameTest, two_players_play_a_whole_game) {
  const auto game = begin("othello:6x6", "engine", "engine");
  std::size_t played = 0;
  bool ended = false;
  while (!game->over()) {
    for (const LiveEvent& event : next_events(*game)) {
      std::holds_alternative<TurnPlayed>(event) ? void(++played) : void(ended = true);
    }
  }
  EXPECT_TRUE(ended);
  EXPECT_EQ(played, game->turns().size());
  EXPECT_EQ(must(parse_records(record_text(game->record())), "record").size(), 1U);
}

/// A player that thinks until it is stopped.
tl::expected<Choice, Failed> endless(const GameSoFar& so_far, const Allowance& /*allowed*/,
                                     const std::stop_token& stop) {
  while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
  return Puppet::first_turn(so_far);
}

TEST_F(LiveGameTest, taking_back_stops_a_player_and_holds_it) {
  puppet = endless;
  const auto game = begin("othello", "human", "engine");
  ASSERT_TRUE(game->play("e6"));
  EXPECT_EQ(game->undo(1), 1);
  EXPECT_FALSE(game->thinking());
  EXPECT_FALSE(game->held());
  ASSERT_TRUE(game->play("d3"));
  EXPECT_EQ(game->undo(1), 1);
  EXPECT_EQ(game->redo(1), 1);
  EXPECT_TRUE(game->held());
  EXPECT_FALSE(game->thinking());
  EXPECT_TRUE(game->poll().empty()) << "what it thought of before is nobody's turn";
  EXPECT_TRUE(game->go_on());
  EXPECT_TRUE(game->thinking());
  EXPECT_FALSE(game->go_on());
  EXPECT_EQ(texts(*game), "d3 ");
}

TEST_F(LiveGameTest, a_held_player_uses_no_time) {
  puppet = endless;
  const auto game = begin("othello", "engine:clock=60s", "human");
  EXPECT_EQ(game->undo(1), 0);
  ASSERT_TRUE(game->abandon());
  ASSERT_TRUE(game->reopen());
  EXPECT_TRUE(game->held());
  hands.pass(100s);
  EXPECT_TRUE(game->poll().empty());
  EXPECT_FALSE(game->next_deadline());
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(60s));
}

TEST_F(LiveGameTest, a_player_has_the_referees_margin) {
  const auto plays_after = [&](Microseconds time) {
    puppet = [&, time](const GameSoFar& so_far, const Allowance&, const std::stop_token&) {
      hands.pass(time);
      return tl::expected<Choice, Failed>(Puppet::first_turn(so_far));
    };
    const auto game = begin("othello", "engine:time=100ms", "human");
    (void)next_events(*game);
    return result(*game);
  };
  EXPECT_EQ(plays_after(110ms), "ongoing none");
  EXPECT_EQ(plays_after(111ms), "second_wins time");
}

TEST_F(LiveGameTest, a_player_that_never_answers_loses_by_the_clock) {
  puppet = endless;
  const auto game = begin("othello", "engine:clock=1s", "human");
  while (!game->next_deadline()) ASSERT_TRUE(bell.wait()) << "it never began";
  hands.pass(1010ms);
  EXPECT_TRUE(game->poll().empty());
  hands.pass(1ms);
  EXPECT_EQ(game->poll().size(), 1U);
  EXPECT_EQ(result(*game), "second_wins time");
}

TEST_F(LiveGameTest, a_player_that_fails_loses) {
  const auto by = [&](const tl::expected<Choice, Failed>& choice) {
    puppet = [choice](const GameSoFar&, const Allowance&, const std::stop_token&) { return choice; };
    const auto game = begin("othello", "human", "engine");
    EXPECT_TRUE(game->play("e6"));
    EXPECT_EQ(next_events(*game).size(), 1U);
    EXPECT_TRUE(game->over());
    return result(*game) + ": " + game->result().remark;
  };
  EXPECT_EQ(by(tl::unexpected(Failed{Failure::crash, "it has ended"})), "first_wins crash: it has ended");
  EXPECT_TRUE(by(Choice{"a1", {}, 0}).starts_with("first_wins illegal: \"a1\": a1 encloses nothing"));
  EXPECT_TRUE(by(Choice{"rubbish", {}, 0}).starts_with("first_wins illegal: "));
}

TEST_F(LiveGameTest, an_exception_of_a_player_is_its_crash) {
  puppet = [](const GameSoFar&, const Allowance&, const std::stop_token&) -> tl::expected<Choice, Failed> {
    throw std::bad_alloc();
  };
  const auto game = begin("othello", "engine", "human");
  (void)next_events(*game);
  EXPECT_EQ(result(*game), "second_wins crash");
}

TEST_F(LiveGameTest, a_player_is_told_its_clock_and_the_game) {
  Allowance told;
  std::vector<std::string> turns;
  puppet = [&](const GameSoFar& so_far, const Allowance& allowed, const std::stop_token&) {
    told = allowed;
    turns.assign(so_far.turns.begin(), so_far.turns.end());
    return tl::expected<Choice, Failed>(Puppet::first_turn(so_far));
  };
  const auto game = begin("othello", "human:clock=60s+1s", "engine:clock=30s+2s");
  hands.pass(4s);
  ASSERT_TRUE(game->play("e6"));
  (void)next_events(*game);
  EXPECT_EQ(turns, std::vector<std::string>{"e6"});
  EXPECT_EQ(told.limits.clock->left, 30s);
  EXPECT_EQ(told.limits.clock->increment, 2s);
  EXPECT_EQ(told.opponent.left, 57s);
}

TEST_F(LiveGameTest, seats_change_in_the_middle_of_the_game) {
  const auto game = begin("othello", "human:clock=60s", "human");
  hands.pass(10s);
  ASSERT_TRUE(game->play("e6"));
  ASSERT_TRUE(game->seat(Player::second, who("engine:depth=1")));
  EXPECT_EQ(next_events(*game).size(), 1U);
  EXPECT_EQ(game->turns().size(), 2U);
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(50s));
  ASSERT_TRUE(game->seat(Player::first, who("human:clock=20s")));
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(20s)) << "the new clock begins now";
  ASSERT_TRUE(game->seat(Player::first, who("human:clock=20s,time=5s")));
  hands.pass(1s);
  EXPECT_EQ(game->time_left(Player::first).game, Microseconds(19s));
  EXPECT_FALSE(game->seat(Player::second, who("engine:hash=1"))) << "nobody can make that one";
  EXPECT_EQ(game->player(Player::second).text, "engine:depth=1");
}

TEST_F(LiveGameTest, a_record_goes_on_with_its_clocks) {
  const auto game = begin("othello", "human:clock=60s+1s", "human:clock=30s", "");
  for (const char* turn : {"e6", "f4", "e3"}) {
    hands.pass(2s);
    ASSERT_TRUE(game->play(turn));
  }
  ASSERT_TRUE(game->seat(Player::second, who("human:clock=90s")));
  hands.pass(7s);
  const auto records = must(parse_records(record_text(game->record())), "record");
  const auto again = must(LiveGame::from_record(records.at(0), setup()), "again");
  EXPECT_EQ(texts(*again), "e6 f4 e3 ");
  EXPECT_EQ(again->session().position_text(), game->session().position_text());
  for (const Player player : {Player::first, Player::second}) {
    EXPECT_EQ(again->time_left(player), game->time_left(player));
  }
  EXPECT_EQ(again->time_left(Player::first).game, Microseconds(58s));
  EXPECT_EQ(again->time_left(Player::second).game, Microseconds(83s)) << "leaving the game fills no clock up";
  EXPECT_EQ(record_text(again->record()), record_text(game->record()));
  EXPECT_EQ(again->undo(2), 2);
  EXPECT_EQ(again->time_left(Player::first).game, Microseconds(59s));
}

TEST_F(LiveGameTest, a_record_of_a_finished_game_stays_finished) {
  const auto game = begin("othello", "human", "engine");
  ASSERT_TRUE(game->resign(Player::first));
  const auto again = must(LiveGame::from_record(game->record(), setup()), "again");
  EXPECT_EQ(result(*again), "second_wins resigned");
  EXPECT_FALSE(again->is_person(Player::second));
  EXPECT_TRUE(again->poll().empty());
}

TEST_F(LiveGameTest, a_game_from_a_position) {
  const std::string start = "(b bbb- b--w b--w -www)";
  const auto game = begin("abalone", "human", "human", start);
  ASSERT_TRUE(game->play("a1b2"));
  EXPECT_EQ(game->record().start, start);
  const auto again = must(LiveGame::from_record(game->record(), setup()), "again");
  EXPECT_EQ(again->start_board(), game->start_board());
  EXPECT_EQ(again->session().position_text(), game->session().position_text());
}

TEST_F(LiveGameTest, destroying_a_game_stops_who_thinks) {
  puppet = endless;
  begin("othello", "engine", "human").reset();  // else this would not return
}

TEST_F(LiveGameTest, a_program_that_ends_while_a_person_thinks_is_noticed) {
  LiveSetup around = setup();
  around.make = default_players();
  LivePlan plan;
  plan.game = must_open("othello");
  plan.players = {must(read_seat("bot:read a; echo ugiok; read a; read a; read a; echo readyok; read a; read a; echo "
                                 "bestmove e6; exit",
                                 {}, {}),
                       "bot"),
                  who("human")};
  const auto game = must(LiveGame::begin(std::move(plan), around), "game");
  EXPECT_TRUE(std::holds_alternative<TurnPlayed>(next_events(*game).at(0)));
  EXPECT_TRUE(game->person_to_move());
  EXPECT_TRUE(std::holds_alternative<GameEnded>(next_events(*game).at(0)));
  EXPECT_EQ(result(*game), "second_wins crash");
}

TEST(LiveGameProgram, a_program_that_hangs_at_its_start_holds_nobody_up) {
  LivePlan plan;
  plan.game = must_open("othello");
  plan.players = {must(read_seat("bot:sleep 10000", {}, {}), "bot"), must(read_seat("human", {}, {}), "human")};
  must(LiveGame::begin(std::move(plan), {}), "game").reset();  // else this would not return
}

}  // namespace
}  // namespace paika::play
