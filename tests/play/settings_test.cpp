// Settings texts: what they mean, and what is said about bad ones.
#include "play/settings.hpp"

#include <gtest/gtest.h>

#include "tests/support/must.hpp"

namespace paika::play {
namespace {

using paika_tests::must;

std::string settings_error(std::string_view text) {
  const auto settings = read_settings(text);
  return settings ? "" : settings.error().message;
}

TEST(Settings, every_key_reaches_its_place) {
  const auto s = must(read_settings("time=100ms,clock=60s+0.5s,depth=6,nodes=5000,threads=2,hash=16,level=3,multipv=4,"
                                    "seed=9,table=off,null_move=off,tuned=on"),
                      "settings");
  EXPECT_EQ(s.limits.move_time, Milliseconds(100));
  EXPECT_EQ(s.limits.clock->left, Milliseconds(60'000));
  EXPECT_EQ(s.limits.clock->increment, Milliseconds(500));
  EXPECT_EQ(s.limits.depth, 6);
  EXPECT_EQ(s.limits.nodes, 5000U);
  EXPECT_EQ(s.search.threads, 2);
  EXPECT_EQ(s.search.hash_mb, 16);
  EXPECT_EQ(s.search.level, 3);
  EXPECT_EQ(s.search.lines, 4);
  EXPECT_EQ(s.search.seed, 9U);
  EXPECT_FALSE(s.search.features.table);
  EXPECT_FALSE(s.search.features.null_move);
  EXPECT_TRUE(s.search.features.tuned);
  EXPECT_TRUE(s.search.features.quiescence);
}

TEST(Settings, every_feature_has_a_key) {
  for (const FeatureName& feature : feature_names) {
    const auto s = must(read_settings(std::string(feature.name) + "=off"), feature.name);
    EXPECT_FALSE(s.search.features.*feature.member) << feature.name;
  }
}

TEST(Settings, nothing_given_is_nothing_changed) {
  EngineSettings base;
  base.search.hash_mb = 3;
  EXPECT_EQ(must(read_settings("", base), "").search.hash_mb, 3);
  EXPECT_EQ(must(read_settings("  ", base), "").search.hash_mb, 3);
  EXPECT_FALSE(any_limit(must(read_settings("hash=8"), "").limits));
}

TEST(Settings, durations) {
  EXPECT_EQ(must(read_duration("1.5s", Milliseconds(1)), "").count(), 1500);
  EXPECT_EQ(must(read_duration("2min", Milliseconds(1)), "").count(), 120'000);
  EXPECT_EQ(must(read_duration("0ms", Milliseconds(0)), "").count(), 0);
  for (const std::string_view bad :
       {"", "100", "ms", "-5ms", "0ms", "1e3ms", "infms", "nans", "100 ms", "25h", "99999999s"}) {
    EXPECT_FALSE(read_duration(bad, Milliseconds(1))) << bad;
  }
  for (const Milliseconds time : {Milliseconds(1), Milliseconds(999), Milliseconds(1000), Milliseconds(60'000)}) {
    EXPECT_EQ(must(read_duration(duration_text(time), Milliseconds(1)), "").count(), time.count());
  }
}

TEST(Settings, a_plan_is_a_level_of_ones_own) {
  const auto settings = must(read_settings("plan=2/5000/500/0.7"), "a plan");
  ASSERT_TRUE(settings.search.plan);
  EXPECT_EQ(settings.search.plan->depth, 2);
  EXPECT_EQ(settings.search.plan->nodes, 5000U);
  EXPECT_EQ(settings.search.plan->lines, 500);
  EXPECT_EQ(settings.search.plan->temperature, 0.7);
  EXPECT_EQ(search_settings_text(settings.search), "plan=2/5000/500/0.7");
}

TEST(Settings, limits_text_is_read_back) {
  for (const std::string text : {"", "time=100ms", "clock=60s", "clock=60s+500ms", "depth=6", "nodes=5000",
                                 "time=2s,clock=90s,depth=3,nodes=7"}) {
    EXPECT_EQ(limits_text(must(read_settings(text), text).limits), text);
  }
}

TEST(Settings, bad_texts_are_explained) {
  EXPECT_EQ(settings_error("tiem=5ms").substr(0, 50), "there is no setting \"tiem\" (did you mean time?); t");
  EXPECT_EQ(settings_error("hash=0"), "hash must be a whole number from 1 to 65536, not \"0\"");
  EXPECT_EQ(settings_error("level=15"), "level must be a whole number from 1 to 14, not \"15\"");
  for (const char* plan : {"plan=", "plan=2", "plan=2/5000/5", "plan=2/5000/5/1/1", "plan=-1/0/1/0", "plan=2/x/5/1",
                           "plan=2/5000/501/1", "plan=2/5000/5/"}) {
    EXPECT_NE(settings_error(plan).find("DEPTH/POSITIONS/MOVES/TEMPERATURE"), std::string::npos) << plan;
  }
  EXPECT_EQ(settings_error("table=maybe"), "table must be on or off, not \"maybe\"");
  EXPECT_EQ(settings_error("depth"), "the setting depth needs a value: depth=...");
  EXPECT_EQ(settings_error("depth=3,depth=4"), "the setting \"depth\" is given twice");
  EXPECT_NE(settings_error("clock=60s+"), "");
  EXPECT_NE(settings_error("clock=60"), "");
  EXPECT_NE(settings_error(","), "");
  EXPECT_NE(settings_error("hash=16,"), "");
}

TEST(Settings, a_refused_setting_changes_nothing) {
  EngineSettings settings;
  EXPECT_FALSE(apply_setting(settings, "hash", "x"));
  EXPECT_EQ(settings.search.hash_mb, SearchSettings{}.hash_mb);
}

TEST(PlayerTexts, engines_and_bots) {
  EngineSettings each;
  each.search.hash_mb = 5;
  each.limits.depth = 4;
  const auto plain = must(read_player("engine", each), "engine");
  EXPECT_TRUE(plain.command.empty());
  EXPECT_EQ(plain.settings.search.hash_mb, 5);
  EXPECT_EQ(plain.settings.limits.depth, 4);
  const auto timed = must(read_player("engine:time=10ms", each), "engine");
  EXPECT_FALSE(timed.settings.limits.depth) << "limits of its own replace all others";
  EXPECT_EQ(timed.settings.limits.move_time, Milliseconds(10));
  const auto bot = must(read_player("bot:python3 'my bot.py' a:b=c", each), "bot");
  EXPECT_EQ(bot.command, "python3 'my bot.py' a:b=c");
  EXPECT_EQ(bot.settings.limits.depth, 4);
  for (const std::string_view bad : {"", "human", "bot:", "bot", "engine:what", "enginetime=1s"}) {
    EXPECT_FALSE(read_player(bad, each)) << bad;
  }
}

TEST(PlayerTexts, seats) {
  EngineSettings each;
  each.limits.clock = GameClock{Milliseconds(60'000), Milliseconds(0)};
  each.limits.depth = 4;
  SearchLimits usual;
  usual.move_time = Milliseconds(1000);
  const auto person = must(read_seat("Human", each, usual), "human");
  EXPECT_TRUE(person.person);
  EXPECT_EQ(person.settings.limits.clock->left, Milliseconds(60'000));
  EXPECT_FALSE(person.settings.limits.depth) << "a person has limits of time only";
  EXPECT_EQ(must(read_seat("human:time=5s", each, usual), "human").settings.limits.move_time, Milliseconds(5000));
  EXPECT_EQ(must(read_seat("engine", {}, usual), "engine").settings.limits.move_time, Milliseconds(1000));
  EXPECT_FALSE(must(read_seat("engine:depth=3", {}, usual), "engine").settings.limits.move_time);
  for (const std::string_view bad : {"", "humans", "human:depth=3", "human:level=3", "chess", "bot:"}) {
    EXPECT_FALSE(read_seat(bad, {}, usual)) << bad;
  }
  for (const std::string_view text : {"human", "human:time=5s,clock=60s+1s", "engine:level=3,hash=16,table=off,time=2s",
                                      "engine:depth=3", "bot:my bot.py a=b"}) {
    EXPECT_EQ(seat_text(must(read_seat(text, {}, {}), text)), text);
  }
}

}  // namespace
}  // namespace paika::play
