// Who plays whom next on a ladder: whole ladders are played out without any bot.
#include "server/classes/pairing.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace paika_tests {

namespace {

using paika::server::BotId;
using paika::server::BotRow;
using paika::server::HalfPair;
using paika::server::LadderPairing;
using paika::server::Meeting;
using paika::server::next_pairing;

struct Ladder {
  std::vector<BotRow> bots;
  std::map<std::pair<BotId, BotId>, int> met;
  std::map<BotId, int> as_first;
  std::map<std::int64_t, HalfPair> begun;
  std::int64_t last_pair = 0;
  int games = 0;

  void add(BotId id, double rating = 1500) {
    BotRow bot;
    bot.id = id;
    bot.rating.value = rating;
    bots.push_back(bot);
  }
  [[nodiscard]] std::optional<LadderPairing> next(int pairs, const std::set<BotId>& busy = {}) const {
    std::vector<Meeting> meetings;
    for (const auto& [who, count] : met) meetings.push_back({who.first, who.second, count});
    std::vector<HalfPair> halves;
    for (const auto& [pair, half] : begun) halves.push_back(half);
    std::vector<BotRow> free = bots;
    std::erase_if(free, [&](const BotRow& bot) { return busy.contains(bot.id); });
    return next_pairing(free, meetings, halves, last_pair, pairs);
  }
  void play(const LadderPairing& pairing) {
    for (BotRow& bot : bots) {
      if (bot.id == pairing.first || bot.id == pairing.second) ++bot.draws;
    }
    ++met[std::minmax(pairing.first, pairing.second)];
    ++as_first[pairing.first];
    if (pairing.leg == 1) {
      begun[pairing.pair] = {pairing.pair, {pairing.first, pairing.second}};
    } else {
      begun.erase(pairing.pair);
    }
    last_pair = std::max(last_pair, pairing.pair);
    ++games;
  }
};

TEST(Pairing, nobody_plays_alone) {
  Ladder ladder;
  EXPECT_FALSE(ladder.next(3));
  ladder.add(1);
  EXPECT_FALSE(ladder.next(3));
}

TEST(Pairing, house_bots_play_students_but_not_each_other) {
  Ladder ladder;
  for (const BotId id : {1, 2, 3}) {
    ladder.add(id);
    ladder.bots.back().protocol = paika::server::house_protocol;
  }
  EXPECT_FALSE(ladder.next(2)) << "there is no student's bot";
  ladder.add(4);
  while (const auto pairing = ladder.next(2)) {
    EXPECT_TRUE(pairing->first == 4 || pairing->second == 4);
    ladder.play(*pairing);
  }
  EXPECT_EQ(ladder.games, 3 * 4);
}

TEST(Pairing, everybody_meets_everybody_as_often_with_both_colours) {
  for (const int bots : {2, 3, 6, 9}) {
    Ladder ladder;
    for (BotId id = 1; id <= bots; ++id) ladder.add(id, 1500 + 10.0 * static_cast<double>(id % 4));
    constexpr int pairs = 3;
    std::set<std::pair<std::int64_t, int>> numbers;
    while (const auto pairing = ladder.next(pairs)) {
      ASSERT_NE(pairing->first, pairing->second);
      EXPECT_TRUE(numbers.insert({pairing->pair, pairing->leg}).second) << "the same game twice";
      ladder.play(*pairing);
      ASSERT_LE(ladder.games, 1000);
      if (pairing->leg == 1 || ladder.games > bots * (bots - 1)) continue;
      // In the first round nobody is far ahead of the others.
      const auto [least, most] = std::minmax_element(ladder.bots.begin(), ladder.bots.end(),
                                                     [](const auto& a, const auto& b) { return a.draws < b.draws; });
      EXPECT_LE(most->draws - least->draws, bots + 1) << bots;
    }
    EXPECT_EQ(ladder.games, bots * (bots - 1) / 2 * 2 * pairs);
    for (const auto& [who, count] : ladder.met) EXPECT_EQ(count, 2 * pairs);
    for (const BotRow& bot : ladder.bots) EXPECT_EQ(2 * ladder.as_first[bot.id], bot.draws);
  }
}

TEST(Pairing, the_second_game_of_a_pair_has_swapped_colours) {
  Ladder ladder;
  ladder.add(1);
  ladder.add(2);
  const auto first = ladder.next(1);
  ASSERT_TRUE(first);
  ladder.play(*first);
  const auto second = ladder.next(1);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->first, first->second);
  EXPECT_EQ(second->second, first->first);
  EXPECT_EQ(second->pair, first->pair);
  EXPECT_EQ(second->leg, 2);
}

TEST(Pairing, a_pair_whose_bot_is_gone_is_not_finished) {
  Ladder ladder;
  ladder.add(1);
  ladder.add(2);
  ladder.play(*ladder.next(2));
  ladder.bots.pop_back();
  ladder.add(3);
  const auto next = ladder.next(2);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->leg, 1);
  EXPECT_EQ(next->pair, ladder.last_pair + 1);
}

TEST(Pairing, who_plays_already_is_left_out) {
  Ladder ladder;
  for (BotId id = 1; id <= 4; ++id) ladder.add(id);
  const auto first = ladder.next(2);
  ASSERT_TRUE(first);
  ladder.last_pair = first->pair;
  const std::set<BotId> busy = {first->first, first->second};
  const auto second = ladder.next(2, busy);
  ASSERT_TRUE(second);
  EXPECT_FALSE(busy.contains(second->first) || busy.contains(second->second));
  EXPECT_EQ(second->pair, first->pair + 1);
  ladder.play(*first);
  // The second game of a pair waits for both of its bots.
  const auto third = ladder.next(2, {first->first});
  ASSERT_TRUE(third);
  EXPECT_EQ(third->leg, 1);
  EXPECT_EQ(ladder.next(2)->leg, 2);
  EXPECT_FALSE(ladder.next(2, {1, 2, 3}));
}

TEST(Pairing, a_new_bot_plays_at_once_against_the_nearest) {
  Ladder ladder;
  ladder.add(1, 1500);
  ladder.add(2, 1500);
  for (int i = 0; i < 4; ++i) ladder.play(*ladder.next(9));
  ladder.add(3, 1720);
  ladder.bots[1].rating.value = 1700;
  const auto next = ladder.next(9);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->first, 3);
  EXPECT_EQ(next->second, 2);
}

}  // namespace

}  // namespace paika_tests
