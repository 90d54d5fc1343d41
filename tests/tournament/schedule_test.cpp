#include "tournament/schedule.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "base/random.hpp"
#include "tests/tournament/plans.hpp"

namespace paika::tournament {

namespace {

using paika_tests::plan_of;
using Pair = std::pair<std::size_t, std::size_t>;

Pair unordered(std::size_t a, std::size_t b) { return {std::min(a, b), std::max(a, b)}; }

/// Plays all games by chance, in an order by chance; returns the ids.
std::vector<std::string> play_out(Schedule& schedule, std::uint64_t seed, std::uint64_t order_seed) {
  Random order(order_seed);
  std::vector<std::string> ids;
  while (!schedule.complete()) {
    const auto open = schedule.open();
    EXPECT_FALSE(open.empty()) << "not complete, and nothing to play";
    if (open.empty()) break;
    const std::string id = open[order.index(open.size())]->id;
    ids.push_back(id);
    // The result depends on the game, not on when it was played.
    std::uint64_t hash = seed;
    for (const char c : id) hash = mix64(hash ^ static_cast<unsigned char>(c));
    schedule.enter(id, static_cast<int>(hash % 3));
  }
  return ids;
}

std::vector<int> balances(const TournamentPlan& plan, const Schedule& schedule) {
  std::vector<int> balance(plan.players.size());
  for (const Pairing& pairing : schedule.pairings()) {
    for (const Fixture& game : pairing.games) {
      ++balance[game.players[0]];
      --balance[game.players[1]];
    }
  }
  return balance;
}

/// Everything about the games that are known.
std::string text_of(const Schedule& schedule) {
  std::string text;
  for (const Pairing& pairing : schedule.pairings()) {
    text += fmt::format("{} {} {} {}\n", pairing.round, pairing.table, pairing.a, pairing.b ? int(*pairing.b) : -1);
    for (const Fixture& game : pairing.games) {
      text += fmt::format("{} {} {} {}\n", game.id, game.players[0], game.players[1], game.opening);
    }
  }
  return text;
}

/// True if everybody can meet somebody new; by trying all ways.
bool can_pair(const std::set<Pair>& met, std::size_t n, std::size_t done = 0) {
  static std::vector<signed char> known;
  if (done == 0) known.assign(std::size_t{1} << n, -1);
  if (done + 1 == std::size_t{1} << n) return true;
  if (known[done] >= 0) return known[done] == 1;
  std::size_t i = 0;
  while ((done >> i & 1) != 0) ++i;
  bool can = false;
  for (std::size_t j = i + 1; j < n && !can; ++j) {
    const std::size_t next = done | std::size_t{1} << i | std::size_t{1} << j;
    can = (done >> j & 1) == 0 && !met.contains({i, j}) && can_pair(met, n, next);
  }
  known[done] = can ? 1 : 0;
  return can;
}

}  // namespace

TEST(RoundRobin, everybody_meets_everybody_once_a_round_at_most) {
  for (int n = 2; n <= 25; ++n) {
    for (const int legs : {1, 2, 3}) {
      const auto plan = plan_of(System::round_robin, n, legs);
      const Schedule schedule(plan);
      std::set<Pair> met;
      std::set<std::string> ids;
      std::set<std::pair<int, std::size_t>> busy;
      for (const Pairing& pairing : schedule.pairings()) {
        EXPECT_TRUE(busy.insert({pairing.round, pairing.a}).second);
        if (!pairing.b) continue;
        EXPECT_TRUE(busy.insert({pairing.round, *pairing.b}).second);
        EXPECT_TRUE(met.insert(unordered(pairing.a, *pairing.b)).second);
        EXPECT_EQ(pairing.games.size(), static_cast<std::size_t>(legs));
        for (const Fixture& game : pairing.games) EXPECT_TRUE(ids.insert(game.id).second);
      }
      EXPECT_EQ(met.size(), static_cast<std::size_t>(n * (n - 1) / 2));
      EXPECT_EQ(schedule.expected_games(), met.size() * static_cast<std::size_t>(legs));
      for (const int balance : balances(plan, schedule)) EXPECT_LE(std::abs(balance), 1) << n << " " << legs;
    }
  }
}

TEST(RoundRobin, openings_are_shared_by_two_games_with_colours_swapped) {
  for (const auto& [system, legs] : {std::pair{System::round_robin, 4}, std::pair{System::double_round_robin, 1},
                                     std::pair{System::double_round_robin, 3}, std::pair{System::gauntlet, 2}}) {
    const auto plan = plan_of(system, 6, legs);
    std::map<std::uint64_t, std::vector<Fixture>> by_opening;
    const Schedule schedule(plan);
    for (const Pairing& pairing : schedule.pairings()) {
      for (const Fixture& game : pairing.games) by_opening[game.opening].push_back(game);
    }
    for (const auto& games : by_opening) {
      ASSERT_EQ(games.second.size(), 2U);
      EXPECT_EQ(games.second[0].players[0], games.second[1].players[1]);
      EXPECT_EQ(games.second[0].players[1], games.second[1].players[0]);
    }
    for (const int balance : balances(plan, schedule)) EXPECT_EQ(balance, 0);
  }
}

TEST(Gauntlet, the_first_meets_all) {
  for (const int legs : {1, 2}) {
    const auto plan = plan_of(System::gauntlet, 8, legs);
    const Schedule schedule(plan);
    EXPECT_EQ(schedule.pairings().size(), 7U);
    for (const Pairing& pairing : schedule.pairings()) EXPECT_TRUE(pairing.a == 0 || *pairing.b == 0);
    EXPECT_LE(std::abs(balances(plan, schedule)[0]), 1);
  }
}

TEST(Schedules, several_games_are_all_played_in_each_pairing) {
  auto plan = plan_of(System::round_robin, 4, 1);
  plan.games = {"othello:6x6", "fanorona:5x5", "abalone"};
  const Schedule schedule(plan);
  for (const Pairing& pairing : schedule.pairings()) {
    std::set<std::size_t> specs;
    for (const Fixture& game : pairing.games) specs.insert(game.spec);
    EXPECT_EQ(specs.size(), 3U);
    EXPECT_EQ(pairing.games[2].id, fmt::format("r{}.t{}.g3.abalone", pairing.round, pairing.table));
  }
  for (const int balance : balances(plan, schedule)) EXPECT_LE(std::abs(balance), 1);
}

TEST(Swiss, default_lengths_have_no_second_meeting_and_balanced_colours) {
  for (int n = 2; n <= 40; ++n) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto plan = plan_of(System::swiss, n, 1, 0, seed);
      Schedule schedule(plan);
      play_out(schedule, seed, seed);
      std::set<Pair> met;
      std::set<std::size_t> free;
      std::vector<std::string> colours(static_cast<std::size_t>(n));
      for (const Pairing& pairing : schedule.pairings()) {
        if (!pairing.b) {
          EXPECT_TRUE(free.insert(pairing.a).second) << "free twice";
          continue;
        }
        EXPECT_TRUE(met.insert(unordered(pairing.a, *pairing.b)).second) << "n " << n << " seed " << seed;
        colours[pairing.games[0].players[0]] += 'f';
        colours[pairing.games[0].players[1]] += 's';
      }
      for (const int balance : balances(plan, schedule)) {
        // With very few players, colours must give way to new opponents.
        if (n > 6) {
          EXPECT_LE(std::abs(balance), 1) << "n " << n << " seed " << seed;
        }
      }
      for (const std::string& row : colours) {
        if (n > 6) {
          EXPECT_TRUE(row.find("fff") == std::string::npos && row.find("sss") == std::string::npos) << row;
        }
      }
      EXPECT_EQ(schedule.pairings().back().round, plan.rounds);
    }
  }
}

