// Commands and plans as clients write them: every field checked, every mistake named.
#include "server/commands.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "rules/search_traits.hpp"
#include "server/engine_turn.hpp"

namespace paika::server {
namespace {

std::string error_of(std::string_view word, std::string_view json) {
  const auto command = read_command(word, Json::parse(json));
  return command ? "" : command.error().message;
}

std::string plan_error(std::string_view json) {
  const auto plan = read_room_plan(Json::parse(json));
  return plan ? "" : plan.error().message;
}

TEST(Commands, EveryWordIsRead) {
  for (const std::string_view word : command_words()) {
    const std::string_view fields = word == "play"  ? R"({"do":"x","room":"r","ref":1,"move":"e6","id":"7","number":3})"
                                    : word == "say" ? R"({"text":"hello"})"
                                    : word == "conditional" ? R"({"lines":[["e6","f4"]]})"
                                    : word == "offer" || word == "agree" || word == "decline" ? R"({"what":"draw"})"
                                                                                              : "{}";
    EXPECT_EQ(error_of(word, fields), "") << word;
  }
  const auto play = read_command("play", Json::parse(R"({"move":"e6","id":"7","number":3})"));
  ASSERT_TRUE(play);
  EXPECT_EQ(std::get<command::Play>(*play).text, "e6");
  EXPECT_EQ(std::get<command::Play>(*play).id, "7");
  EXPECT_EQ(std::get<command::Play>(*play).number, 3);
}

TEST(Commands, MistakesAreNamed) {
  EXPECT_NE(error_of("dance", "{}").find("play"), std::string::npos);
  EXPECT_NE(error_of("play", "{}").find("\"move\""), std::string::npos);
  EXPECT_NE(error_of("play", R"({"move":7})").find("move"), std::string::npos);
  EXPECT_NE(error_of("play", R"({"move":"e6","trun":"x"})").find("trun"), std::string::npos);
  EXPECT_NE(error_of("play", R"({"move":"e6","number":0})").find("number"), std::string::npos);
  EXPECT_NE(error_of("play", R"({"move":"e6","number":1.5})").find("number"), std::string::npos);
  EXPECT_NE(error_of("offer", R"({"what":"peace"})").find("takeback"), std::string::npos);
  EXPECT_NE(error_of("say", "{}").find("preset"), std::string::npos);
  EXPECT_NE(error_of("say", R"({"text":"a","preset":"hello"})").find("either"), std::string::npos);
  EXPECT_NE(error_of("conditional", R"({"lines":[["e6",7]]})").find("\"lines\""), std::string::npos);
  EXPECT_NE(error_of("conditional", "{}").find("\"lines\""), std::string::npos);
  EXPECT_NE(error_of("resign", R"({"because":"tired"})").find("because"), std::string::npos);
  EXPECT_NE(error_of("play", Json({{"move", std::string(max_turn_text + 1, 'x')}}).dump()), "");
  EXPECT_NE(error_of("play", Json({{"move", "e6"}, {"id", std::string(max_turn_id + 1, 'x')}}).dump()), "");
}

TEST(RoomPlans, TheClockWaitsForTheFirstMoveUnlessToldOtherwise) {
  const auto grace = [](std::string_view json) {
    const auto plan = read_room_plan(Json::parse(json));
    return plan ? plan->grace.count() : -1;
  };
  EXPECT_EQ(grace(R"({"spec":"othello","clock_ms":300000})"), 20'000);
  EXPECT_EQ(grace(R"({"spec":"othello","move_ms":5000})"), 5'000) << "no longer than the clock";
  EXPECT_EQ(grace(R"({"spec":"othello","move_ms":5000,"grace_ms":0})"), 0);
  EXPECT_EQ(grace(R"({"spec":"othello"})"), 0);
  EXPECT_NE(plan_error(R"({"spec":"othello","grace_ms":1000})").find("\"clock_ms\""), std::string::npos);
  EXPECT_NE(plan_error(R"({"spec":"othello","move_ms":1,"grace_ms":60001})").find("\"grace_ms\""), std::string::npos);
}

TEST(RoomPlans, AreReadWhole) {
  const auto plan = read_room_plan(Json::parse(
      R"({"spec":"fanorona:5x5","clock_ms":60000,"increment_ms":500,"side":"second","engine":7,"rated":true,"listed":true})"));
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->game->notation().spec(), "fanorona:5x5");
  ASSERT_TRUE(plan->clock);
  EXPECT_EQ(plan->clock->left, Milliseconds(60000));
  EXPECT_EQ(plan->clock->increment, Milliseconds(500));
  EXPECT_EQ(plan->side, Side::second);
  EXPECT_EQ(plan->engine_level, 7);
  EXPECT_TRUE(plan->rated);
  EXPECT_TRUE(plan->listed);
  EXPECT_FALSE(plan->turn_time);
}

TEST(RoomPlans, MistakesAreNamed) {
  EXPECT_NE(plan_error("{}").find("spec"), std::string::npos);
  EXPECT_NE(plan_error(R"({"spec":"otello"})").find("othello"), std::string::npos);
  EXPECT_NE(plan_error(R"({"spec":"othello","engine":15})").find("engine"), std::string::npos);
  EXPECT_NE(plan_error(R"({"spec":"othello","move_ms":0})").find("move_ms"), std::string::npos);
  EXPECT_NE(plan_error(R"({"spec":"othello","move_ms":5,"clock_ms":5})").find("both"), std::string::npos);
  EXPECT_NE(plan_error(R"({"spec":"othello","increment_ms":5})").find("clock_ms"), std::string::npos);
  EXPECT_NE(plan_error(R"({"spec":"othello","side":"left"})").find("random"), std::string::npos);
  EXPECT_NE(plan_error(R"({"spec":"othello","rated":"yes"})").find("rated"), std::string::npos);
  EXPECT_NE(plan_error(R"({"spec":"othello","colour":"white"})").find("colour"), std::string::npos);
}

TEST(EngineLimits, ABusyServerThinksShorter) {
  EngineTask task;
  task.level = full_level;
  task.limits.move_time = max_thinking;
  const auto alone = engine_limits(task, ServerTime(0), 0).move_time;
  const auto crowded = engine_limits(task, ServerTime(0), 7).move_time;
  ASSERT_TRUE(alone && crowded);
  EXPECT_EQ(*alone, *crowded * 8);
}

TEST(EngineLimits, WaitingIsTakenOffTheClock) {
  EngineTask task;
  task.level = full_level;
  task.limits.move_time = Milliseconds(300);
  task.limits.clock = GameClock{Milliseconds(5000), Milliseconds(100)};
  const auto limits = engine_limits(task, std::chrono::milliseconds(200), 0);
  EXPECT_EQ(*limits.move_time, Milliseconds(100));
  ASSERT_TRUE(limits.clock);
  EXPECT_EQ(limits.clock->left, Milliseconds(4800));
  EXPECT_EQ(limits.clock->increment, Milliseconds(100));
  EXPECT_GT(*engine_limits(task, std::chrono::seconds(10), 0).move_time, Milliseconds(0));
}

}  // namespace
}  // namespace paika::server
