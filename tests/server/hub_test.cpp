// Hub: events are kept before they are told, nothing is lost or doubled, and memory never knows more than the disk.
#include "server/hub.hpp"

#include <gtest/gtest.h>

#include "tests/server/hub_fixture.hpp"

namespace paika::server {
namespace {

class HubTest : public testing::Test {
 protected:
  HubTest() {
    EXPECT_TRUE(start_secrets());
    begin();
  }
  void begin() { fixture = std::make_unique<HubFixture>(folder / "games.db"); }
  /// Ends the server and starts it again on the same file.
  void restart() {
    fixture.reset();
    begin();
    fixture->hub.load();
  }
  Identity guest(std::string_view /*name*/) {
    std::optional<Person> made;
    fixture->writer.submit([&](Store& store) { made = store.add_guest(1); }, [](const auto&) {});
    std::optional<bool> done;
    fixture->writer.submit([](Store&) {}, [&](const auto&) { done = true; });
    EXPECT_TRUE(fixture->posts.run_until([&] { return done.has_value(); }));
    return {made->id, made->name, false};
  }
  RoomPlan plan(std::string_view spec) {
    RoomPlan made;
    made.game = *open_game(spec);
    made.side = Side::first;
    return made;
  }
  /// Everything a new watcher is sent, once it has begun.
  std::shared_ptr<Memory> watch(const RoomId& room, PersonId person = 0, std::optional<std::uint64_t> since = {}) {
    auto subscriber = std::make_shared<Memory>();
    bool done = false;
    fixture->hub.watch(room, person, subscriber, since, [&](const auto& refused) {
      EXPECT_FALSE(refused.has_value());
      done = true;
    });
    EXPECT_TRUE(fixture->posts.run_until([&] { return done; }));
    return subscriber;
  }

  paika_tests::TemporaryFolder folder;
  std::unique_ptr<HubFixture> fixture;
};

TEST_F(HubTest, PlayersAndWatchersSeeTheSameEvents) {
  const Identity first = guest("a");
  const Identity second = guest("b");
  const RoomId room = fixture->open_room(plan("othello:6x6"), first);
  const auto watcher = watch(room);
  ASSERT_TRUE(fixture->command(room, second, command::Join{}));
  ASSERT_TRUE(fixture->command(room, first, command::Play{"c2", "1", 1}).has_value() ||
              fixture->command(room, first, command::Play{"d5", "1", 1}).has_value());
  const auto words = watcher->words();
  ASSERT_GE(words.size(), 3U);
  EXPECT_EQ(words[0], "joined");
  EXPECT_EQ(words[1], "begun");
  EXPECT_EQ(words[2], "move");
  // Whoever comes later with a number gets exactly what came after it.
  const auto late = watch(room, 0, watcher->events().front()["number"].get<std::uint64_t>());
  EXPECT_EQ(late->words(), (std::vector<std::string>{"begun", "move"}));
}

TEST_F(HubTest, NobodyHearsOfATurnThatIsNotCommitted) {
  const Identity first = guest("a");
  const RoomId room = fixture->open_room(plan("othello:6x6"), first);
  const auto watcher = watch(room);
  const std::size_t before = watcher->texts.size();
  bool answered = false;
  fixture->hub.command(room, guest("b"), command::Join{}, [&](const auto&) { answered = true; });
  EXPECT_EQ(watcher->texts.size(), before);  // the writer's word has not been heard yet
  EXPECT_TRUE(fixture->posts.run_until([&] { return answered; }));
  EXPECT_GT(watcher->texts.size(), before);
}

TEST_F(HubTest, ARepeatedTurnIsAnsweredAndNotPlayedAgainEvenAfterARestart) {
  const Identity first = guest("a");
  const Identity second = guest("b");
  const RoomId room = fixture->open_room(plan("abalone:3x3"), first);
  ASSERT_TRUE(fixture->command(room, second, command::Join{}));
  std::string turn;
  (*open_game("abalone:3x3"))->start()->for_each_turn([&](const ListedTurn& listed) {
    turn = listed.text;
    return false;
  });
  const auto once = fixture->command(room, first, command::Play{turn, "my turn", {}});
  ASSERT_TRUE(once);
  restart();
  const auto twice = fixture->command(room, first, command::Play{turn, "my turn", {}});
  ASSERT_TRUE(twice);
  EXPECT_TRUE(twice->repeated);
  EXPECT_EQ(twice->number, once->number);
  const auto events = watch(room, 0, 0)->words();
  EXPECT_EQ(std::count(events.begin(), events.end(), "move"), 1);
}

TEST_F(HubTest, ClocksRunOutAndGoOnAfterARestart) {
  const Identity first = guest("a");
  const Identity second = guest("b");
  RoomPlan timed = plan("othello:6x6");
  timed.clock = GameClock{Milliseconds(10'000), Milliseconds(0)};
  const RoomId room = fixture->open_room(timed, first);
  ASSERT_TRUE(fixture->command(room, second, command::Join{}));
  fixture->pass(std::chrono::milliseconds(4000));
  fixture->hub.tick();  // keeps the time
  restart();
  EXPECT_GE(fixture->time, 3'900'000);
  fixture->pass(std::chrono::milliseconds(5000));
  fixture->hub.tick();
  EXPECT_EQ(fixture->hub.counts().running, 1U);
  fixture->pass(std::chrono::milliseconds(1100));
  const auto watcher = watch(room);
  fixture->hub.tick();
  EXPECT_TRUE(fixture->posts.run_until([&] { return !watcher->events().empty(); }));
  EXPECT_EQ(watcher->words().back(), "ended");
  EXPECT_EQ(watcher->events().back()["reason"], "time");
}

TEST_F(HubTest, TheEngineAnswers) {
  const Identity first = guest("a");
  RoomPlan against = plan("abalone:3x3");
  against.engine_level = 2;
  against.side = Side::second;  // the engine begins
  const RoomId room = fixture->open_room(against, first);
  const auto watcher = watch(room);
  const auto played = [&] {
    const auto words = watcher->words();
    return std::count(words.begin(), words.end(), "move") >= 1 ||
           watcher->texts.front().find(R"("moves":[{)") != std::string::npos;
  };
  EXPECT_TRUE(fixture->posts.run_until(played));
}

TEST_F(HubTest, ARoomThatCannotBeCommittedIsReadAnew) {
  const Identity first = guest("a");
  const Identity second = guest("b");
  const RoomId room = fixture->open_room(plan("othello:6x6"), first);
  const auto watcher = watch(room);
  // Somebody else writes the event's number first: the hub's own then fails like a disk that is full.
  std::optional<bool> spoiled;
  fixture->writer.submit(
      [&](Store& store) {
        store.add_events(
            room, std::vector<Event>{{2, ServerTime(1), std::make_shared<const std::string>(R"({"event":"x"})"), 0}});
      },
      [&](const auto& failure) { spoiled = !failure.has_value(); });
  EXPECT_TRUE(fixture->posts.run_until([&] { return spoiled.has_value(); }));
  const auto answer = fixture->command(room, second, command::Join{});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "storage");
  EXPECT_TRUE(watcher->closed());
  EXPECT_EQ(fixture->hub.counts().failures, 1U);
}

TEST_F(HubTest, ARoomThatDoesNotExistIsRefused) {
  EXPECT_EQ(fixture->command("nowhere", guest("a"), command::Resign{}).error().code, "no_room");
  EXPECT_EQ(fixture->command("'; DROP TABLE rooms; --", guest("a"), command::Resign{}).error().code, "no_room");
}

}  // namespace
}  // namespace paika::server
