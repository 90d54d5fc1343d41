// Lobby: who plays whom, how long one waits for whom, and that nobody waits who has gone.
#include "server/lobby.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/hub_fixture.hpp"

namespace paika::server {
namespace {

using namespace std::chrono_literals;

Seek seek_of(PersonId person, std::optional<double> rating, std::string_view spec = "othello", ServerTime since = 0s) {
  Seek seek;
  seek.who = {person, "p" + std::to_string(person), rating.has_value()};
  seek.client = {"address", person};
  seek.plan.game = *open_game(spec);
  seek.plan.clock = GameClock{Milliseconds(180'000), Milliseconds(2000)};
  seek.rating = rating;
  seek.since = since;
  return seek;
}

std::string pair_of(SeekQueue& queue, ServerTime now) {
  const auto pair = queue.next_pair(now);
  return pair ? pair->first.who.name + " " + pair->second.who.name : "";
}

TEST(SeekQueue, pairs_those_who_want_the_same) {
  SeekQueue queue;
  queue.add(seek_of(1, {}, "othello"));
  queue.add(seek_of(2, {}, "othello:6x6"));
  Seek slow = seek_of(3, {}, "othello");
  slow.plan.clock->increment = Milliseconds(0);
  queue.add(slow);
  Seek rated = seek_of(4, 1500, "othello");
  rated.plan.rated = true;
  queue.add(rated);
  EXPECT_EQ(pair_of(queue, 100s), "");
  queue.add(seek_of(5, {}, "othello:8x8"));
  EXPECT_EQ(pair_of(queue, 100s), "p1 p5") << "the spec may be written in more than one way";
  EXPECT_EQ(queue.all().size(), 3U);
}

TEST(SeekQueue, prefers_near_ratings_and_takes_anybody_in_the_end) {
  SeekQueue queue;
  queue.add(seek_of(1, 1500));
  queue.add(seek_of(2, 1900));
  EXPECT_EQ(pair_of(queue, 1s), "");
  queue.add(seek_of(3, 1600, "othello", 1s));
  queue.add(seek_of(4, 1540, "othello", 1s));
  EXPECT_EQ(pair_of(queue, 1s), "p1 p4");
  EXPECT_EQ(pair_of(queue, 1s), "") << "300 apart";
  EXPECT_EQ(pair_of(queue, 7s), "p2 p3");
  queue.add(seek_of(5, 1000, "othello", 10s));
  queue.add(seek_of(6, 2500, "othello", 10s));
  EXPECT_EQ(pair_of(queue, 39s), "");
  EXPECT_EQ(pair_of(queue, 40s), "p5 p6");
}

TEST(SeekQueue, has_one_wish_of_a_person_and_not_too_many_of_an_address) {
  SeekQueue queue({10, 3, 1});
  const SeekId old = queue.add(seek_of(1, {}, "othello"));
  const SeekId now = queue.add(seek_of(1, {}, "fanorona"));
  EXPECT_EQ(queue.find(old), nullptr);
  EXPECT_NE(queue.find(now), nullptr);
  queue.add(seek_of(2, {}, "abalone"));
  EXPECT_TRUE(queue.has_room({"address", 3}));
  queue.add(seek_of(3, {}, "wildebeest"));
  EXPECT_FALSE(queue.has_room({"address", 4}));
  EXPECT_TRUE(queue.has_room({"address", 3})) << "who changes the wish needs no more room";
  EXPECT_TRUE(queue.has_room({"other", 4}));
  EXPECT_TRUE(queue.remove(now));
  EXPECT_FALSE(queue.remove(now));
}

class LobbyTest : public testing::Test {
 protected:
  LobbyTest() : fixture(paika_tests::new_database(folder)), lobby({fixture.hub, fixture.readers, fixture.log}) {
    EXPECT_TRUE(start_secrets());
  }
  Identity guest() {
    std::optional<Person> made;
    bool done = false;
    fixture.writer.submit([&](Store& store) { made = store.add_guest(1); }, [&](const auto&) { done = true; });
    EXPECT_TRUE(fixture.posts.run_until([&] { return done; }));
    return {made->id, made->name, false};
  }
  /// The refusal's code; "" if the wish was taken.
  std::string seek(const Identity& who, const std::shared_ptr<Memory>& subscriber, std::string_view spec = "othello") {
    RoomPlan plan;
    plan.game = *open_game(spec);
    std::optional<std::string> told;
    lobby.seek(plan, who, {"address", who.person}, subscriber,
               [&](const auto& seek) { told = seek ? "" : seek.error().code; });
    EXPECT_TRUE(fixture.posts.run_until([&] { return told.has_value(); }));
    return told.value_or("no answer");
  }
  RoomId paired(const Memory& subscriber) {
    EXPECT_TRUE(fixture.posts.run_until([&] { return subscriber.count("paired") > 0; }));
    return Json::parse(subscriber.texts.back())["paired"]["room"];
  }

  paika_tests::TemporaryFolder folder;
  HubFixture fixture;
  Lobby lobby;
};

TEST_F(LobbyTest, BothAreSentToTheSameRoomAndThePlayIsOn) {
  const Identity ann = guest();
  const Identity bob = guest();
  const auto one = std::make_shared<Memory>();
  const auto two = std::make_shared<Memory>();
  EXPECT_EQ(seek(ann, one), "");
  EXPECT_EQ(lobby.seeks_json()[0]["name"], ann.name);
  EXPECT_EQ(seek(bob, two), "");
  const RoomId room = paired(*one);
  EXPECT_EQ(paired(*two), room);
  EXPECT_TRUE(lobby.seeks_json().empty());
  const auto first = fixture.command(room, ann, command::Abort{});
  EXPECT_TRUE(first) << "ann sits there: " << first.error().code;
}

TEST_F(LobbyTest, WhoGoesIsPairedWithNobody) {
  const Identity ann = guest();
  const Identity bob = guest();
  const auto one = std::make_shared<Memory>();
  const auto two = std::make_shared<Memory>();
  EXPECT_EQ(seek(ann, one), "");
  lobby.cancel(one.get());
  EXPECT_TRUE(lobby.seeks_json().empty());
  EXPECT_EQ(seek(bob, two), "");
  fixture.pass(60s);
  lobby.tick();
  EXPECT_EQ(two->count("paired"), 0U);
  EXPECT_EQ(lobby.seeks_json().size(), 1U);
}

TEST_F(LobbyTest, AnybodyMayAcceptWhoWaitsOnce) {
  const Identity ann = guest();
  const Identity bob = guest();
  const auto one = std::make_shared<Memory>();
  EXPECT_EQ(seek(ann, one, "fanorona:5x5"), "");
  const SeekId id = lobby.seeks_json()[0]["seek"].get<SeekId>();
  std::optional<std::string> told;
  const auto accept = [&](const Identity& who) {
    told.reset();
    lobby.accept(id, who, {"address", who.person}, [&](const auto& room) { told = room ? *room : room.error().code; });
    EXPECT_TRUE(fixture.posts.run_until([&] { return told.has_value(); }));
    return told.value_or("");
  };
  EXPECT_EQ(accept(ann), "not_yours");
  const std::string room = accept(bob);
  EXPECT_EQ(room, paired(*one));
  EXPECT_EQ(accept(bob), "gone");
}

TEST_F(LobbyTest, ThoseWhoWatchSeeWishesAndOpenRoomsComeAndGo) {
  const Identity ann = guest();
  const auto watcher = std::make_shared<Memory>();
  lobby.watch(watcher);
  const auto last = [&] { return Json::parse(watcher->texts.back())["lobby"]; };
  EXPECT_TRUE(last()["seeks"].empty());
  const auto one = std::make_shared<Memory>();
  EXPECT_EQ(seek(ann, one), "");
  const auto told = [&](const auto& wanted) {
    return fixture.posts.run_until([&] {
      if (wanted()) return true;
      fixture.pass(1s);
      lobby.tick();
      fixture.posts.add([] {});
      return false;
    });
  };
  EXPECT_TRUE(told([&] { return last()["seeks"].size() == 1; }));
  RoomPlan plan;
  plan.game = *open_game("abalone");
  plan.listed = true;
  plan.turn_time = Milliseconds(86'400'000);
  const RoomId room = fixture.open_room(plan, ann);
  lobby.rooms_changed();
  EXPECT_TRUE(told([&] { return last()["rooms"].size() == 1; }));
  EXPECT_EQ(last()["rooms"][0]["clock"]["move_ms"], 86'400'000);
  ASSERT_TRUE(fixture.command(room, ann, command::Abort{}));
  lobby.cancel(one.get());
  lobby.rooms_changed();
  EXPECT_TRUE(told([&] { return last()["rooms"].empty() && last()["seeks"].empty(); }));
  const std::size_t count = watcher->texts.size();
  lobby.leave(watcher.get());
  EXPECT_EQ(seek(ann, one), "");
  fixture.pass(5s);
  lobby.tick();
  EXPECT_EQ(watcher->texts.size(), count);
}

}  // namespace
}  // namespace paika::server