TEST(Swiss, a_second_meeting_only_where_nobody_could_avoid_it) {
  for (int n = 2; n <= 14; n += 2) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const auto plan = plan_of(System::swiss, n, 1, n - 1, seed);
      Schedule schedule(plan);
      play_out(schedule, seed, 1);
      std::set<Pair> met;
      for (int round = 1; round < n; ++round) {
        std::set<Pair> now;
        bool again = false;
        for (const Pairing& pairing : schedule.pairings()) {
          if (pairing.round != round) continue;
          const Pair pair = unordered(pairing.a, *pairing.b);
          again = again || met.contains(pair);
          now.insert(pair);
        }
        EXPECT_EQ(now.size(), static_cast<std::size_t>(n / 2));
        EXPECT_EQ(again, !can_pair(met, static_cast<std::size_t>(n))) << "n " << n << " round " << round;
        met.insert(now.begin(), now.end());
      }
    }
  }
}

TEST(Swiss, as_many_rounds_as_can_be_asked_for) {
  for (const int n : {5, 15, 24, 33, 40}) {
    const int rounds = n - 1 + n % 2;
    const auto plan = plan_of(System::swiss, n, 1, rounds);
    Schedule schedule(plan);
    play_out(schedule, 7, 7);
    std::set<Pair> met;
    std::map<std::size_t, int> free;
    for (const Pairing& pairing : schedule.pairings()) {
      if (!pairing.b) {
        ++free[pairing.a];
      } else if (pairing.round <= n / 2) {
        // Up to here a regular graph of those who have not met is dense enough for any history.
        EXPECT_TRUE(met.insert(unordered(pairing.a, *pairing.b)).second) << n << " round " << pairing.round;
      }
    }
    EXPECT_EQ(schedule.pairings().back().round, rounds);
  }
}

