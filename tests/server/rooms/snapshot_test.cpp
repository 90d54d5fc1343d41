// Snapshots: a room that is read from one and the events after it is the same room, and goes on as that would.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "server/rooms/room_snapshot.hpp"
#include "tests/server/rooms/room_fixture.hpp"

namespace paika::server {
namespace {

using namespace paika_tests;
using paika::Random;

/// The room from a snapshot of its first `covered` events, made in steps of `step`, and the events after it.
std::unique_ptr<Room> from_snapshot(const Room& room, std::size_t covered, std::size_t step) {
  const auto all = room.events_after(0);
  std::string text;
  for (std::size_t done = 0; done < covered; done += step) {
    text = must(extended_snapshot(text, all.subspan(done, std::min(step, covered - done))), "snapshot");
  }
  auto events = must(snapshot_events(text), "events");
  EXPECT_EQ(events.size(), covered);
  events.insert(events.end(), all.begin() + static_cast<std::ptrdiff_t>(covered), all.end());
  return must(Room::restore(room.id(), events, persons_of(room)), "restore");
}

/// Plays, chats and takes back at random.
void live_on(RoomFixture& fixture, Random& random, int commands) {
  for (int i = 0; i < commands && fixture.room->state() == RoomState::running; ++i) {
    fixture.now += std::chrono::milliseconds(random.below(2000));
    const auto mover = fixture.room->session_copy()->board().to_move;
    const Identity& who = mover == Player::first ? anna : ben;
    const Identity& other = mover == Player::first ? ben : anna;
    switch (random.below(10)) {
      case 0: static_cast<void>(fixture.say(random.one_in(2) ? who : eve, "hm")); break;
      case 1:
        static_cast<void>(fixture.offer(other, OfferKind::takeback));
        static_cast<void>(fixture.agree(who, OfferKind::takeback));
        break;
      case 2: static_cast<void>(fixture.offer(who, OfferKind::draw)); break;
      default: static_cast<void>(fixture.play(who, fixture.any_turn())); break;
    }
  }
}

TEST(RoomSnapshot, the_room_is_the_same) {
  Random random(7);
  for (const char* spec : {"fanorona:5x5", "abalone", "othello:6x6", "wildebeest"}) {
    RoomPlan plan = plan_of(spec);
    if (random.one_in(2)) plan.clock = GameClock{3600s, 500ms};
    RoomFixture fixture = begun(plan);
    for (int part = 0; part < 6; ++part) {
      live_on(fixture, random, 12);
      const std::size_t count = fixture.room->last_number();
      for (const std::size_t covered : {count, count - 1, count / 2}) {
        const auto again = from_snapshot(*fixture.room, covered, 5);
        // The last move's text may have been made brief, if it was the last only because later ones were taken back.
        Json before = fixture.room->snapshot(fixture.now);
        Json after = again->snapshot(fixture.now);
        if (!before["last_move"].is_null()) before["last_move"].erase("left");
        if (!after["last_move"].is_null()) after["last_move"].erase("left");
        ASSERT_EQ(before.dump(), after.dump()) << spec << " " << covered;
        ASSERT_EQ(fixture.room->next_deadline(), again->next_deadline());
        ASSERT_EQ(again->last_number(), count);
      }
    }
    if (fixture.room->state() == RoomState::running) static_cast<void>(fixture.resign(anna));
    const auto ended = from_snapshot(*fixture.room, fixture.room->last_number(), 128);
    EXPECT_EQ(ended->snapshot(fixture.now)["result"], fixture.snapshot()["result"]);
    EXPECT_EQ(ended->record(fixture.now).turns.size(), fixture.room->record(fixture.now).turns.size());
  }
}

TEST(RoomSnapshot, repetitions_takebacks_and_repeated_commands_work_across_it) {
  RoomFixture fixture = begun("fanorona:5x5");
  std::vector<std::string> ids;
  for (int i = 0; i < 6; ++i) {
    const Identity& who = i % 2 == 0 ? anna : ben;
    ASSERT_EQ(word_of(fixture.apply(who, command::Play{fixture.any_turn(), "n" + std::to_string(i), {}})), "done");
  }
  const auto again = from_snapshot(*fixture.room, fixture.room->last_number(), 3);
  EXPECT_EQ(word_of(again->apply(anna, command::Play{"whatever", "n2", {}}, fixture.now)), "again");
  ASSERT_TRUE(again->apply(ben, command::Offer{OfferKind::takeback}, fixture.now).answer);
  ASSERT_TRUE(again->apply(anna, command::Agree{OfferKind::takeback}, fixture.now).answer);
  EXPECT_EQ(again->turns_played(), 5);
  // The move that is the last one now was brief: it is told from the game itself.
  const Json last = again->snapshot(fixture.now)["last_move"];
  const Json told = json_of(fixture.room->events_after(0)[again->events_after(0).size() - 4]);
  for (const char* field : {"number", "at_us", "event", "move", "seat", "id", "text", "steps", "effects", "to_move"}) {
    EXPECT_EQ(last[field], told[field]) << field;
  }
}

TEST(RoomSnapshot, holds_what_is_shown_whole_and_the_rest_brief) {
  RoomFixture fixture = begun("othello");
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(fixture.play(i % 2 == 0 ? anna : ben, fixture.any_turn()), "done");
    fixture.now += 3s;
    ASSERT_EQ(fixture.say(anna, "move " + std::to_string(i)), "done");
  }
  const auto all = fixture.room->events_after(0);
  const std::string text = must(extended_snapshot("", all), "snapshot");
  std::size_t whole = 0;
  for (const Event& event : all) whole += event.text->size();
  EXPECT_LT(text.size() * 2, whole);
  const auto events = must(snapshot_events(text), "events");
  EXPECT_EQ(std::count_if(events.begin(), events.end(), [](const Event& e) { return e.brief; }), 20);
  // Those that were brief have no text any more: it is in the store.
  const auto again = from_snapshot(*fixture.room, all.size(), 128);
  EXPECT_EQ(again->events_after(3).front().text, nullptr);
  EXPECT_EQ(*again->events_after(0).front().text, *all.front().text);
}

TEST(RoomSnapshot, that_makes_no_sense_is_refused) {
  for (const char* text : {"x", "w 1 {}", "q 1 {}\n", "w x {}\n", "w 1\n", "\n", "w 1 {}\n\n"}) {
    EXPECT_FALSE(snapshot_events(text)) << text;
  }
  RoomFixture fixture = begun("othello:6x6");
  const auto all = fixture.room->events_after(0);
  EXPECT_FALSE(extended_snapshot("", all.subspan(1))) << "a gap";
  EXPECT_FALSE(extended_snapshot("x", all));
}

}  // namespace
}  // namespace paika::server
