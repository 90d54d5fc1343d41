// The computer player through its door: every game, every level, every kind of limit.
#include "engine/engine.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <set>

#include "base/random.hpp"
#include "engine/json.hpp"
#include "tests/support/cpu_time.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

GamePtr game_of(std::string_view spec) { return paika_tests::must_open(spec); }

constexpr std::array<std::string_view, 14> all_kinds = {"fanorona:9x5",
                                                        "fanorona:5x5,sacrifice=off",
                                                        "fanorona:3x3",
                                                        "fanorona:1x3",
                                                        "fanorona:11x9",
                                                        "fanorona:13x13",
                                                        "abalone:4x4",
                                                        "abalone:5x5,misere,freeze",
                                                        "abalone:10x26,captures=3,must",
                                                        "othello:6x6",
                                                        "othello:8x8",
                                                        "othello:10x10",
                                                        "othello:26x26",
                                                        "wildebeest"};

SearchLimits nodes(std::uint64_t n) { return {.depth = {}, .nodes = n, .move_time = {}, .clock = {}}; }
SearchLimits depth(int d) { return {.depth = d, .nodes = {}, .move_time = {}, .clock = {}}; }
SearchLimits move_time(int ms) { return {.depth = {}, .nodes = {}, .move_time = Milliseconds(ms), .clock = {}}; }

SearchSettings at_level(int level, std::uint64_t seed = 0) {
  SearchSettings settings;
  settings.hash_mb = 1;
  settings.level = level;
  settings.seed = seed;
  return settings;
}

TEST(Engine, plays_legal_games_of_every_kind) {
  for (const std::string_view spec : all_kinds) {
    const GamePtr game = game_of(spec);
    const auto session = game->start();
    const auto engine = game->engine(at_level(full_level));
    for (int i = 0; i < 12 && !session->outcome().over(); ++i) {
      const Decision decision = engine->think(*session, nodes(300));
      ASSERT_FALSE(session->refuse(decision.turn)) << spec << " " << decision.text;
      ASSERT_FALSE(decision.info.lines.empty()) << spec;
      EXPECT_EQ(decision.info.lines.front().texts.front(), decision.text) << spec;
      session->play(decision.turn);
    }
  }
}

TEST(Engine, reports_its_lines_and_they_are_playable) {
  for (const std::string_view spec : {"fanorona:5x5", "abalone:4x4", "othello:8x8", "wildebeest"}) {
    const GamePtr game = game_of(spec);
    const auto engine = game->engine(at_level(full_level));
    int told = 0;
    const auto decision = engine->think(*game->start(), depth(4), {}, [&](const SearchInfo& info) {
      EXPECT_EQ(info.depth, ++told);
      const auto session = game->start();
      for (const Turn& turn : info.lines.front().turns) {
        ASSERT_FALSE(session->refuse(turn)) << spec;
        session->play(turn);
      }
    });
    EXPECT_EQ(told, 4) << spec;
    EXPECT_FALSE(decision.reasons.empty()) << spec;
  }
}

// A move is always returned in time, also on the largest boards; `paika match` measures the lateness itself.
TEST(Engine, keeps_its_time) {
  for (const std::string_view spec : all_kinds) {
    const GamePtr game = game_of(spec);
    const auto session = game->start();
    const auto engine = game->engine(at_level(full_level));
    for (const int ms : {1, 10, 50}) {
      if (session->outcome().over()) break;
      Decision decision;
      const Milliseconds took = paika_tests::cpu_time([&] { decision = engine->think(*session, move_time(ms)); });
      EXPECT_LT(took, Milliseconds(ms + 60)) << spec << " with " << ms << " ms";
      session->play(decision.turn);
    }
  }
}