TEST(Swiss, equals_meet_and_the_last_is_free) {
  const auto plan = plan_of(System::swiss, 17, 2, 5, 9);
  Schedule schedule(plan);
  play_out(schedule, 3, 3);
  std::vector<int> points(17);
  std::set<std::size_t> free;
  int apart = 0;
  for (int round = 1; round <= plan.rounds; ++round) {
    const std::vector<int> before = points;
    for (const Pairing& pairing : schedule.pairings()) {
      if (pairing.round != round) continue;
      if (!pairing.b) {
        for (std::size_t i = 0; i < before.size(); ++i) {
          if (!free.contains(i)) {
            EXPECT_LE(before[pairing.a], before[i]) << "round " << round;
          }
        }
        free.insert(pairing.a);
        points[pairing.a] += 4;
        continue;
      }
      apart += std::abs(before[pairing.a] - before[*pairing.b]);
      const auto won = half_points(pairing, schedule.results());
      points[pairing.a] += won[0];
      points[*pairing.b] += won[1];
    }
  }
  EXPECT_LE(apart, 40) << "half points between opponents, over 40 pairings";
}

TEST(Schedules, the_same_seed_gives_the_same_in_any_order_of_results) {
  for (const System system : {System::swiss, System::knockout, System::round_robin}) {
    for (const int n : {5, 8, 13}) {
      const auto plan = plan_of(system, n, system == System::knockout ? 2 : 1, 0, 4);
      Schedule one(plan);
      Schedule two(plan);
      auto first = play_out(one, 11, 1);
      auto second = play_out(two, 11, 2);
      std::sort(first.begin(), first.end());
      std::sort(second.begin(), second.end());
      EXPECT_EQ(first, second);
      EXPECT_EQ(text_of(one), text_of(two));
      Schedule at_once(plan);
      at_once.enter(one.results());
      EXPECT_TRUE(at_once.complete());
      EXPECT_EQ(text_of(at_once), text_of(one)) << "all results together";
      const auto other = plan_of(system, n, system == System::knockout ? 2 : 1, 0, 5);
      EXPECT_NE(text_of(Schedule(other)), text_of(Schedule(plan))) << "another seed, other openings";
    }
  }
}

TEST(Knockout, one_is_left_and_even_matches_go_on) {
  for (int n = 2; n <= 20; ++n) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto plan = plan_of(System::knockout, n, 2, 0, seed);
      Schedule schedule(plan);
      play_out(schedule, seed, seed);
      std::vector<int> lost(static_cast<std::size_t>(n));
      for (const Pairing& pairing : schedule.pairings()) {
        const auto winner = schedule.winner(pairing);
        ASSERT_TRUE(winner);
        if (!pairing.b) continue;
        ++lost[*winner == pairing.a ? *pairing.b : pairing.a];
        const auto points = half_points(pairing, schedule.results());
        const auto extra = static_cast<int>(pairing.games.size()) - plan.legs;
        EXPECT_EQ(extra % 2, 0);
        EXPECT_LE(extra, 2 * plan.extra_pairs);
        if (extra < 2 * plan.extra_pairs) {
          EXPECT_NE(points[0], points[1]);
        }
        if (points[0] == points[1]) {
          EXPECT_EQ(*winner, std::min(pairing.a, *pairing.b)) << "the better seed";
        }
      }
      EXPECT_EQ(std::count(lost.begin(), lost.end(), 0), 1);
      EXPECT_EQ(std::count(lost.begin(), lost.end(), 1), n - 1);
    }
  }
}

TEST(Knockout, the_best_seeds_meet_last) {
  const auto plan = plan_of(System::knockout, 16, 2);
  Schedule schedule(plan);
  while (!schedule.complete()) {
    const Fixture game = *schedule.open().front();
    schedule.enter(game.id, game.players[0] < game.players[1] ? 2 : 0);
  }
  const Pairing& final = schedule.pairings().back();
  EXPECT_EQ(final.round, 4);
  EXPECT_EQ(unordered(final.a, *final.b), Pair(0, 1));
  EXPECT_EQ(schedule.winner(final), 0U);
}

}  // namespace paika::tournament
