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
  const auto routes = room_routes(fixture.hub, lobby);
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

}  // namespace
}  // namespace paika::server
