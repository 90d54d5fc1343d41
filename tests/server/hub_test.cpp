// Hub: events are kept before they are told, nothing is lost or doubled, and memory never knows more than the disk.
#include "server/hub.hpp"

#include <gtest/gtest.h>

#include "tests/server/hub_fixture.hpp"

namespace paika::server {
namespace {

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

TEST_F(HubTest, WhatWatchersSayIsKeptFromThePlayersUntilTheEnd) {
  const Identity first = guest("a");
  const Identity second = guest("b");
  const Identity eve = guest("c");
  const RoomId room = fixture->open_room(plan("othello:6x6"), first);
  ASSERT_TRUE(fixture->command(room, second, command::Join{}));
  const auto player = watch(room, second.person);
  const auto watcher = watch(room, eve.person);
  ASSERT_TRUE(fixture->command(room, eve, command::Say{"play c2!", ""}));
  ASSERT_TRUE(fixture->command(room, first, command::Say{"\"seat\":null", ""})) << "words are no fields";
  EXPECT_EQ(watcher->words(), (std::vector<std::string>{"chat", "chat"}));
  EXPECT_EQ(player->words(), (std::vector<std::string>{"hidden", "chat"}));
  EXPECT_EQ(player->events()[0]["number"], watcher->events()[0]["number"]) << "numbers have no gaps";
  EXPECT_FALSE(player->events()[0].contains("text"));
  const auto chats = [&](PersonId viewer) {
    std::optional<std::size_t> count;
    fixture->hub.snapshot(room, {"", viewer}, [&](const auto& text) { count = Json::parse(*text)["chat"].size(); });
    EXPECT_TRUE(fixture->posts.run_until([&] { return count.has_value(); }));
    return *count;
  };
  EXPECT_EQ(chats(first.person), 1U);
  EXPECT_EQ(chats(eve.person), 2U);
  const auto again = watch(room, first.person, 0);
  EXPECT_EQ(again->words(), (std::vector<std::string>{"created", "joined", "begun", "hidden", "chat"}));
  ASSERT_TRUE(fixture->command(room, second, command::Resign{}));
  EXPECT_EQ(chats(first.person), 2U) << "after the end everybody reads everything";
}

TEST_F(HubTest, PositionsOfRatedGamesAreKnownUntilTheEnd) {
  Identity first = guest("a");
  Identity second = guest("b");
  first.member = second.member = true;
  RoomPlan rated = plan("othello:6x6");
  rated.rated = true;
  const RoomId room = fixture->open_room(rated, first);
  ASSERT_TRUE(fixture->command(room, second, command::Join{}));
  const auto session = rated.game->start();
  for (int move = 1; move <= min_rated_moves; ++move) {
    EXPECT_FALSE(fixture->rated.contains(RatedPositions::key_of(*session))) << "an opening of " << move - 1;
    std::string text;
    session->for_each_turn([&](const ListedTurn& turn) {
      text = turn.text;
      return false;
    });
    const Identity& mover = session->board().to_move == Player::first ? first : second;
    ASSERT_TRUE(fixture->command(room, mover, command::Play{text, std::to_string(move), move}));
    ASSERT_TRUE(session->try_play(text));
  }
  EXPECT_TRUE(fixture->rated.contains(RatedPositions::key_of(*session)));
  ASSERT_TRUE(fixture->command(room, first, command::Resign{}));
  EXPECT_FALSE(fixture->rated.contains(RatedPositions::key_of(*session)));
}

TEST_F(HubTest, NobodyHearsOfATurnThatIsNotCommitted) {
  const Identity first = guest("a");
  const RoomId room = fixture->open_room(plan("othello:6x6"), first);
  const auto watcher = watch(room);
  const std::size_t before = watcher->texts.size();
  bool answered = false;
  fixture->hub.command(room, {}, guest("b"), command::Join{}, [&](const auto&) { answered = true; });
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

TEST_F(HubTest, ARoomThatCannotBeStoredIsRefusedAsStorage) {
  const Identity first = guest("a");
  const RoomId taken = fixture->open_room(plan("othello:6x6"), first);
  // The store refuses a second room of the same name, as it refuses everything when the disk is full.
  restart();
  fixture->new_id = [&] { return taken; };
  std::optional<tl::expected<RoomId, Refused>> answer;
  fixture->hub.open(plan("othello:6x6"), first, {}, [&](const auto& given) { answer = given; });
  ASSERT_TRUE(fixture->posts.run_until([&] { return answer.has_value(); }));
  ASSERT_FALSE(*answer);
  EXPECT_EQ(answer->error().code, "storage");
  RoomPlan bad = plan("othello:6x6");
  bad.turn_time = Milliseconds(-1);
  answer.reset();
  fixture->hub.open(bad, first, {}, [&](const auto& given) { answer = given; });
  EXPECT_EQ(answer->error().code, "bad_request") << "a bad plan is the client's fault";
}

// ---- Rooms that are not in memory ----

TEST_F(HubTest, GamesInWhichNothingIsDueLeaveTheMemoryAndComeBack) {
  const Identity first = guest("a");
  const Identity second = guest("b");
  const RoomId untimed = fixture->open_room(plan("othello:6x6"), first);
  ASSERT_TRUE(fixture->command(untimed, second, command::Join{}));
  RoomPlan with_clock = plan("othello:6x6");
  with_clock.clock = GameClock{Milliseconds(1'200'000), Milliseconds(0)};
  const RoomId timed = fixture->open_room(with_clock, first);
  ASSERT_TRUE(fixture->command(timed, second, command::Join{}));
  const RoomId watched = fixture->open_room(plan("othello:6x6"), first);
  const auto watcher = watch(watched);
  EXPECT_EQ(fixture->hub.counts().rooms, 3U);
  fixture->pass(std::chrono::minutes(3));
  fixture->hub.tick();
  EXPECT_EQ(fixture->hub.counts().rooms, 2U);
  // A move brings it back, with everything that was played.
  const auto played = fixture->command(untimed, first, command::Play{"c2", "1", 1});
  const auto other = fixture->command(untimed, first, command::Play{"d5", "1", 1});
  EXPECT_TRUE(played || other);
  EXPECT_EQ(fixture->hub.counts().rooms, 3U);
  restart();
  EXPECT_EQ(fixture->hub.counts().rooms, 1U) << "after a restart only the clock is due";
}

TEST_F(HubTest, GamesThatTakeDaysSleepOnTheDiskAndStillEndInTime) {
  const Identity first = guest("a");
  const Identity second = guest("b");
  RoomPlan by_mail = plan("othello:6x6");
  by_mail.turn_time = std::chrono::hours(24);
  const RoomId room = fixture->open_room(by_mail, first);
  ASSERT_TRUE(fixture->command(room, second, command::Join{}));
  fixture->pass(std::chrono::minutes(3));
  fixture->hub.tick();
  EXPECT_EQ(fixture->hub.counts().rooms, 0U);
  restart();
  EXPECT_EQ(fixture->hub.counts().rooms, 0U) << "nor is it read at the start";
  fixture->pass(std::chrono::hours(23));
  fixture->hub.tick();
  EXPECT_EQ(fixture->hub.counts().rooms, 0U);
  fixture->pass(std::chrono::hours(1));
  const auto state = [&] {
    fixture->hub.tick();
    fixture->posts.add([] {});
    const auto row = fixture->reader->room(room);
    return row ? row->state : RoomState::open;
  };
  EXPECT_TRUE(fixture->posts.run_until([&] { return state() == RoomState::ended; }));
  EXPECT_EQ(fixture->reader->room(room)->reason, "time");
}

TEST_F(HubTest, ConditionalMovesOutliveARestartAndAreThePlayersOwn) {
  const Identity first = guest("a");
  const Identity second = guest("b");
  const RoomPlan by_mail = plan("othello:6x6");  // without a clock
  const RoomId room = fixture->open_room(by_mail, first);
  ASSERT_TRUE(fixture->command(room, second, command::Join{}));
  const auto session = by_mail.game->start();
  std::vector<std::string> line;
  for (int i = 0; i < 2; ++i) {
    session->for_each_turn([&](const ListedTurn& turn) {
      line.push_back(turn.text);
      return false;
    });
    ASSERT_TRUE(session->try_play(line.back()));
  }
  ASSERT_TRUE(fixture->command(room, second, command::Conditional{{line}}));
  const auto lines_of = [&](PersonId person) {
    std::optional<std::string> told;
    fixture->hub.conditional(room, {"", person}, [&](const auto& text) { told = text ? *text : text.error().code; });
    EXPECT_TRUE(fixture->posts.run_until([&] { return told.has_value(); }));
    return told.value_or("");
  };
  const std::string left = lines_of(second.person);
  EXPECT_EQ(Json::parse(left)["lines"], Json(ConditionalLines{line}));
  EXPECT_EQ(lines_of(first.person), R"({"lines":[]})");
  EXPECT_EQ(lines_of(first.person + 1000), "not_yours");
  restart();
  EXPECT_EQ(lines_of(second.person), left);
  const auto watcher = watch(room, first.person);
  ASSERT_TRUE(fixture->command(room, first, command::Play{line[0], "1", 1}));
  EXPECT_EQ(watcher->words(), (std::vector<std::string>{"move", "move"}));
  EXPECT_EQ(watcher->events()[1]["text"], line[1]);
  restart();
  EXPECT_EQ(lines_of(second.person), R"({"lines":[]})") << "what was played is used up";
}

TEST_F(HubTest, TheEngineGoesOnInAGameThatWasReadAgain) {
  const Identity first = guest("a");
  RoomPlan against = plan("abalone:3x3");
  against.engine_level = 1;
  const RoomId room = fixture->open_room(against, first);
  fixture->pass(std::chrono::minutes(3));
  fixture->hub.tick();
  ASSERT_EQ(fixture->hub.counts().rooms, 0U) << "it waits for the person, without a clock";
  std::string turn;
  (*open_game("abalone:3x3"))->start()->for_each_turn([&](const ListedTurn& listed) {
    turn = listed.text;
    return false;
  });
  ASSERT_TRUE(fixture->command(room, first, command::Play{turn, "1", 1}));
  const auto watcher = watch(room, 0, 0);
  EXPECT_TRUE(fixture->posts.run_until([&] {
    const auto words = watcher->words();
    return std::count(words.begin(), words.end(), "move") >= 2;
  }));
}

TEST_F(HubTest, ACrowdThatComesIsToldTogether) {
  const RoomId room = fixture->open_room(plan("othello:6x6"), guest("a"));
  constexpr std::size_t crowd = 200;
  std::vector<std::shared_ptr<Memory>> watchers;
  for (std::size_t i = 0; i < crowd; ++i) watchers.push_back(watch(room));
  std::size_t sent = 0;
  for (const auto& watcher : watchers) sent += watcher->count("presence");
  EXPECT_LE(sent, 2 * crowd) << "not the square of it";
  fixture->pass(std::chrono::milliseconds(600));
  fixture->hub.tick();
  for (const auto& watcher : watchers) {
    ASSERT_EQ(Json::parse(watcher->texts.back())["presence"]["watchers"], crowd);
  }
  // They go, and those who stay are told once.
  const std::size_t before = watchers.back()->count("presence");
  for (std::size_t i = 0; i + 1 < crowd; ++i) fixture->hub.leave(room, watchers[i].get());
  fixture->pass(std::chrono::milliseconds(600));
  fixture->hub.tick();
  EXPECT_LE(watchers.back()->count("presence"), before + 2);
  EXPECT_EQ(Json::parse(watchers.back()->texts.back())["presence"]["watchers"], 1);
}

// ---- Erasing ----

TEST_F(HubTest, GamesOfAPersonWhoIsErasedAreGivenUpAlsoThoseNotInMemory) {
  const Identity first = guest("a");
  const Identity second = guest("b");
  std::vector<RoomId> rooms;
  for (int i = 0; i < 3; ++i) {
    rooms.push_back(fixture->open_room(plan("othello:6x6"), first));
    ASSERT_TRUE(fixture->command(rooms.back(), second, command::Join{}));
  }
  restart();
  const auto watcher = watch(rooms[0]);  // this one is in memory
  std::optional<bool> done;
  fixture->hub.give_up_games(first.person, [&](bool all) { done = all; });
  ASSERT_TRUE(fixture->posts.run_until([&] { return done.has_value(); }));
  EXPECT_TRUE(*done);
  for (const RoomId& room : rooms) {
    bool seen = false;
    fixture->hub.snapshot(room, {}, [&](const auto& text) {
      seen = true;
      EXPECT_EQ(Json::parse(*text)["result"]["reason"], "resigned");
    });
    ASSERT_TRUE(fixture->posts.run_until([&] { return seen; }));
  }
}

TEST_F(HubTest, ARoomThatDoesNotExistIsRefused) {
  EXPECT_EQ(fixture->command("nowhere", guest("a"), command::Resign{}).error().code, "no_room");
  EXPECT_EQ(fixture->command("'; DROP TABLE rooms; --", guest("a"), command::Resign{}).error().code, "no_room");
}

}  // namespace
}  // namespace paika::server
