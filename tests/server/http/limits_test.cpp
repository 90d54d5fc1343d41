// Token buckets and routes.
#include "server/http/limits.hpp"

#include <gtest/gtest.h>

#include "server/http/route.hpp"

namespace paika::server {
namespace {

using namespace std::chrono_literals;
using TimePoint = std::chrono::steady_clock::time_point;

constexpr TimePoint begin = TimePoint() + 1h;

/// A person at an address of its own.
Client at(std::string_view address, PersonId person = 1) { return {std::string(address), person}; }

int taken_at_once(Limiter& limiter, const Client& client, Rate rate, TimePoint now) {
  int taken = 0;
  while (taken < 100'000 && !limiter.take(client, rate, now)) ++taken;
  return taken;
}

TEST(Limits, so_many_at_once_and_so_many_a_second) {
  Limiter limiter;
  const Client a = at("a");
  EXPECT_EQ(taken_at_once(limiter, a, Rate::command, begin), 30);
  EXPECT_EQ(limiter.take(a, Rate::command, begin), 100ms);
  EXPECT_EQ(limiter.take(a, Rate::command, begin + 50ms), 50ms);
  EXPECT_EQ(limiter.take(a, Rate::command, begin + 100ms), std::nullopt);
  EXPECT_EQ(taken_at_once(limiter, a, Rate::command, begin + 1100ms), 10);
  EXPECT_EQ(taken_at_once(limiter, a, Rate::command, begin + 1h), 30);
  // A clock that goes back gives nothing.
  EXPECT_EQ(taken_at_once(limiter, a, Rate::command, begin), 0);
  EXPECT_EQ(limiter.take(a, Rate::command, begin + 1h), 100ms);
}

TEST(Limits, kinds_and_clients_are_counted_apart) {
  Limiter limiter;
  EXPECT_EQ(taken_at_once(limiter, at("a", 1), Rate::secrets, begin), 10);
  EXPECT_EQ(limiter.take(at("a", 1), Rate::secrets, begin), 10s);
  EXPECT_EQ(limiter.take(at("b", 1), Rate::secrets, begin), 10s) << "a person stays the same at another address";
  EXPECT_EQ(taken_at_once(limiter, at("a", 1), Rate::opening, begin), 20);
  EXPECT_EQ(taken_at_once(limiter, at("a", 2), Rate::secrets, begin), 10);
  EXPECT_EQ(taken_at_once(limiter, at("a", 1), Rate::none, begin), 100'000);
}

TEST(Limits, many_persons_have_no_more_than_their_address) {
  for (const Rate rate :
       {Rate::reading, Rate::position, Rate::analysis, Rate::command, Rate::opening, Rate::guest, Rate::secrets}) {
    Limiter limiter;
    int taken = 0;
    for (PersonId person = 1; person <= 2'000; ++person) taken += taken_at_once(limiter, at("a", person), rate, begin);
    EXPECT_EQ(taken, static_cast<int>(allowed(rate, Payer::address).burst)) << name(rate);
    EXPECT_TRUE(limiter.take(at("a", 0), rate, begin)) << "nor has who is not known";
    EXPECT_FALSE(limiter.take(at("b", 3'000), rate, begin)) << "others are not concerned";
  }
}

TEST(Limits, who_is_refused_for_one_pays_for_neither) {
  Limiter limiter;
  EXPECT_EQ(taken_at_once(limiter, at("a", 1), Rate::secrets, begin), 10);
  for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(limiter.take(at("a", 1), Rate::secrets, begin));
  int others = 0;
  for (PersonId person = 2; person <= 200; ++person) {
    others += taken_at_once(limiter, at("a", person), Rate::secrets, begin);
  }
  EXPECT_EQ(others, 230) << "the address was not charged for what was refused";
}

TEST(Limits, a_school_behind_one_address_can_begin) {
  // 60 students load the page, log in or register, join a class and begin a game, all in one second.
  Limiter limiter;
  const auto all_may = [&](Rate rate, int times, bool known) {
    int refused = 0;
    for (PersonId person = 1; person <= 60; ++person) {
      for (int i = 0; i < times; ++i) refused += limiter.take(at("a", known ? person : 0), rate, begin) ? 1 : 0;
    }
    return refused == 0;
  };
  EXPECT_TRUE(all_may(Rate::reading, 30, false));
  EXPECT_TRUE(all_may(Rate::guest, 1, false));
  EXPECT_TRUE(all_may(Rate::secrets, 3, true));
  EXPECT_TRUE(all_may(Rate::opening, 2, true));
  EXPECT_TRUE(all_may(Rate::command, 15, true));
  EXPECT_TRUE(all_may(Rate::analysis, 1, true));
}

TEST(Limits, a_factor_raises_them) {
  Limiter limiter(10);
  EXPECT_EQ(taken_at_once(limiter, at("a"), Rate::analysis, begin), 60);
  EXPECT_EQ(taken_at_once(limiter, at("a"), Rate::analysis, begin + 1s), 5);
  EXPECT_EQ(scaled({7, 2, 3}, 10).per_address, 20U);
  EXPECT_EQ(scaled({7, 2, 3}, 10).per_person, 30U);
  EXPECT_EQ(scaled({7, 2, 3}, 10).total, 7U) << "the machine does not grow";
}

TEST(Limits, memory_is_bounded_and_the_last_ones_are_kept) {
  Limiter limiter(1, 100);
  const auto busy = [&] { return limiter.take("busy", Allowed{10, 0.1}, begin); };
  int taken = 0;
  while (!busy()) ++taken;
  EXPECT_EQ(taken, 10);
  for (int i = 0; i < 10'000; ++i) {
    static_cast<void>(limiter.take(at(std::to_string(i), 0), Rate::reading, begin));
    if (i % 50 == 0) {
      EXPECT_TRUE(busy());
    }
  }
  EXPECT_EQ(limiter.size(), 100U);
  EXPECT_TRUE(busy());
  for (int i = 0; i < 100; ++i) static_cast<void>(limiter.take(at(std::to_string(i), 0), Rate::reading, begin));
  EXPECT_FALSE(busy());
}

TEST(Limits, all_kinds_have_a_name) {
  for (const Rate rate :
       {Rate::reading, Rate::position, Rate::analysis, Rate::command, Rate::opening, Rate::guest, Rate::secrets}) {
    EXPECT_FALSE(name(rate).empty());
    for (const Payer payer : {Payer::person, Payer::address}) {
      EXPECT_GE(allowed(rate, payer).burst, 1);
      EXPECT_GT(allowed(rate, payer).per_second, 0);
    }
    EXPECT_GE(allowed(rate, Payer::address).burst, allowed(rate, Payer::person).burst);
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
