// Token buckets and routes.
#include "server/http/limits.hpp"

#include <gtest/gtest.h>

#include "server/http/route.hpp"

namespace paika::server {
namespace {

using namespace std::chrono_literals;
using TimePoint = std::chrono::steady_clock::time_point;

constexpr TimePoint begin = TimePoint() + 1h;

int taken_at_once(Limiter& limiter, std::string_view client, Rate rate, TimePoint now) {
  int taken = 0;
  while (taken < 100'000 && !limiter.take(client, rate, now)) ++taken;
  return taken;
}

TEST(Limits, so_many_at_once_and_so_many_a_second) {
  Limiter limiter;
  EXPECT_EQ(taken_at_once(limiter, "a", Rate::command, begin), 30);
  EXPECT_EQ(limiter.take("a", Rate::command, begin), 100ms);
  EXPECT_EQ(limiter.take("a", Rate::command, begin + 50ms), 50ms);
  EXPECT_EQ(limiter.take("a", Rate::command, begin + 100ms), std::nullopt);
  EXPECT_EQ(taken_at_once(limiter, "a", Rate::command, begin + 1100ms), 10);
  EXPECT_EQ(taken_at_once(limiter, "a", Rate::command, begin + 1h), 30);
  // A clock that goes back gives nothing.
  EXPECT_EQ(taken_at_once(limiter, "a", Rate::command, begin), 0);
  EXPECT_EQ(limiter.take("a", Rate::command, begin + 1h), 100ms);
}

TEST(Limits, kinds_and_clients_are_counted_apart) {
  Limiter limiter;
  EXPECT_EQ(taken_at_once(limiter, "a", Rate::secrets, begin), 10);
  EXPECT_EQ(limiter.take("a", Rate::secrets, begin), 10s);
  EXPECT_EQ(taken_at_once(limiter, "a", Rate::opening, begin), 20);
  EXPECT_EQ(taken_at_once(limiter, "b", Rate::secrets, begin), 10);
  EXPECT_EQ(taken_at_once(limiter, "a", Rate::none, begin), 100'000);
  EXPECT_EQ(limiter.size(), 3U);
}

TEST(Limits, a_factor_raises_them) {
  Limiter limiter(10);
  EXPECT_EQ(taken_at_once(limiter, "a", Rate::analysis, begin), 60);
  EXPECT_EQ(taken_at_once(limiter, "a", Rate::analysis, begin + 1s), 5);
}

TEST(Limits, memory_is_bounded_and_the_last_ones_are_kept) {
  Limiter limiter(1, 100);
  EXPECT_EQ(taken_at_once(limiter, "busy", Rate::secrets, begin), 10);
  for (int i = 0; i < 10'000; ++i) {
    static_cast<void>(limiter.take(std::to_string(i), Rate::reading, begin));
    if (i % 50 == 0) {
      EXPECT_TRUE(limiter.take("busy", Rate::secrets, begin));
    }
  }
  EXPECT_EQ(limiter.size(), 100U);
  EXPECT_TRUE(limiter.take("busy", Rate::secrets, begin));
  for (int i = 0; i < 100; ++i) static_cast<void>(limiter.take(std::to_string(i), Rate::reading, begin));
  EXPECT_FALSE(limiter.take("busy", Rate::secrets, begin));
}

TEST(Limits, all_kinds_have_a_name) {
  for (const Rate rate : {Rate::reading, Rate::position, Rate::analysis, Rate::command, Rate::opening, Rate::secrets}) {
    EXPECT_FALSE(name(rate).empty());
    EXPECT_GE(allowed(rate).burst, 1);
    EXPECT_GT(allowed(rate).per_second, 0);
  }
}

// ---- Routes ----

Route route(std::string method, std::string pattern) {
  return {std::move(method), std::move(pattern), Rate::reading, Need::nobody, QuickHandler()};
}

Router some_routes() {
  Router router;
  std::vector<Route> routes;
  routes.push_back(route("GET", "/"));
  routes.push_back(route("GET", "/api/rooms"));
  routes.push_back(route("POST", "/api/rooms"));
  routes.push_back(route("GET", "/api/rooms/{id}"));
  routes.push_back(route("DELETE", "/api/rooms/{room}"));
  routes.push_back(route("GET", "/api/rooms/mine"));
  router.add(std::move(routes));
  routes = {};
  routes.push_back(route("POST", "/api/rooms/{id}/turns/{number}"));
  routes.push_back(route("GET", "/api/{kind}/all/x"));
  routes.push_back(route("GET", "/api/rooms/{id}/x"));
  router.add(std::move(routes));
  return router;
}

std::string found(const Router& router, std::string_view method, std::string_view path) {
  const auto found = router.find(method, path);
  if (!found) return "none";
  if (found->route == nullptr) {
    std::string methods;
    for (const auto& allowed : found->allowed) methods += allowed + " ";
    return methods;
  }
  std::string text = found->route->pattern;
  for (const auto& [key, value] : found->params) text.append(" ").append(key).append("=").append(value);
  return text;
}

TEST(Routes, are_found_by_method_and_path) {
  const Router router = some_routes();
  EXPECT_EQ(router.routes().size(), 9U);
  EXPECT_EQ(found(router, "GET", "/"), "/");
  EXPECT_EQ(found(router, "GET", "/api/rooms"), "/api/rooms");
  EXPECT_EQ(found(router, "GET", "/api/rooms/x7"), "/api/rooms/{id} id=x7");
  EXPECT_EQ(found(router, "DELETE", "/api/rooms/x7"), "/api/rooms/{room} room=x7");
  EXPECT_EQ(found(router, "POST", "/api/rooms/x7/turns/12"), "/api/rooms/{id}/turns/{number} id=x7 number=12");
  EXPECT_EQ(found(router, "HEAD", "/api/rooms/x7"), "/api/rooms/{id} id=x7");
}

TEST(Routes, what_is_written_out_goes_first) {
  const Router router = some_routes();
  EXPECT_EQ(found(router, "GET", "/api/rooms/mine"), "/api/rooms/mine");
  EXPECT_EQ(found(router, "GET", "/api/rooms/all/x"), "/api/rooms/{id}/x id=all");
  EXPECT_EQ(found(router, "GET", "/api/games/all/x"), "/api/{kind}/all/x kind=games");
}

TEST(Routes, other_methods_and_paths) {
  const Router router = some_routes();
  EXPECT_EQ(found(router, "PUT", "/api/rooms"), "GET HEAD POST ");
  EXPECT_EQ(found(router, "HEAD", "/api/rooms/x/turns/1"), "POST ");
  EXPECT_EQ(found(router, "get", "/"), "GET HEAD ");
  for (const char* path : {"", "api", "/api", "/api/rooms/", "/api/rooms//x", "/api/rooms/x7/turns",
                           "/api/rooms/x7/turns/", "/api/rooms/x7/turns/1/", "/API/rooms", "//"})
    EXPECT_EQ(found(router, "GET", path), "none") << path;
}

}  // namespace
}  // namespace paika::server
