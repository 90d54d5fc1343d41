// The referee: results by the rules, by the clock, and by what players do wrong.
#include "play/referee.hpp"

#include <gtest/gtest.h>
#include <thread>

#include "play/settings.hpp"
#include "tests/play/puppets.hpp"
#include "tests/support/session.hpp"

namespace paika::play {
namespace {

using paika_tests::must;
using paika_tests::must_open;
using paika_tests::Puppet;

SearchLimits limits_of(std::string_view text) { return must(read_settings(text), text).limits; }

GameReport play(const GamePlan& plan, Puppet& first, Puppet& second, std::string_view limits = "depth=1",
                const std::stop_token& stop = {}) {
  return play_game(plan, {Side{first, limits_of(limits)}, Side{second, limits_of(limits)}}, stop);
}

GamePlan plan_of(std::string_view spec) {
  GamePlan plan;
  plan.game = must_open(spec);
  return plan;
}

Puppet sleeper(int ms) {
  return Puppet("sleeper", [ms](const GameSoFar& game, const Allowance&, const std::stop_token&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    return tl::expected<Choice, Failed>(Puppet::first_turn(game));
  });
}

TEST(Referee, a_whole_game_is_a_good_record) {
  for (const std::string_view spec : {"fanorona:5x5", "abalone", "othello:6x6", "wildebeest"}) {
    Puppet a("A");
    Puppet b("B");
    GamePlan plan = plan_of(spec);
    plan.max_turns = 200;
    const GameReport report = play(plan, a, b);
    EXPECT_FALSE(report.failure);
    EXPECT_FALSE(report.stopped);
    EXPECT_NE(report.record.result.verdict, Verdict::ongoing) << spec;
    EXPECT_EQ(report.timings[0].turns + report.timings[1].turns, static_cast<int>(report.record.turns.size()));
    EXPECT_EQ(must(parse_records(record_text(report.record)), spec).size(), 1U);
  }
}

TEST(Referee, openings_and_starts_are_played_first) {
  Puppet a("A");
  Puppet b("B");
  GamePlan plan = plan_of("othello");
  plan.opening = {"d3", "c3", "C4"};
  plan.max_turns = 4;
  const GameReport report = play(plan, a, b);
  EXPECT_EQ(report.record.opening, 3);
  ASSERT_EQ(report.record.turns.size(), 4U);
  EXPECT_EQ(report.record.turns[2].text, "c4");
  EXPECT_EQ(report.timings[0].turns, 0);
  EXPECT_EQ(report.timings[1].turns, 1);
  EXPECT_EQ(report.record.result, (GameResult{Verdict::draw, "max_moves", ""}));
}

TEST(Referee, an_illegal_turn_loses) {
  Puppet good("good");
  Puppet bad("bad", [](const GameSoFar&, const Allowance&, const std::stop_token&) {
    return tl::expected<Choice, Failed>(Choice{"a1", {}, 0});
  });
  const GameReport second_loses = play(plan_of("othello"), good, bad);
  EXPECT_EQ(second_loses.failure, Failure::illegal);
  EXPECT_EQ(second_loses.record.result.verdict, Verdict::first_wins);
  EXPECT_EQ(second_loses.record.result.reason, "illegal");
  EXPECT_NE(second_loses.record.result.remark.find("docs/rules/othello.md"), std::string::npos);
  EXPECT_EQ(play(plan_of("othello"), bad, good).record.result.verdict, Verdict::second_wins);
}

TEST(Referee, a_late_turn_loses) {
  Puppet fast("fast");
  Puppet slow = sleeper(40);
  const GameReport report = play(plan_of("othello"), fast, slow, "time=10ms");
  EXPECT_EQ(report.failure, Failure::time);
  EXPECT_EQ(report.record.result.verdict, Verdict::first_wins);
  EXPECT_GE(report.timings[1].max_over->count(), 30'000);
  GamePlan patient = plan_of("othello");
  patient.margin = Milliseconds(5000);
  patient.max_turns = 2;
  EXPECT_FALSE(play(patient, fast, slow, "time=10ms").failure);
}

TEST(Referee, who_takes_too_long_over_the_whole_game_loses_it) {
  Puppet fast("fast");
  Puppet slow = sleeper(20);
  GamePlan plan = plan_of("othello");
  plan.margin = Milliseconds(0);
  plan.max_total = Milliseconds(50);
  const GameReport report = play(plan, slow, fast);
  EXPECT_EQ(report.failure, Failure::time);
  EXPECT_EQ(report.record.result.verdict, Verdict::second_wins);
  EXPECT_LE(report.timings[0].turns, 3) << "each move took at least 20 ms of the 50";
  EXPECT_GT(report.timings[0].total, plan.max_total);
}

TEST(Referee, of_a_limit_per_move_and_a_clock_the_first_to_run_out_counts) {
  for (const std::string_view limits : {"time=10ms,clock=60s", "time=60s,clock=10ms"}) {
    Puppet a = sleeper(50);
    Puppet b("B");
    GamePlan plan = plan_of("othello:6x6");
    plan.margin = std::chrono::milliseconds(5);
    const GameReport report = play(plan, a, b, limits);
    EXPECT_EQ(report.failure, Failure::time) << limits;
    EXPECT_NE(report.record.result.remark.find("of 10.0 ms"), std::string::npos) << report.record.result.remark;
  }
}

TEST(Referee, processor_time_is_charged_where_it_is_more_than_time_passed) {
  Puppet fast("fast");
  Puppet many("many");
  many.charge = std::chrono::seconds(7);
  const GameReport report = play(plan_of("othello"), fast, many, "time=5s");
  EXPECT_EQ(report.failure, Failure::time);
  EXPECT_EQ(report.record.result.verdict, Verdict::first_wins);
  EXPECT_EQ(report.timings[1].slowest, std::chrono::seconds(7));
  // A clock of 20 s lasts for two such turns.
  EXPECT_EQ(play(plan_of("othello"), fast, many, "clock=20s").timings[1].turns, 3);
}

TEST(Referee, time_in_which_others_had_the_processors_is_not_charged) {
  Puppet fast("fast");
  Puppet slow = sleeper(40);
  slow.waited = std::chrono::seconds(60);
  slow.charge = Milliseconds(3);
  GamePlan plan = plan_of("othello");
  plan.max_turns = 4;
  plan.margin = Milliseconds(0);
  const GameReport report = play(plan, slow, fast, "time=10ms,clock=1s");
  EXPECT_FALSE(report.failure);
  EXPECT_EQ(report.timings[0].slowest, Milliseconds(3));
  EXPECT_EQ(report.record.turns[0].time, Milliseconds(3));
}

TEST(Referee, a_game_clock_runs_down_and_gets_its_increment) {
  std::vector<std::int64_t> left;
  Puppet watcher("watcher", [&](const GameSoFar& game, const Allowance& allowance, const std::stop_token&) {
    left.push_back(allowance.limits.clock->left.count());
    EXPECT_EQ(allowance.limits.clock->increment.count(), 5);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return tl::expected<Choice, Failed>(Puppet::first_turn(game));
  });
  Puppet other("other");
  GamePlan plan = plan_of("othello");
  plan.margin = Milliseconds(0);
  const GameReport report = play(plan, watcher, other, "clock=100ms+5ms");
  EXPECT_EQ(report.failure, Failure::time) << "20 ms a turn with 5 ms back cannot last";
  EXPECT_EQ(report.record.result.verdict, Verdict::second_wins);
  ASSERT_GE(left.size(), 2U);
  EXPECT_EQ(left[0], 100);
  for (std::size_t i = 1; i < left.size(); ++i) EXPECT_LE(left[i], left[i - 1] - 15);
}

TEST(Referee, failures_and_stops_are_told) {
  Puppet good("good");
  Puppet broken("broken", [](const GameSoFar&, const Allowance&, const std::stop_token&) {
    return tl::expected<Choice, Failed>(tl::unexpected(Failed{Failure::crash, "it has ended"}));
  });
  const GameReport report = play(plan_of("abalone"), broken, good);
  EXPECT_EQ(report.failure, Failure::crash);
  EXPECT_EQ(report.record.result, (GameResult{Verdict::second_wins, "crash", "it has ended"}));
  const std::stop_source source;
  source.request_stop();
  const GameReport stopped = play(plan_of("abalone"), good, good, "depth=1", source.get_token());
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.record.result.verdict, Verdict::ongoing);
}

TEST(Referee, players_see_the_game) {
  Puppet watcher("watcher", [](const GameSoFar& game, const Allowance&, const std::stop_token&) {
    EXPECT_EQ(game.session.turns_played(), static_cast<int>(game.turns.size()));
    EXPECT_EQ(game.start, "(b bbb- b--w b--w -www)");
    return tl::expected<Choice, Failed>(Puppet::first_turn(game));
  });
  GamePlan plan = plan_of("abalone");
  plan.start = "(b bbb- b--w b--w -www)";
  plan.max_turns = 6;
  const GameReport report = play(plan, watcher, watcher);
  EXPECT_EQ(report.record.start, plan.start);
}

}  // namespace
}  // namespace paika::play