// On the initial board 23 of the 30 turns lose the own king at once (docs/rules/wildebeest.md 5.4).
TEST(Engine, never_loses_its_own_wildebeest_king_at_once_at_any_level) {
  const GamePtr game = game_of("wildebeest");
  const auto session = game->start();
  for (int level = weakest_level; level <= full_level; ++level) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto engine = game->engine(at_level(level, seed));
      const auto after = game->start();
      after->play(engine->think(*session, nodes(2000)).turn);
      EXPECT_FALSE(after->outcome().over()) << "level " << level << ", seed " << seed;
    }
  }
}

TEST(Engine, low_levels_vary_with_the_seed_and_repeat_with_the_same) {
  const GamePtr game = game_of("othello");
  const auto session = game->start();
  session->try_play("f5");
  std::set<std::string> choices;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto choice = game->engine(at_level(1, seed))->think(*session, nodes(1000)).text;
    EXPECT_EQ(choice, game->engine(at_level(1, seed))->think(*session, nodes(1000)).text);
    choices.insert(choice);
  }
  EXPECT_GT(choices.size(), 1U);
}

TEST(Engine, takes_a_draw_by_repetition_only_when_it_is_worse) {
  // Black is one capture ahead of two and to move: to repeat would throw the game away.
  const GamePtr game = game_of("abalone:4x4");
  const auto session = game->start();
  const auto engine = game->engine(at_level(full_level));
  for (int i = 0; i < 80 && !session->outcome().over(); ++i) {
    session->play(engine->think(*session, nodes(20'000)).turn);
  }
  EXPECT_NE(session->outcome().reason, EndReason::repetition) << "Black can force a win and must not repeat";
}

TEST(Engine, other_settings_take_effect_at_the_next_search) {
  const GamePtr game = game_of("othello");
  const auto session = game->start();
  SearchSettings settings = at_level(full_level);
  const auto engine = game->engine(settings);
  settings.lines = 3;
  session->try_play("f5");
  engine->set(settings);
  EXPECT_EQ(engine->think(*session, depth(3)).info.lines.size(), 3U);
  settings.features.tuned = false;
  settings.lines = 1;
  settings.threads = 2;
  engine->set(settings);
  EXPECT_EQ(engine->think(*session, depth(3)).info.lines.size(), 1U);
}

TEST(ScoreText, says_wins_losses_and_pieces) {
  EXPECT_EQ(score_text(125), "+1.25");
  EXPECT_EQ(score_text(-50), "-0.50");
  EXPECT_EQ(score_text(win_in(5)), "win in 5");
  EXPECT_EQ(score_text(loss_in(4)), "loss in 4");
  EXPECT_EQ(score_text(0), "0.00");
}

TEST(ScoreText, says_what_is_proven_and_what_is_a_bound) {
  const auto text = [](int score, bool exact, bool at_most) { return score_text({score, exact, at_most, {}, {}}); };
  EXPECT_EQ(text(win_in(5), true, false), "win in 5");
  EXPECT_EQ(text(win_in(23), true, true), "win in at most 23");
  EXPECT_EQ(text(loss_in(4), true, true), "loss in at most 4");
  EXPECT_EQ(text(0, true, false), "draw");
  EXPECT_EQ(text(0, false, false), "0.00");
  EXPECT_EQ(text(-300, true, false), "-3.00");
}

TEST(ScoreJson, has_one_number_for_wins_losses_and_pieces) {
  EXPECT_EQ(score_json(125).dump(), R"({"score":1.25})");
  EXPECT_EQ(score_json(-31).dump(), R"({"score":-0.31})");
  EXPECT_EQ(score_json(0).dump(), R"({"score":0.0})");
  EXPECT_EQ(score_json(win_in(5)).dump(), R"({"win_in":5})");
  EXPECT_EQ(score_json(loss_in(4)).dump(), R"({"loss_in":4})");
  EXPECT_EQ(line_json({win_in(9), true, true, {}, {"a1b2"}}).dump(),
            R"({"win_in":9,"exact":true,"at_most":true,"moves":["a1b2"]})");
}

}  // namespace
}  // namespace paika
