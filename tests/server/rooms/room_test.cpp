// A room: opening, joining, playing whole games, the engine's seat, ends, records.
#include "server/rooms/room.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "base/random.hpp"
#include "play/record.hpp"
#include "rules/search_traits.hpp"
#include "tests/server/rooms/room_fixture.hpp"

namespace paika::server {
namespace {

using namespace paika_tests;

std::string plan_error(const RoomPlan& plan, const Identity& opener = anna) {
  const auto opened = Room::open("room1", plan, opener, 1s, 1);
  return opened ? "" : opened.error().message;
}

// ---- Opening and joining ----

TEST(Room, begins_when_the_second_player_comes) {
  RoomFixture fixture(plan_of("othello"));
  EXPECT_EQ(fixture.room->state(), RoomState::open);
  EXPECT_EQ(fixture.kinds(), "created");
  EXPECT_EQ(fixture.play(anna, "d3"), "not_begun");
  EXPECT_EQ(fixture.resign(anna), "not_begun");
  EXPECT_EQ(fixture.offer(anna, OfferKind::draw), "not_begun");
  EXPECT_EQ(fixture.join(anna), "taken") << "nobody plays both sides";
  const Applied joined = fixture.apply(ben, command::Join{});
  EXPECT_EQ(kinds_of(joined.events), "joined begun");
  EXPECT_EQ(joined.answer->number, 2U);
  EXPECT_EQ(fixture.room->state(), RoomState::running);
  EXPECT_EQ(fixture.join(ben), "again");
  EXPECT_EQ(fixture.join(eve), "taken");
  EXPECT_EQ(fixture.room->seat_of(anna.person), Player::first);
  EXPECT_EQ(fixture.room->seat_of(ben.person), Player::second);
  EXPECT_EQ(fixture.room->seat_of(eve.person), std::nullopt);
  EXPECT_EQ(fixture.room->seat_of(0), std::nullopt);
  EXPECT_EQ(fixture.join(Identity{}), "not_yours");
}

TEST(Room, gives_the_opener_the_side_that_was_asked_for) {
  EXPECT_EQ(RoomFixture(plan_of("othello", Side::second)).room->seat_of(anna.person), Player::second);
  std::set<Player> sides;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RoomFixture fixture(plan_of("othello", Side::random), anna, seed);
    sides.insert(*fixture.room->seat_of(anna.person));
    EXPECT_EQ(fixture.room->seat_of(anna.person),
              RoomFixture(plan_of("othello", Side::random), anna, seed).room->seat_of(anna.person));
  }
  EXPECT_EQ(sides.size(), 2U);
}

TEST(Room, refuses_plans_that_make_no_sense) {
  RoomPlan plan = plan_of("othello");
  plan.start = "rubbish";
  EXPECT_TRUE(plan_error(plan).starts_with("bad position for othello")) << plan_error(plan);
  plan.start = std::string(64, 'X') + " O";
  EXPECT_FALSE(plan_error(plan).empty()) << "the game is over there";
  plan = plan_of("othello");
  plan.turn_time = 1s;
  plan.clock = GameClock{1min, 0s};
  EXPECT_EQ(plan_error(plan), "give a time per move or a clock for the game, not both");
  plan.clock.reset();
  plan.turn_time = 0ms;
  EXPECT_EQ(plan_error(plan), "the time per move must be 1 to 1209600000 ms, not 0");
  plan.turn_time = 14 * 24h;
  EXPECT_EQ(plan_error(plan), "") << "two weeks for a move";
  plan.turn_time = 14 * 24h + 1ms;
  EXPECT_FALSE(plan_error(plan).empty());
  plan.turn_time.reset();
  plan.clock = GameClock{0ms, 1s};
  EXPECT_EQ(plan_error(plan), "the clock must be 1 to 1209600000 ms, not 0");
  plan.clock = GameClock{1s, -1ms};
  EXPECT_FALSE(plan_error(plan).empty());
  plan = plan_of("othello");
  plan.engine_level = full_level + 1;
  EXPECT_EQ(plan_error(plan), "the engine has levels from 1 to 14, not 15");
  plan.engine_level = 3;
  plan.seated = {anna, ben};
  EXPECT_FALSE(plan_error(plan).empty());
  plan.engine_level.reset();
  plan.seated = {anna, anna};
  EXPECT_EQ(plan_error(plan), "nobody can play against themselves");
  plan.seated = {anna, Identity{}};
  EXPECT_FALSE(plan_error(plan).empty());
  EXPECT_FALSE(plan_error(plan_of("othello"), Identity{}).empty());
}

TEST(Room, seats_both_at_once_for_a_rematch) {
  RoomPlan plan = plan_of("fanorona");
  plan.seated = {ben, guest};
  RoomFixture fixture(plan, guest);
  EXPECT_EQ(fixture.kinds(), "created begun");
  EXPECT_EQ(fixture.room->seat(Player::first), ben);
  EXPECT_EQ(fixture.room->seat(Player::second), guest);
  EXPECT_EQ(fixture.join(eve), "taken");
}

TEST(Room, counts_for_ratings_only_between_members_at_the_games_own_start) {
  RoomPlan plan = plan_of("othello");
  plan.rated = true;
  EXPECT_TRUE(begun(plan).room->is_rated());
  RoomFixture with_guest(plan);
  EXPECT_TRUE(with_guest.room->is_rated()) << "it still may be";
  with_guest.join(guest);
  EXPECT_FALSE(with_guest.room->is_rated());
  EXPECT_FALSE(RoomFixture(plan, guest).room->is_rated());
  RoomPlan engine = plan;
  engine.engine_level = 1;
  EXPECT_FALSE(RoomFixture(engine).room->is_rated());
  RoomPlan own = plan;
  own.start = plan.game->notation().position_text(plan.game->notation().initial());
  EXPECT_TRUE(begun(own).room->is_rated()) << "that is the game's own start";
  auto session = plan.game->start();
  ASSERT_TRUE(session->try_play("d3"));
  own.start = session->position_text();
  EXPECT_FALSE(begun(own).room->is_rated());
}

TEST(Room, begins_at_a_position_that_was_given) {
  RoomPlan plan = plan_of("othello");
  auto session = plan.game->start();
  ASSERT_TRUE(session->try_play("d3"));
  plan.start = session->position_text();
  RoomFixture fixture = begun(plan);
  EXPECT_EQ(fixture.snapshot()["to_move"], "second");
  EXPECT_EQ(fixture.snapshot()["start"], plan.start);
  EXPECT_EQ(fixture.play(anna, "c4"), "not_yours");
  EXPECT_EQ(fixture.play(ben, "c3"), "done");
  EXPECT_EQ(fixture.room->session_copy()->turns_played(), 1);
}

// ---- Playing ----

TEST(Room, tells_everything_about_a_turn) {
  RoomPlan plan = plan_of("othello");
  plan.clock = GameClock{60s, 2s};
  RoomFixture fixture = begun(plan);
  fixture.now += 1500ms;
  const Applied applied = fixture.apply(anna, command::Play{"D3", "mine", 1});
  ASSERT_EQ(kinds_of(applied.events), "move");
  const Json turn = json_of(applied.events[0]);
  EXPECT_EQ(turn["move"], 1);
  EXPECT_EQ(turn["seat"], "first");
  EXPECT_EQ(turn["id"], "mine");
  EXPECT_EQ(turn["text"], "d3");
  EXPECT_EQ(turn["steps"].dump(), R"([{"step":"place","square":"d3"}])");
  ASSERT_EQ(turn["effects"].size(), 2U);
  EXPECT_EQ(turn["effects"][1]["effect"], "flipped");
  EXPECT_EQ(turn["position"], fixture.room->session_copy()->position_text());
  EXPECT_EQ(turn["to_move"], "second");
  EXPECT_EQ(turn["time_us"], 1'500'000);
  EXPECT_EQ(turn["left"].dump(),
            R"({"first":{"move_ms":null,"game_ms":60500},"second":{"move_ms":null,"game_ms":60000}})");
  EXPECT_EQ(turn["over"], false);
  EXPECT_EQ(fixture.snapshot()["last_move"], turn);
}

TEST(Room, plays_a_turn_once_however_often_it_is_sent) {
  RoomFixture fixture = begun("othello");
  const auto first = fixture.apply(anna, command::Play{"d3", "a", std::nullopt});
  const auto again = fixture.apply(anna, command::Play{"d3", "a", std::nullopt});
  EXPECT_EQ(word_of(again), "again");
  EXPECT_TRUE(again.events.empty());
  EXPECT_EQ(again.answer->number, first.answer->number);
  EXPECT_EQ(word_of(fixture.apply(ben, command::Play{"c3", "a", std::nullopt})), "done") << "another player's id";
  EXPECT_EQ(word_of(fixture.apply(anna, command::Play{"rubbish", "a", 7})), "again") << "only the id counts";
  EXPECT_EQ(fixture.room->turns_played(), 2);
  EXPECT_EQ(word_of(fixture.apply(anna, command::Play{"a1", "b", std::nullopt})), "illegal");
  EXPECT_EQ(word_of(fixture.apply(anna, command::Play{"c4", "b", std::nullopt})), "done") << "a refusal uses no id";
  EXPECT_EQ(fixture.resign(ben), "done");
  EXPECT_EQ(word_of(fixture.apply(anna, command::Play{"d3", "a", std::nullopt})), "again") << "also after the end";
  EXPECT_EQ(word_of(fixture.apply(anna, command::Play{"d3", "new", std::nullopt})), "over");
  EXPECT_EQ(word_of(fixture.apply(eve, command::Play{"d3", "a", std::nullopt})), "not_yours");
}

TEST(Room, plays_only_the_turn_that_was_meant) {
  RoomFixture fixture = begun("othello");
  EXPECT_EQ(fixture.play(anna, "d3", 2), "stale");
  EXPECT_EQ(fixture.play(anna, "d3", 0), "stale");
  EXPECT_EQ(fixture.play(anna, "d3", 1), "done");
  const Applied stale = fixture.apply(anna, command::Play{"d3", "x", 1});
  EXPECT_EQ(word_of(stale), "stale");
  EXPECT_EQ(stale.answer.error().details.dump(), R"({"move":2})");
  EXPECT_EQ(fixture.play(ben, "c3", 2), "done");
}

TEST(Room, refuses_turns_with_the_clause_that_forbids_them) {
  RoomFixture fixture = begun("fanorona");
  const Applied illegal = fixture.apply(anna, command::Play{"a1a2", "x", std::nullopt});
  ASSERT_EQ(word_of(illegal), "illegal");
  const Json& details = illegal.answer.error().details;
  EXPECT_TRUE(details["clause"].is_string());
  EXPECT_EQ(details["rules"], "docs/rules/fanorona.md");
  EXPECT_TRUE(details["squares"].is_array());
  EXPECT_FALSE(details.contains("message"));
  EXPECT_TRUE(illegal.events.empty());
  EXPECT_EQ(fixture.play(ben, "e2e3"), "not_yours");
  EXPECT_EQ(fixture.play(eve, "e2e3"), "not_yours");
}

TEST(Room, refuses_a_chain_that_is_illegal_in_its_second_step_and_plays_nothing_of_it) {
  RoomFixture fixture = begun("fanorona");
  const std::string before = fixture.snapshot()["position"];
  const auto session = fixture.room->session_copy();
  std::string text;
  session->for_each_turn([&](const ListedTurn& turn) {
    text = turn.text;
    return false;
  });
  EXPECT_EQ(fixture.play(anna, text + text), "illegal");
  EXPECT_EQ(fixture.snapshot()["position"], before);
  EXPECT_EQ(fixture.room->turns_played(), 0);
  EXPECT_EQ(fixture.play(anna, text), "done");
}

TEST(Room, refuses_rubbish_as_bad_or_illegal_and_does_nothing) {
  RoomFixture fixture = begun("othello");
  const auto word = [&](const std::string& text, const std::string& id) {
    const Applied applied = fixture.apply(anna, command::Play{text, id, std::nullopt});
    EXPECT_TRUE(applied.events.empty());
    EXPECT_LT(applied.answer.error().message.size(), 1000U);
    EXPECT_NO_THROW((void)applied.answer.error().details.dump());
    EXPECT_NO_THROW((void)Json(applied.answer.error().message).dump());
    return word_of(applied);
  };
  EXPECT_EQ(word("", "x"), "bad_request");
  EXPECT_EQ(word("d3", ""), "bad_request");
  EXPECT_EQ(word("d3", std::string(max_turn_id + 1, 'x')), "bad_request");
  EXPECT_EQ(word("d3", "tab\t"), "bad_request");
  EXPECT_EQ(word("d3", "\xc3\xa4"), "bad_request");
  EXPECT_EQ(word(std::string(max_turn_text + 1, 'd'), "x"), "bad_request");
  EXPECT_EQ(word(std::string(max_turn_text, 'd'), "x"), "illegal");
  EXPECT_EQ(word(std::string("d3\0", 3), "x"), "illegal");
  EXPECT_EQ(word("\xff\xfe", "x"), "illegal");
  EXPECT_EQ(word_of(fixture.apply(anna, command::Play{"d3", std::string(max_turn_id, 'x'), std::nullopt})), "done");
}

TEST(Room, plays_whole_games_of_every_game) {
  for (const char* spec : {"fanorona:5x5", "abalone", "othello:6x6", "wildebeest"}) {
    SCOPED_TRACE(spec);
    RoomFixture fixture = begun(spec);
    paika::Random random(7);
    int turns = 0;
    while (fixture.room->state() == RoomState::running && turns < 120) {
      std::vector<std::string> legal;
      fixture.room->session_copy()->for_each_turn([&](const ListedTurn& turn) {
        legal.push_back(turn.text);
        return legal.size() < 50;
      });
      fixture.now += 10ms;
      const Identity& mover = fixture.snapshot()["to_move"] == "first" ? anna : ben;
      ASSERT_EQ(fixture.play(mover, legal[random.index(legal.size())], ++turns), "done");
    }
    const Json snapshot = fixture.snapshot();
    EXPECT_EQ(snapshot["moves"].size(), static_cast<std::size_t>(turns));
    if (fixture.room->state() == RoomState::running) continue;
    EXPECT_TRUE(fixture.kinds().ends_with("move ended"));
    const auto outcome = fixture.room->session_copy()->outcome();
    EXPECT_EQ(snapshot["result"]["verdict"], name(outcome.verdict));
    EXPECT_EQ(snapshot["result"]["reason"], name(outcome.reason));
    EXPECT_TRUE(snapshot["result"]["clause"].is_string());
    EXPECT_FALSE(snapshot["result"]["sentence"].get<std::string>().empty());
    EXPECT_EQ(fixture.play(anna, "d3"), "over");
  }
}

TEST(Room, shows_the_position_with_what_its_text_tells_of_the_game) {
  RoomPlan plan = plan_of("wildebeest");
  plan.clock = GameClock{60s, 0s};
  RoomFixture fixture = begun(plan);
  const std::string at_first = fixture.snapshot()["position"];
  EXPECT_TRUE(at_first.find("60000") != std::string::npos) << at_first;
  for (int i = 0; i < 2; ++i) {
    fixture.now += 2500ms;
    ASSERT_EQ(fixture.play(i == 0 ? anna : ben, fixture.any_turn()), "done");
  }
  const std::string after = fixture.last_event()["position"];
  EXPECT_NE(after.find("2500"), std::string::npos) << after;
  fixture.now += 3s;
  EXPECT_EQ(fixture.snapshot()["position"], after) << "it does not run with the clock";
}

// ---- Ends ----

TEST(Room, ends_by_resignation_of_either_at_any_time) {
  RoomFixture fixture = begun("othello");
  EXPECT_EQ(fixture.resign(eve), "not_yours");
  EXPECT_EQ(fixture.resign(ben), "done");
  const Json ended = fixture.last_event();
  EXPECT_EQ(ended["verdict"], "first_wins");
  EXPECT_EQ(ended["reason"], "resigned");
  EXPECT_EQ(ended["sentence"], "White resigns: Black wins.");
  EXPECT_TRUE(ended["clause"].is_null());
  EXPECT_EQ(fixture.room->result().verdict, Verdict::first_wins);
  EXPECT_EQ(fixture.room->state(), RoomState::ended);
  const Applied over = fixture.apply(anna, command::Resign{});
  EXPECT_EQ(word_of(over), "over");
  EXPECT_EQ(over.answer.error().details.dump(), R"({"verdict":"first_wins","reason":"resigned"})");
}

TEST(Room, can_be_aborted_by_the_opener_before_it_begins) {
  RoomFixture fixture(plan_of("othello"));
  EXPECT_EQ(fixture.abort(ben), "not_yours");
  EXPECT_EQ(fixture.abort(anna), "done");
  EXPECT_EQ(fixture.room->state(), RoomState::ended);
  EXPECT_EQ(fixture.last_event()["reason"], "abandoned");
  EXPECT_EQ(fixture.last_event()["verdict"], "ongoing");
  EXPECT_EQ(fixture.join(ben), "over");
  EXPECT_EQ(fixture.abort(anna), "over");
  EXPECT_EQ(fixture.offer(anna, OfferKind::rematch), "not_begun");
  EXPECT_FALSE(fixture.room->has_begun());
}

TEST(Room, can_be_aborted_by_a_player_who_has_not_played) {
  RoomPlan plan = plan_of("othello");
  plan.rated = true;
  RoomFixture fixture = begun(plan);
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  EXPECT_EQ(fixture.abort(anna), "not_yours");
  EXPECT_EQ(fixture.abort(ben), "done");
  EXPECT_EQ(fixture.room->result().reason, play::abandoned_reason);
  EXPECT_FALSE(fixture.room->awaits_rating()) << "a game without a result changes no rating";
}

TEST(Room, tells_ratings_once) {
  RoomPlan plan = plan_of("othello");
  plan.rated = true;
  RoomFixture fixture = begun(plan);
  EXPECT_FALSE(fixture.room->awaits_rating());
  fixture.resign(anna);
  EXPECT_TRUE(fixture.room->awaits_rating());
  const Event told = fixture.room->rated({{{1500, 1480.5}, {1600, 1610.25}}}, fixture.now);
  EXPECT_FALSE(fixture.room->awaits_rating());
  EXPECT_EQ(json_of(told)["seats"].dump(), R"([{"before":1500.0,"after":1480.5},{"before":1600.0,"after":1610.25}])");
  EXPECT_EQ(fixture.snapshot()["seats"][1]["rating"].dump(), R"({"before":1600.0,"after":1610.25})");
  expect_same(*fixture.room, *restored(*fixture.room, fixture.room->last_number()), fixture.now);
}

// ---- The engine's seat ----

TEST(Room, asks_the_engine_for_its_turns_and_plays_them) {
  RoomPlan plan = plan_of("othello", Side::second);
  plan.engine_level = 7;
  RoomFixture fixture(plan);
  EXPECT_EQ(fixture.kinds(), "created begun");
  EXPECT_EQ(fixture.room->seat(Player::first)->name, "Paika, level 7");
  EXPECT_EQ(fixture.room->seat(Player::first)->person, 0);
  EXPECT_EQ(fixture.room->engine_at(Player::first), 7);
  const auto task = fixture.room->engine_task(fixture.now);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->level, 7);
  EXPECT_EQ(task->turns, 0);
  EXPECT_EQ(task->limits.move_time, max_thinking);
  EXPECT_EQ(fixture.engine_plays(*task, "d3"), "move");
  EXPECT_TRUE(fixture.last_event()["id"].is_null());
  EXPECT_FALSE(fixture.room->engine_task(fixture.now)) << "the person is to move";
  EXPECT_EQ(fixture.engine_plays(*task, "c4"), "") << "an old answer";
  EXPECT_EQ(fixture.play(anna, "c3"), "done");
  EXPECT_EQ(fixture.room->engine_task(fixture.now)->turns, 2);
}

