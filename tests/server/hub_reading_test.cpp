// Hub: what is read from the store when somebody wants it: rooms, missed events, snapshots.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <latch>
#include <thread>

#include "server/hub.hpp"
#include "tests/server/hub_fixture.hpp"

namespace paika::server {
namespace {

using paika_tests::tamper;

TEST_F(HubTest, EverybodyWhoWantsTheSameRoomWaitsForOneReading) {
  const Identity first = guest("a");
  const RoomId room = fixture->open_room(plan("othello:6x6"), first);
  restart();
  ASSERT_EQ(fixture->hub.counts().rooms, 0U);
  std::vector<int> order;
  for (int i = 0; i < 20; ++i) {
    fixture->hub.snapshot(room, {}, [&order, i](const auto& text) {
      EXPECT_TRUE(text);
      order.push_back(i);
    });
  }
  EXPECT_TRUE(order.empty()) << "nothing was read on this thread";
  EXPECT_EQ(fixture->hub.counts().loading, 1U);
  ASSERT_TRUE(fixture->posts.run_until([&] { return !order.empty(); }));
  EXPECT_EQ(order.size(), 20U) << "one reading for all";
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(fixture->hub.counts().loading, 0U);
}

TEST_F(HubTest, WhoLeavesWhileTheRoomIsReadDoesNotWatchIt) {
  const RoomId room = fixture->open_room(plan("othello:6x6"), guest("a"));
  restart();
  const auto gone = std::make_shared<Memory>();
  const auto left = std::make_shared<Memory>();
  const auto stays = std::make_shared<Memory>();
  int done = 0;
  for (const auto& one : {gone, left, stays}) fixture->hub.watch(room, {}, one, {}, [&](const auto&) { ++done; });
  gone->close(1000, "");
  fixture->hub.leave(room, left.get());
  ASSERT_TRUE(fixture->posts.run_until([&] { return done == 3; }));
  EXPECT_EQ(fixture->hub.counts().watchers, 1U);
  EXPECT_TRUE(left->texts.empty());
  EXPECT_EQ(stays->count("snapshot"), 1U);
}

TEST_F(HubTest, AFullReadingQueueIsToldAndNotWaitedFor) {
  const RoomId room = fixture->open_room(plan("othello:6x6"), guest("a"));
  restart();
  fixture->reading.close();
  EXPECT_EQ(fixture->command(room, guest("a"), command::Resign{}).error().code, "busy");
}

TEST_F(HubTest, ADamagedRoomIsNamedAsDamaged) {
  const Identity first = guest("a");
  RoomPlan shown = plan("othello:6x6");
  shown.listed = true;
  const RoomId room = fixture->open_room(shown, first);
  const RoomId whole = fixture->open_room(shown, first);
  fixture.reset();
  tamper(path, "UPDATE events SET text = replace(text, 'othello', 'othella') WHERE room = '" + room + "'");
  begin();
  fixture->hub.load();
  EXPECT_NE(fixture->logged.find("room_damaged"), std::string::npos) << fixture->logged;
  EXPECT_NE(fixture->logged.find(room), std::string::npos) << fixture->logged;
  const auto refused = fixture->command(room, first, command::Abort{});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "damaged");
  EXPECT_NE(refused.error().message.find(room), std::string::npos);
  ASSERT_TRUE(fixture->command(whole, first, command::Abort{})) << "others are as good as ever";
  EXPECT_TRUE(fixture->reader->room(room)->damaged);
  EXPECT_FALSE(fixture->reader->room(whole)->damaged);
  fixture.reset();
  tamper(path, "UPDATE events SET text = replace(text, 'othella', 'othello') WHERE room = '" + room + "'");
  begin();
  EXPECT_TRUE(fixture->command(room, first, command::Abort{})) << "it was mended";
  EXPECT_FALSE(fixture->reader->room(room)->damaged);
}

// ---- Long games ----

/// A room with so many events of a person who talks to himself for a long time.
RoomId long_room(HubFixture& fixture, const RoomPlan& plan, const Identity& who, int events) {
  const RoomId room = fixture.open_room(plan, who);
  for (int i = 0; i < events; ++i) {
    fixture.pass(std::chrono::seconds(10));
    EXPECT_TRUE(fixture.command(room, who, command::Say{std::string(400, 'x'), ""}));
  }
  return room;
}

TEST_F(HubTest, WhoMissedMuchGetsItInPages) {
  const Identity first = guest("a");
  // About two megabytes: more than a client may have waiting, many times a page. Written past the hub, which is slow.
  RoomId room = long_room(*fixture, plan("othello:6x6"), first, 2);
  const auto slow = std::make_shared<Memory>();
  slow->slow = true;
  fixture->writer.submit(
      [&](Store& store) {
        std::vector<Event> events;
        for (std::uint64_t n = 4; n <= 403; ++n) {
          const std::int64_t at = store.events(room).back().at.count() + static_cast<std::int64_t>(n);
          events.push_back(
              {n, ServerTime(at),
               std::make_shared<const std::string>(fmt::format(
                   R"({{"number":{},"at_us":{},"event":"chat","who":{{"name":"a","seat":null}},"text":"{}"}})", n, at,
                   std::string(5000, 'x'))),
               0});
        }
        store.add_events(room, events);
      },
      {});
  restart();
  bool watching = false;
  fixture->hub.watch(room, {}, slow, 0, [&](const auto& refused) { watching = !refused; });
  ASSERT_TRUE(fixture->posts.run_until([&] { return watching; }));
  int pages = 0;
  while (slow->events().size() < 403) {
    ASSERT_LT(++pages, 50);
    const std::size_t before = slow->texts.size();
    slow->take_all();
    ASSERT_TRUE(fixture->posts.run_until([&] { return slow->texts.size() > before; }));
  }
  EXPECT_GE(pages, 6);
  EXPECT_LT(slow->max_waiting, 700'000U);
  const auto events = slow->events();
  for (std::size_t i = 0; i < events.size(); ++i) ASSERT_EQ(events[i]["number"], i + 1);
  // From now on it hears what happens, as everybody does.
  slow->take_all();
  fixture->pass(std::chrono::seconds(20));
  ASSERT_TRUE(fixture->command(room, first, command::Say{"hello", ""}));
  EXPECT_EQ(slow->events().back()["text"], "hello");
}

/// Holds the only thread that reads, until it is let go.
class HeldReading {
 public:
  explicit HeldReading(WorkQueue& queue) {
    EXPECT_TRUE(queue.submit([this](const std::stop_token&) {
      begun_.count_down();
      go_.wait();
    }));
    begun_.wait();
  }
  HeldReading(const HeldReading&) = delete;
  HeldReading& operator=(const HeldReading&) = delete;
  ~HeldReading() { let_go(); }
  void let_go() {
    if (!std::exchange(gone_, true)) go_.count_down();
  }

 private:
  std::latch begun_{1};
  std::latch go_{1};
  bool gone_ = false;
};

TEST_F(HubTest, ReadingsAreCountedByAddressAndTakeTurns) {
  const RoomId room = fixture->open_room(plan("othello:6x6"), guest("a"));
  restart();
  std::vector<std::string> answers;
  const auto ask = [&](const RoomId& id, const std::string& address) {
    fixture->hub.look_up(id, {address, 0}, [&answers, id, address](const auto& refused) {
      answers.push_back(address + " " + id + (refused ? " " + refused->code : ""));
    });
  };
  HeldReading held(fixture->reading);
  ask("x1", "a");
  ask(room, "a");
  ask("x3", "a");
  EXPECT_EQ(answers, std::vector<std::string>{"a x3 too_often"}) << "two wait already";
  ask(room, "b");  // does not wait for the turn of whoever asked before
  ask(room, "b");
  held.let_go();
  ASSERT_TRUE(fixture->posts.run_until([&] { return answers.size() == 5; }));
  answers.erase(answers.begin());
  EXPECT_EQ(answers, (std::vector<std::string>{"a x1 no_room", "a " + room, "b " + room, "b " + room}))
      << "the first one's reading answers all";
  while (fixture->reading.waiting() + fixture->reading.running() >
         0) {  // an answer comes before its work counts as done
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ask("x3", "a");
  ASSERT_TRUE(fixture->posts.run_until([&] { return answers.size() == 5; }));
  EXPECT_EQ(answers.back(), "a x3 no_room");
}

TEST_F(HubTest, WhoMissedEventsWaitsWhileMuchIsRead) {
  const RoomId room = fixture->open_room(plan("othello:6x6"), guest("a"));
  fixture->writer.submit(
      [&](Store& store) {
        const auto events = store.events(room);
        SnapshotRow snapshot{1, fmt::format("b {} {}\n", events[0].at.count(), *events[0].text)};
        store.save_snapshot(room, snapshot, store.erasures());
      },
      {});
  restart();
  ASSERT_TRUE(watch(room));  // it is in memory now, without the texts of what the snapshot covers
  HeldReading held(fixture->reading);
  int looked = 0;
  for (const char* const id : {"x1", "x2"}) fixture->hub.look_up(id, {"a", 0}, [&](const auto&) { ++looked; });
  const auto late = std::make_shared<Memory>();
  bool watching = false;
  fixture->hub.watch(room, {"a", 0}, late, 0, [&](const auto& refused) { watching = !refused; });
  ASSERT_TRUE(watching);
  EXPECT_FALSE(late->closed()) << "the address has as much waiting as it may";
  held.let_go();
  ASSERT_TRUE(fixture->posts.run_until([&] { return looked == 2; }));
  EXPECT_TRUE(late->words().empty());
  fixture->posts.run_until([&] {
    fixture->hub.tick();
    fixture->posts.add([] {});
    return !late->words().empty() || late->closed();
  });
  EXPECT_EQ(late->words(), std::vector<std::string>{"created"});
}

TEST_F(HubTest, ASleepingRoomThatCannotBeReadIsWokenAgain) {
  const Identity first = guest("a");
  RoomPlan by_mail = plan("othello:6x6");
  by_mail.turn_time = std::chrono::hours(24);
  const RoomId room = fixture->open_room(by_mail, first);
  ASSERT_TRUE(fixture->command(room, guest("b"), command::Join{}));
  restart();
  HeldReading held(fixture->reading);
  while (fixture->reading.submit([](const std::stop_token&) {})) {
  }
  fixture->pass(std::chrono::hours(25));
  fixture->hub.tick();
  EXPECT_EQ(fixture->hub.counts().loading, 0U) << "the queue was full";
  held.let_go();
  const auto state = [&] {
    fixture->pass(std::chrono::milliseconds(100));
    fixture->hub.tick();
    fixture->posts.add([] {});
    return fixture->reader->room(room)->state;
  };
  EXPECT_TRUE(fixture->posts.run_until([&] { return state() == RoomState::ended; }));
}

TEST_F(HubTest, OfIdleRoomsThoseUsedLastStay) {
  fixture.reset();
  constexpr std::size_t room_for_ten = 200'000;
  fixture = std::make_unique<HubFixture>(path, room_for_ten);
  const Identity first = guest("a");
  const RoomId watched = fixture->open_room(plan("othello:6x6"), first);
  const auto watcher = watch(watched);
  std::vector<RoomId> rooms;
  for (int i = 0; i < 50; ++i) {
    fixture->pass(std::chrono::milliseconds(10));
    rooms.push_back(fixture->open_room(plan("othello:6x6"), first));
    fixture->hub.tick();
    ASSERT_LE(fixture->hub.counts().rooms, 16U);
  }
  EXPECT_GE(fixture->hub.counts().rooms, 5U);
  // The last one is still there, and so is the one that somebody watches; the first is read again.
  const HeldReading held(fixture->reading);
  int there = 0;
  for (const RoomId& room : {watched, rooms.back()}) {
    fixture->hub.look_up(room, {}, [&](const auto& refused) { there += refused ? 0 : 1; });
  }
  EXPECT_EQ(there, 2);
  fixture->hub.look_up(rooms.front(), {}, [&](const auto& refused) { there += refused ? 0 : 1; });
  EXPECT_EQ(there, 2) << "it is still being read";
}

TEST_F(HubTest, AClientThatStopsReadingIsNotSentMoreThanAPage) {
  const Identity first = guest("a");
  const RoomId room = fixture->open_room(plan("othello:6x6"), first);
  const auto slow = std::make_shared<Memory>();
  slow->slow = true;
  bool watching = false;
  fixture->hub.watch(room, {}, slow, 0, [&](const auto&) { watching = true; });
  ASSERT_TRUE(fixture->posts.run_until([&] { return watching; }));
  slow->send(std::string(300'000, ' ') + "{}");  // something else that it does not read
  const std::size_t before = slow->texts.size();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(fixture->command(room, first, command::Say{"hello", ""}));
  EXPECT_EQ(slow->texts.size(), before);
  slow->take_all();
  EXPECT_EQ(slow->events().size(), 4U) << "it is sent what it missed";
}

TEST_F(HubTest, ALongGameIsReadFromItsSnapshot) {
  const Identity first = guest("a");
  const RoomId room = long_room(*fixture, plan("othello:6x6"), first, 140);
  const auto saved = [&] { return fixture->reader->snapshot(room).number > 0; };
  bool flushed = false;
  fixture->posts.run_until([&] { return fixture->readers.waiting() == 0 && !fixture->hub.counts().loading; });
  for (int i = 0; i < 100 && !saved(); ++i) {
    flushed = false;
    fixture->writer.submit([](Store&) {}, [&](const auto&) { flushed = true; });
    ASSERT_TRUE(fixture->posts.run_until([&] { return flushed; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_TRUE(saved());
  const std::uint64_t covered = fixture->reader->snapshot(room).number;
  EXPECT_GE(covered, 128U);
  restart();
  const auto watcher = watch(room);
  const Json told = Json::parse(watcher->texts.front())["snapshot"];
  EXPECT_EQ(told["number"], 141);
  EXPECT_EQ(told["chat"].size(), 50U);
  // The events themselves are still the truth, whole.
  const auto all = watch(room, 0, 0);
  ASSERT_TRUE(fixture->posts.run_until([&] { return all->events().size() == 141; }));
  EXPECT_EQ(all->events()[1]["text"], std::string(400, 'x'));
  // A snapshot that is damaged is not believed.
  fixture.reset();
  tamper(path, "UPDATE snapshots SET text = replace(text,'x','y')");
  begin();
  EXPECT_EQ(Json::parse(watch(room)->texts.front())["snapshot"]["chat"][0]["text"], std::string(400, 'x'));
}

TEST_F(HubTest, DamageInWhatASnapshotCoversIsMetWhenItIsSent) {
  const RoomId room = fixture->open_room(plan("othello:6x6"), guest("a"));
  fixture->writer.submit(
      [&](Store& store) {
        const auto events = store.events(room);
        SnapshotRow snapshot{1, fmt::format("b {} {}\n", events[0].at.count(), *events[0].text)};
        store.save_snapshot(room, snapshot, store.erasures());
      },
      {});
  fixture.reset();
  tamper(path, "UPDATE events SET text = replace(text, 'r', 'q')");
  begin();
  const auto whole = watch(room);
  EXPECT_EQ(whole->count("snapshot"), 1U) << "what it comes to is known";
  const auto all = watch(room, 0, 0);
  ASSERT_TRUE(fixture->posts.run_until([&] { return all->closed(); }));
  EXPECT_EQ(Json::parse(all->texts.back())["error"]["code"], "damaged");
  EXPECT_FALSE(whole->closed());
  EXPECT_NE(fixture->logged.find("room_damaged"), std::string::npos);
}

}  // namespace
}  // namespace paika::server
