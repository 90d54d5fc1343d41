// Matches: pairs, colours, openings, early ends; played by puppets and by small engines.
#include "play/match.hpp"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <set>

#include "tests/play/puppets.hpp"
#include "tests/support/session.hpp"

namespace paika::play {
namespace {

using paika_tests::must;
using paika_tests::must_open;
using paika_tests::Puppet;

MatchEntry puppet(const std::string& name, const Puppet::Choose& choose = {}) {
  MatchEntry entry;
  entry.text = name;
  entry.limits.depth = 1;
  entry.make = [name, choose]() -> Result<std::unique_ptr<GamePlayer>> {
    return std::make_unique<Puppet>(name, choose);
  };
  return entry;
}

MatchEntry quitter() {
  return puppet("quitter", [](const GameSoFar&, const Allowance&, const std::stop_token&) {
    return tl::expected<Choice, Failed>(tl::unexpected(Failed{Failure::crash, "it gave up"}));
  });
}

MatchPlan plan_of(std::string_view spec, MatchEntry a, MatchEntry b, std::uint64_t pairs) {
  MatchPlan plan;
  plan.game = must_open(spec);
  plan.entries = {std::move(a), std::move(b)};
  plan.pairs = pairs;
  plan.opening_plies = 4;
  plan.max_turns = 100;
  return plan;
}

TEST(Match, each_opening_is_played_twice_with_colours_swapped) {
  MatchPlan plan = plan_of("othello:6x6", puppet("A"), puppet("B"), 10);
  plan.threads = 3;
  std::vector<GameRecord> records;
  MatchListener listener;
  listener.game_ended = [&](const GameRecord& record) { records.push_back(record); };
  const MatchScore score = must(play_match(plan, listener, {}), "match");
  ASSERT_EQ(records.size(), 20U);
  EXPECT_EQ(score.games(), 20U);
  EXPECT_EQ(pairs_in(score.pairs), 10U);
  EXPECT_EQ(score.different_openings, 10U);
  std::set<std::string> openings;
  for (std::size_t i = 0; i < records.size(); i += 2) {
    EXPECT_EQ(records[i].players[0], "A");
    EXPECT_EQ(records[i + 1].players[0], "B");
    std::string opening;
    for (std::size_t t = 0; t < 4; ++t) {
      EXPECT_EQ(records[i].turns[t], records[i + 1].turns[t]);
      opening += records[i].turns[t].text;
    }
    openings.insert(opening);
  }
  EXPECT_EQ(openings.size(), 10U);
  // Two puppets that play alike: what one wins from an opening, the other wins too.
  EXPECT_EQ(score.pairs, (PairCounts{0, 0, 10, 0, 0}));
}

TEST(Match, points_go_to_whom_they_belong) {
  const MatchScore score = must(play_match(plan_of("othello:6x6", puppet("A"), quitter(), 5), {}, {}), "match");
  EXPECT_EQ(score.wins, (std::array<std::uint64_t, 2>{10, 0}));
  EXPECT_EQ(score.pairs, (PairCounts{0, 0, 0, 0, 5}));
  EXPECT_EQ(score.failures[1][static_cast<std::size_t>(Failure::crash)], 10U);
  EXPECT_EQ(score.first_wins, 5U);
  EXPECT_NE(score.last_failure.find("it gave up"), std::string::npos);
  const MatchScore mirror = must(play_match(plan_of("othello:6x6", quitter(), puppet("B"), 5), {}, {}), "match");
  EXPECT_EQ(mirror.pairs, (PairCounts{5, 0, 0, 0, 0}));
}

TEST(Match, a_decided_test_ends_it) {
  MatchPlan plan = plan_of("othello:6x6", puppet("A"), quitter(), 100'000);
  plan.sprt = Sprt{0, 50, 0.05, 0.05};
  plan.threads = 2;
  const MatchScore score = must(play_match(plan, {}, {}), "match");
  EXPECT_EQ(sprt_state(score.pairs, *plan.sprt), SprtState::elo1_accepted);
  EXPECT_LT(score.games(), 1000U);
}

TEST(Match, can_be_stopped) {
  const MatchPlan plan = plan_of("othello:6x6", puppet("A"), puppet("B"), 100'000);
  std::stop_source source;
  MatchListener listener;
  listener.pair_ended = [&](const MatchScore& score) {
    if (score.games() >= 6) source.request_stop();
  };
  EXPECT_EQ(must(play_match(plan, listener, source.get_token()), "match").games(), 6U);
}

TEST(Match, a_player_that_cannot_start_is_an_error) {
  EngineSettings each;
  each.limits.depth = 1;
  const auto bot = must(read_player("bot:exit 1", each), "bot");
  const MatchPlan plan = plan_of("othello:6x6", puppet("A"), enter(must_open("othello:6x6"), bot, Milliseconds(10)), 5);
  const auto score = play_match(plan, {}, {});
  ASSERT_FALSE(score);
  EXPECT_EQ(score.error().message.substr(0, 36), "the player \"bot:exit 1\" cannot play:");
}

TEST(Match, engines_play_the_same_match_on_any_number_of_threads) {
  const GamePtr game = must_open("othello:6x6");
  EngineSettings each;
  each.search.hash_mb = 1;
  each.limits.nodes = 300;
  std::vector<std::vector<std::string>> runs;
  for (const int threads : {1, 3}) {
    MatchPlan plan = plan_of("othello:6x6", {}, {}, 6);
    plan.game = game;
    plan.entries = {enter(game, must(read_player("engine", each), "A"), Milliseconds(10)),
                    enter(game, must(read_player("engine:nodes=60,level=4,seed=3", each), "B"), Milliseconds(10))};
    plan.threads = threads;
    plan.balance = 300;
    std::vector<std::string> texts;
    MatchListener listener;
    listener.game_ended = [&](GameRecord record) {
      for (RecordedTurn& turn : record.turns) turn.time.reset();
      texts.push_back(record_text(record));
    };
    EXPECT_TRUE(play_match(plan, listener, {}));
    std::sort(texts.begin(), texts.end());
    runs.push_back(texts);
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(Openings, are_different_and_repeatable) {
  for (const std::string_view spec : {"fanorona", "abalone", "othello", "wildebeest"}) {
    Openings a(must_open(spec), "", 3, 7, {});
    Openings b(must_open(spec), "", 3, 7, {});
    Openings c(must_open(spec), "", 3, 8, {});
    bool all_same = true;
    for (int i = 0; i < 20; ++i) {
      const auto opening = a.next();
      EXPECT_EQ(opening.size(), 3U);
      EXPECT_EQ(opening, b.next());
      all_same = all_same && opening == c.next();
    }
    EXPECT_FALSE(all_same) << "another seed gives other openings";
    EXPECT_EQ(a.different(), 20U);
  }
}

TEST(Openings, small_games_repeat_themselves_instead_of_failing) {
  Openings openings(must_open("fanorona:3x3"), "", 2, 1, {});
  for (int i = 0; i < 300; ++i) EXPECT_LE(openings.next().size(), 2U);
  EXPECT_LT(openings.different(), 300U);
  Openings too_long(must_open("fanorona:3x3"), "", 500, 1, {});
  EXPECT_LT(too_long.next().size(), 500U);
}

TEST(Openings, the_filter_chooses) {
  const auto no_corner = [](const Session& session) { return session.position_text()[0] == '-'; };
  Openings openings(must_open("othello:6x6"), "", 8, 1, no_corner);
  for (int i = 0; i < 20; ++i) {
    const auto session = must_open("othello:6x6")->start();
    for (const std::string& turn : openings.next()) ASSERT_TRUE(session->try_play(turn));
    EXPECT_EQ(session->position_text()[0], '-');
  }
}

TEST(Openings, balanced_ones_are_not_decided) {
  const GamePtr game = must_open("wildebeest");
  Openings openings(game, "", 4, 1, balanced(game, 300));
  for (int i = 0; i < 5; ++i) {
    const auto session = game->start();
    for (const std::string& turn : openings.next()) ASSERT_TRUE(session->try_play(turn));
    bool king_can_be_taken = false;
    session->for_each_turn([&](const ListedTurn& turn) {
      const auto after = must(game->start_from_text(turn.position_after), "position");
      king_can_be_taken = king_can_be_taken || after->outcome().won_by(session->board().to_move);
      return true;
    });
    EXPECT_FALSE(king_can_be_taken);
  }
}

}  // namespace
}  // namespace paika::play