TEST(Room, drops_an_answer_to_a_position_that_was_taken_back_meanwhile) {
  RoomPlan plan = plan_of("othello");
  plan.engine_level = 3;
  RoomFixture fixture(plan);
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  const auto old = fixture.room->engine_task(fixture.now);
  ASSERT_EQ(fixture.offer(anna, OfferKind::takeback), "done");
  ASSERT_EQ(fixture.play(anna, "c4"), "done");
  const auto task = fixture.room->engine_task(fixture.now);
  EXPECT_EQ(old->turns, task->turns);
  EXPECT_EQ(fixture.engine_plays(*old, "c3"), "") << "it is legal here too, but was meant for another position";
  EXPECT_EQ(fixture.engine_plays(*task, "c3"), "move");
}

TEST(Room, gives_the_game_up_for_an_engine_that_breaks_the_rules) {
  RoomPlan plan = plan_of("othello", Side::second);
  plan.engine_level = full_level;
  RoomFixture fixture(plan);
  EXPECT_EQ(fixture.engine_plays(*fixture.room->engine_task(fixture.now), "a1"), "ended");
  EXPECT_EQ(fixture.room->result().verdict, Verdict::second_wins);
}

TEST(Room, keeps_time_back_for_the_engines_way) {
  RoomPlan plan = plan_of("othello", Side::second);
  plan.engine_level = full_level;
  plan.turn_time = 1s;
  RoomFixture by_turn(plan);
  EXPECT_EQ(by_turn.room->engine_task(by_turn.now)->limits.move_time, 900ms);
  EXPECT_EQ(by_turn.room->engine_task(by_turn.now + 800ms)->limits.move_time, 150ms);
  EXPECT_EQ(by_turn.room->engine_task(by_turn.now + 1s)->limits.move_time, 1ms);
  EXPECT_FALSE(by_turn.room->engine_task(by_turn.now + 1s + 1us));
  plan.turn_time.reset();
  plan.clock = GameClock{5min, 3s};
  RoomFixture by_clock(plan);
  const auto task = by_clock.room->engine_task(by_clock.now);
  EXPECT_EQ(task->limits.clock->left, 5min - 100ms);
  EXPECT_EQ(task->limits.clock->increment, 3s);
  EXPECT_EQ(task->limits.move_time, max_thinking);
}

