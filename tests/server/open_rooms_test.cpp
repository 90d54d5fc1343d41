// OpenRooms: how many games that go on a person and an address may have.
#include "server/open_rooms.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/rooms_api.hpp"
#include "tests/server/hub_fixture.hpp"

namespace paika::server {
namespace {

using namespace std::chrono_literals;

constexpr OpenRooms::Time morning = OpenRooms::Time() + 1h;

int opened(OpenRooms& rooms, const Client& client, OpenRooms::Time now, const std::string& prefix) {
  int count = 0;
  while (count < 10'000 && rooms.has_room(client, now)) rooms.add(prefix + std::to_string(count++), client, now);
  return count;
}

TEST(OpenRooms, are_counted_by_person_and_by_address) {
  OpenRooms rooms({1000, 100, 30});
  EXPECT_EQ(opened(rooms, {"a", 1}, morning, "a1-"), 30);
  EXPECT_EQ(opened(rooms, {"b", 1}, morning, "b1-"), 0) << "the same person elsewhere";
  EXPECT_EQ(opened(rooms, {"a", 2}, morning, "a2-"), 30);
  EXPECT_EQ(opened(rooms, {"a", 3}, morning, "a3-"), 30);
  EXPECT_EQ(opened(rooms, {"a", 4}, morning, "a4-"), 10) << "the address has enough";
  EXPECT_EQ(opened(rooms, {"b", 5}, morning, "b5-"), 30) << "another has not";
  EXPECT_EQ(rooms.opener("a4-9").address, "a");
}

TEST(OpenRooms, count_until_they_end_a_day_at_most) {
  OpenRooms rooms({1000, 3, 3});
  EXPECT_EQ(opened(rooms, {"a", 1}, morning, "x"), 3);
  rooms.drop("x1");
  rooms.drop("x1");
  rooms.drop("unknown");
  EXPECT_EQ(opened(rooms, {"a", 1}, morning + 1h, "y"), 1);
  EXPECT_EQ(opened(rooms, {"a", 1}, morning + 24h, "z"), 0);
  EXPECT_EQ(opened(rooms, {"a", 1}, morning + 24h + 1min, "z"), 2);
  EXPECT_EQ(rooms.opener("x0").address, "") << "forgotten";
}

/// The answer to one request.
class Answer final : public Reply {
 public:
  explicit Answer(std::optional<Response>& into) : into_(into) {}
  void send(Response response) override { into_ = std::move(response); }
  [[nodiscard]] std::shared_ptr<Subscriber> stream(Response /*head*/) override { return nullptr; }

 private:
  std::optional<Response>& into_;
};

TEST(OpenRooms, nobody_opens_more_than_allowed) {
  ASSERT_TRUE(start_secrets());
  const paika_tests::TemporaryFolder folder;
  HubFixture fixture(paika_tests::new_database(folder));
  Call call;
  call.body = {{"spec", "othello:6x6"}};
  call.client = {"a", 1};
  std::optional<bool> made;
  fixture.writer.submit([&](Store& store) { call.person = store.add_guest(1); }, [&](const auto&) { made = true; });
  ASSERT_TRUE(fixture.posts.run_until([&] { return made.has_value(); }));
  Lobby lobby({fixture.hub, fixture.readers, fixture.log});
  Limiter limiter;
  const auto routes = room_routes(fixture.hub, lobby, limiter);
  const auto route = std::find_if(routes.begin(), routes.end(),
                                  [](const Route& r) { return r.method == "POST" && r.pattern == "/api/rooms"; });
  ASSERT_NE(route, routes.end());
  const auto open = [&] {
    std::optional<Response> answer;
    std::get<LateHandler>(route->handler)(std::make_shared<const Call>(call), std::make_shared<Answer>(answer));
    EXPECT_TRUE(fixture.posts.run_until([&] { return answer.has_value(); }));
    return answer.value_or(Response{});
  };
  RoomId last;
  for (std::size_t i = 0; i < room_caps.per_person; ++i) {
    const Response opened = open();
    ASSERT_EQ(opened.status, 201) << opened.body;
    last = Json::parse(opened.body).at("room").get<std::string>();
  }
  EXPECT_EQ(open().status, 429);
  EXPECT_EQ(Json::parse(open().body).at("error").at("code"), "too_many_rooms");
  const Identity who{call.person->id, call.person->name, false};
  ASSERT_TRUE(fixture.command(last, who, command::Abort{}));
  EXPECT_EQ(open().status, 201) << "one that has ended does not count";
  EXPECT_EQ(open().status, 429);
  call.client = {"b", 2};
  EXPECT_EQ(open().status, 201);
}

TEST(OpenRooms, of_before_a_start_have_an_address_again_when_their_person_comes) {
  OpenRooms rooms({1000, 2, 2});
  rooms.add("x", {"", 1}, morning - 1h);
  EXPECT_EQ(opened(rooms, {"a", 1}, morning, "a1-"), 1) << "the person has one already";
  EXPECT_EQ(rooms.opener("x").address, "");
  rooms.locate("x", {"b", 2});
  EXPECT_EQ(rooms.opener("x").address, "") << "that is somebody else";
  rooms.locate("x", {"a", 1});
  rooms.locate("x", {"b", 1});
  EXPECT_EQ(rooms.opener("x").address, "a");
  EXPECT_EQ(opened(rooms, {"a", 3}, morning, "a3-"), 0) << "the address has two now";
  EXPECT_EQ(opened(rooms, {"a", 3}, morning + 23h + 1min, "late"), 1) << "a day counts from when it was opened";
}

TEST(OpenRooms, what_the_server_opens_counts_for_nobody) {
  OpenRooms rooms({1, 1, 1});
  rooms.add("x", {}, morning);
  EXPECT_TRUE(rooms.has_room({}, morning));
}

/// Opens games against the engine, and gives up in them.
class RematchTest : public testing::Test {
 protected:
  RematchTest() {
    EXPECT_TRUE(start_secrets());
    fixture = std::make_unique<HubFixture>(path);
    bool made = false;
    fixture->writer.submit(
        [&](Store& store) {
          const Person person = store.add_guest(1);
          who = {person.id, person.name, false};
        },
        [&](const auto&) { made = true; });
    EXPECT_TRUE(fixture->posts.run_until([&] { return made; }));
    client.person = who.person;
  }

  RoomId open_against_engine() {
    RoomPlan plan;
    plan.game = *open_game("othello:6x6");
    plan.side = Side::first;
    plan.engine_level = 1;
    return fixture->open_room(plan, who, client);
  }
  tl::expected<Accepted, Refused> want_rematch(const RoomId& room) {
    return fixture->command(room, who, command::Offer{OfferKind::rematch}, client);
  }
  /// The room in which that one goes on; "" if there is none.
  RoomId rematch_of(const RoomId& room) {
    Json snapshot;
    fixture->hub.snapshot(room, {}, [&](const auto& text) { snapshot = Json::parse(*text); });
    EXPECT_TRUE(fixture->posts.run_until([&] { return !snapshot.is_null(); }));
    return snapshot["rematch"].is_null() ? RoomId() : snapshot["rematch"].get<RoomId>();
  }

  paika_tests::TemporaryFolder folder;
  std::string path = paika_tests::new_database(folder);
  std::unique_ptr<HubFixture> fixture;
  Identity who;
  Client client{"a", 0};
};

TEST_F(RematchTest, counts_as_a_room_that_its_player_opens) {
  fixture->hub.open_rooms().set_caps({100, 1, 1});
  const RoomId first = open_against_engine();
  ASSERT_TRUE(fixture->command(first, who, command::Resign{}, client));
  const RoomId other = open_against_engine();
  const auto refused = want_rematch(first);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, "too_many_rooms");
  ASSERT_TRUE(fixture->command(other, who, command::Abort{}, client));
  ASSERT_TRUE(want_rematch(first));
  const RoomId next = rematch_of(first);
  ASSERT_FALSE(next.empty());
  EXPECT_EQ(fixture->hub.open_rooms().opener(next).address, "a") << "whose lane the engine's moves there wait in";
  EXPECT_FALSE(fixture->hub.open_rooms().has_room({"a", 0}, std::chrono::steady_clock::now()));
}

TEST_F(RematchTest, counts_again_after_a_restart) {
  const RoomId room = open_against_engine();
  const RoomId ended = open_against_engine();
  ASSERT_TRUE(fixture->command(ended, who, command::Resign{}, client));
  fixture.reset();
  fixture = std::make_unique<HubFixture>(path);
  fixture->hub.open_rooms().set_caps({100, 1, 1});
  fixture->hub.load();
  EXPECT_EQ(fixture->hub.open_rooms().opener(room).person, who.person);
  ASSERT_FALSE(want_rematch(ended).has_value());
  EXPECT_TRUE(fixture->hub.open_rooms().has_room({"a", 0}, std::chrono::steady_clock::now()));
  ASSERT_TRUE(fixture->command(room, who, command::Say{"", "hello"}, client));
  EXPECT_EQ(fixture->hub.open_rooms().opener(room).address, "a");
  EXPECT_FALSE(fixture->hub.open_rooms().has_room({"a", 0}, std::chrono::steady_clock::now()));
}

TEST_F(RematchTest, is_charged_like_opening_a_room) {
  Lobby lobby({fixture->hub, fixture->readers, fixture->log});
  Limiter limiter(0.01);  // one room, then none for minutes
  const auto routes = room_routes(fixture->hub, lobby, limiter);
  const auto route =
      std::find_if(routes.begin(), routes.end(), [](const Route& r) { return r.pattern == "/api/rooms/{id}/offer"; });
  ASSERT_NE(route, routes.end());
  Call call;
  call.client = client;
  call.person = Person{};
  call.person->id = who.person;
  call.params["id"] = open_against_engine();
  const auto status_of = [&](std::string_view what) {
    call.body = {{"what", what}};
    std::optional<Response> answer;
    std::get<LateHandler>(route->handler)(std::make_shared<const Call>(call), std::make_shared<Answer>(answer));
    EXPECT_TRUE(fixture->posts.run_until([&] { return answer.has_value(); }));
    return answer.value_or(Response{}).status;
  };
  EXPECT_EQ(status_of("rematch"), 409) << "the game has not ended";
  EXPECT_EQ(status_of("rematch"), 429);
  EXPECT_NE(status_of("draw"), 429);
}

}  // namespace
}  // namespace paika::server
