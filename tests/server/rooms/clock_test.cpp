// Clocks of a room: flag and turn are decided in one order, by the time the server gives and by nothing else.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/rooms/room_fixture.hpp"

namespace paika::server {
namespace {

using namespace paika_tests;

RoomPlan with_turn_time(Milliseconds time) {
  RoomPlan plan = plan_of("othello");
  plan.turn_time = time;
  return plan;
}

RoomPlan with_clock(Milliseconds left, Milliseconds increment) {
  RoomPlan plan = plan_of("othello");
  plan.clock = GameClock{left, increment};
  return plan;
}

TEST(RoomClock, one_player_may_have_more_time_than_the_other) {
  RoomPlan plan = plan_of("othello");
  plan.clock = GameClock{Milliseconds(60'000), Milliseconds(0)};
  plan.extra = {Milliseconds(0), Milliseconds(30'000)};
  RoomFixture fixture = begun(plan);
  EXPECT_EQ(fixture.snapshot()["left"]["first"]["game_ms"], 60'000);
  EXPECT_EQ(fixture.snapshot()["left"]["second"]["game_ms"], 90'000);
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  fixture.now += 80s;
  EXPECT_EQ(fixture.play(ben, "c3"), "done") << "a minute would not have been enough";
}

TEST(RoomClock, plays_a_turn_up_to_the_very_limit_and_none_after_it) {
  for (const RoomPlan& plan : {with_turn_time(2s), with_clock(2s, 0s)}) {
    for (const ServerTime off : {-1us, 0us, 1us}) {
      RoomFixture fixture = begun(plan);
      fixture.now += 2s + off;
      const Applied applied = fixture.apply(anna, command::Play{"d3", "x", std::nullopt});
      if (off <= 0us) {
        EXPECT_EQ(word_of(applied), "done");
        EXPECT_EQ(kinds_of(applied.events), "move");
        continue;
      }
      EXPECT_EQ(word_of(applied), "late");
      EXPECT_EQ(applied.answer.error().details.dump(), R"({"verdict":"second_wins","reason":"time"})");
      EXPECT_EQ(kinds_of(applied.events), "ended");
      EXPECT_EQ(fixture.room->turns_played(), 0);
      EXPECT_EQ(fixture.room->result().verdict, Verdict::second_wins);
      EXPECT_EQ(fixture.play(anna, "d3"), "late") << "the player is told the same as often as he tries";
    }
  }
}

TEST(RoomClock, waits_for_the_first_move_of_each_and_then_no_more) {
  RoomPlan plan = with_clock(60s, 0s);
  plan.grace = 20s;
  RoomFixture fixture = begun(plan);
  const ServerTime began = fixture.now;
  EXPECT_EQ(fixture.last_event()["clock_from_us"], (began + 20s).count());
  EXPECT_EQ(fixture.snapshot()["clock"]["grace_ms"], 20000);
  EXPECT_EQ(fixture.room->next_deadline(), began + 80s + 1us);
  fixture.now += 15s;
  EXPECT_EQ(fixture.snapshot()["left"]["first"]["game_ms"], 60000);
  EXPECT_EQ(fixture.play(anna, "d3"), "done") << "within the grace: no time was used";
  EXPECT_EQ(fixture.last_event()["left"]["first"]["game_ms"], 60000);
  EXPECT_EQ(fixture.last_event()["time_us"], 0);
  fixture.now += 25s;
  EXPECT_EQ(fixture.play(ben, "c5"), "done") << "five seconds beyond it";
  EXPECT_EQ(fixture.last_event()["left"]["second"]["game_ms"], 55000);
  EXPECT_EQ(fixture.last_event()["clock_from_us"], fixture.now.count()) << "the second move's clock runs at once";
  fixture.now += 10s;
  EXPECT_EQ(fixture.snapshot()["left"]["first"]["game_ms"], 50000);
  EXPECT_EQ(fixture.room->next_deadline(), fixture.now + 50s + 1us);
}

TEST(RoomClock, who_never_comes_loses_on_time_after_the_grace) {
  RoomPlan plan = with_turn_time(2s);
  plan.grace = 2s;
  RoomFixture fixture = begun(plan);
  fixture.now += 4s;
  EXPECT_EQ(fixture.tick(), "");
  fixture.now += 1us;
  EXPECT_EQ(fixture.tick(), "ended");
  EXPECT_EQ(fixture.last_event()["reason"], "time");
}

TEST(RoomClock, ticks_find_the_flag_at_the_deadline_and_not_before) {
  RoomFixture fixture = begun(with_turn_time(2s));
  const ServerTime began = fixture.now;
  ASSERT_EQ(fixture.room->next_deadline(), began + 2s + 1us);
  fixture.now = began + 2s;
  EXPECT_EQ(fixture.tick(), "");
  fixture.now += 1us;
  EXPECT_EQ(fixture.tick(), "ended");
  EXPECT_EQ(fixture.last_event()["reason"], "time");
  EXPECT_EQ(fixture.last_event()["sentence"], "Black ran out of time: White wins.");
  EXPECT_EQ(fixture.last_event()["left"]["first"]["move_ms"], 0);
  EXPECT_EQ(fixture.tick(), "") << "it is told once";
  EXPECT_EQ(fixture.room->next_deadline(), std::nullopt);
}

TEST(RoomClock, whichever_is_called_first_a_late_turn_loses) {
  // The flag is a matter of the time alone, not of whether the timer or the message comes first.
  for (const bool timer_first : {true, false}) {
    RoomFixture fixture = begun(with_turn_time(2s));
    fixture.now += 2s + 1us;
    if (timer_first) fixture.tick();
    EXPECT_EQ(fixture.play(anna, "d3"), "late");
    EXPECT_EQ(fixture.room->result().verdict, Verdict::second_wins);
    EXPECT_EQ(fixture.room->turns_played(), 0);
  }
}

TEST(RoomClock, the_opponents_command_finds_the_flag_too) {
  RoomFixture fixture = begun(with_turn_time(2s));
  fixture.now += 3s;
  const Applied applied = fixture.apply(ben, command::Resign{});
  EXPECT_EQ(word_of(applied), "over") << "who had won already cannot give up";
  EXPECT_EQ(kinds_of(applied.events), "ended");
  EXPECT_EQ(fixture.room->result().verdict, Verdict::second_wins);

  RoomFixture chat = begun(with_turn_time(2s));
  chat.now += 3s;
  EXPECT_EQ(kinds_of(chat.apply(eve, command::Say{"hi", ""}).events), "ended chat");
  RoomFixture abort = begun(with_turn_time(2s));
  abort.now += 3s;
  EXPECT_EQ(abort.abort(anna), "late") << "nobody escapes a flag";
  RoomFixture agree = begun(with_turn_time(2s));
  ASSERT_EQ(agree.offer(anna, OfferKind::draw), "done");
  agree.now += 3s;
  EXPECT_EQ(agree.agree(ben, OfferKind::draw), "no_offer") << "the offer ended with the game";
}

TEST(RoomClock, a_repeated_turn_is_still_repeated_after_the_flag) {
  RoomFixture fixture = begun(with_turn_time(2s));
  ASSERT_EQ(word_of(fixture.apply(anna, command::Play{"d3", "x", std::nullopt})), "done");
  fixture.now += 5s;
  const Applied again = fixture.apply(anna, command::Play{"d3", "x", std::nullopt});
  EXPECT_EQ(word_of(again), "again");
  EXPECT_EQ(kinds_of(again.events), "ended");
  EXPECT_EQ(fixture.room->result().verdict, Verdict::first_wins);
}

TEST(RoomClock, only_the_player_to_move_uses_time) {
  RoomFixture fixture = begun(with_clock(10s, 1s));
  fixture.now += 4s;
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  fixture.now += 9s;
  Json left = fixture.snapshot()["left"];
  EXPECT_EQ(left["first"]["game_ms"], 7000);
  EXPECT_EQ(left["second"]["game_ms"], 1000);
  EXPECT_EQ(fixture.room->next_deadline(), fixture.now + 1s + 1us);
  ASSERT_EQ(fixture.play(ben, "c3"), "done");
  left = fixture.snapshot()["left"];
  EXPECT_EQ(left["second"]["game_ms"], 2000);
  fixture.now += 7s + 1us;
  EXPECT_EQ(fixture.tick(), "ended");
  EXPECT_EQ(fixture.snapshot()["left"]["first"]["game_ms"], 0);
  EXPECT_EQ(fixture.snapshot()["running"], false);
}

TEST(RoomClock, the_engine_gets_no_margin) {
  for (const ServerTime off : {0us, 1us}) {
    RoomPlan plan = with_turn_time(2s);
    plan.engine_level = 5;
    plan.side = Side::second;
    RoomFixture fixture(plan);
    const auto task = fixture.room->engine_task(fixture.now);
    fixture.now += 2s + off;
    EXPECT_EQ(fixture.engine_plays(*task, "d3"), off == 0us ? "move" : "ended");
    EXPECT_EQ(fixture.room->turns_played(), off == 0us ? 1 : 0);
  }
}

TEST(RoomClock, a_room_without_a_clock_never_ends_by_itself) {
  RoomFixture fixture = begun("othello");
  EXPECT_EQ(fixture.room->next_deadline(), std::nullopt);
  fixture.now += 10000h;
  EXPECT_EQ(fixture.tick(), "");
  EXPECT_EQ(fixture.snapshot()["running"], false);
  EXPECT_TRUE(fixture.snapshot()["left"]["first"]["move_ms"].is_null());
  EXPECT_EQ(fixture.play(anna, "d3"), "done");
}

TEST(RoomClock, waiting_for_an_opponent_costs_nothing) {
  RoomFixture fixture(with_turn_time(2s));
  EXPECT_EQ(fixture.room->next_deadline(), std::nullopt);
  fixture.now += 1h;
  EXPECT_EQ(fixture.tick(), "");
  fixture.join(ben);
  EXPECT_EQ(fixture.room->next_deadline(), fixture.now + 2s + 1us);
}

TEST(RoomClock, time_that_goes_back_counts_as_that_of_the_last_event) {
  // After a crash the server's clock may stand a little before the last event that was kept.
  RoomFixture fixture = begun(with_clock(10s, 0s));
  fixture.now += 4s;
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  fixture.now -= 200ms;
  EXPECT_EQ(fixture.snapshot()["left"]["second"]["game_ms"], 10000);
  ASSERT_EQ(fixture.play(ben, "c3"), "done");
  EXPECT_EQ(fixture.last_event()["time_us"], 0);
  EXPECT_EQ(fixture.last_event()["left"]["second"]["game_ms"], 10000);
}

TEST(RoomClock, a_crash_costs_nobody_time) {
  RoomFixture fixture = begun(with_clock(10s, 0s));
  fixture.now += 4s;
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  fixture.now += 3s;
  // The server stops here and comes back an hour later; its own clock stood still meanwhile.
  const auto again = restored(*fixture.room, fixture.room->last_number());
  EXPECT_EQ(again->snapshot(fixture.now)["left"]["second"]["game_ms"], 7000);
  EXPECT_EQ(again->next_deadline(), fixture.now + 7s + 1us);
  EXPECT_EQ(word_of(again->apply(ben, command::Play{"c3", "y", std::nullopt}, fixture.now + 7s)), "done");
}

TEST(RoomClock, takebacks_turn_the_clocks_back) {
  RoomFixture fixture = begun(with_clock(60s, 2s));
  fixture.now += 10s;
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  fixture.now += 20s;
  ASSERT_EQ(fixture.play(ben, "c3"), "done");
  fixture.now += 5s;
  ASSERT_EQ(fixture.offer(ben, OfferKind::takeback), "done");
  ASSERT_EQ(fixture.agree(anna, OfferKind::takeback), "done");
  EXPECT_EQ(fixture.last_event()["moves"], 1);
  EXPECT_EQ(fixture.last_event()["left"]["first"]["game_ms"], 52000);
  EXPECT_EQ(fixture.last_event()["left"]["second"]["game_ms"], 60000);
  fixture.now += 1s;
  EXPECT_EQ(fixture.snapshot()["left"]["second"]["game_ms"], 59000);
}

TEST(RoomClock, who_gives_up_keeps_the_time_he_used) {
  RoomFixture fixture = begun(with_clock(60s, 0s));
  fixture.now += 10s;
  fixture.resign(anna);
  EXPECT_EQ(fixture.last_event()["left"]["first"]["game_ms"], 50000);
  fixture.now += 10s;
  EXPECT_EQ(fixture.snapshot()["left"]["first"]["game_ms"], 50000);
}

}  // namespace
}  // namespace paika::server