// ---- Keeping it ----

TEST(Room, gives_a_record_that_reads_back) {
  RoomPlan plan = plan_of("othello");
  plan.clock = GameClock{60s, 1s};
  RoomFixture fixture = begun(plan);
  fixture.now += 3s;
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  fixture.resign(ben);
  const play::GameRecord record = fixture.room->record(fixture.now);
  EXPECT_EQ(record.players[0], "anna");
  EXPECT_EQ(record.players[1], "ben");
  const auto read = must(play::parse_records(play::record_text(record)), "record");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].turns.at(0).time, 3s);
  EXPECT_EQ(read[0].result.reason, "resigned");
  plan.engine_level = 4;
  EXPECT_EQ(RoomFixture(plan).room->record(2s).players[1], "engine:level=4");
}

TEST(Room, hands_out_the_events_after_a_number) {
  RoomFixture fixture = begun("othello");
  fixture.play(anna, "d3");
  EXPECT_EQ(fixture.room->events_after(0).size(), 4U);
  EXPECT_EQ(fixture.room->events_after(3).size(), 1U);
  EXPECT_EQ(fixture.room->events_after(3).front().number, 4U);
  EXPECT_TRUE(fixture.room->events_after(4).empty());
  EXPECT_TRUE(fixture.room->events_after(UINT64_MAX).empty());
}

}  // namespace
}  // namespace paika::server
