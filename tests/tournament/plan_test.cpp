#include "tournament/plan.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "tests/support/must.hpp"
#include "tournament/journal.hpp"
#include "tournament/plan_file.hpp"

namespace paika::tournament {

namespace {

using paika_tests::must;

constexpr std::string_view whole = R"([tournament]
name = "Class"
system = "swiss"
games = ["othello:6x6", "fanorona:5x5"]
rounds = 2
legs = 3
seed = 77
openings = 2
balance = 0
clock = "10s+0.1s"
settings = "hash=4"
max_moves = 90
margin = "25ms"
concurrency = 3
[limits]
memory = "256M"
processes = 8
stall = "3s"
[workers]
database = "queue.db"
[[player]]
name = "a"
engine = "level=2"
[[player]]
name = "b"
bot = "python3 x.py"
protocol = "ugi"
owner = "B"
[[player]]
name = "c"
engine = ""
)";

Result<TournamentPlan> read(std::string_view text) {
  const auto entries = read_plan_text(text, "some/where.toml");
  if (!entries) return tl::unexpected(entries.error());
  return build_plan(*entries);
}

}  // namespace

TEST(Plan, everything_is_read) {
  const TournamentPlan plan = must(read(whole), "plan");
  EXPECT_EQ(plan.system, System::swiss);
  EXPECT_EQ(plan.games, (std::vector<std::string>{"othello:6x6", "fanorona:5x5"}));
  EXPECT_EQ(plan.rounds, 2);
  EXPECT_EQ(games_of_pairing(plan), 6);
  EXPECT_EQ(plan.seed, 77U);
  EXPECT_EQ(plan.opening_plies, 2);
  EXPECT_EQ(plan.policy.margin, Milliseconds(25));
  EXPECT_EQ(plan.policy.stall_after, Milliseconds(3000));
  EXPECT_EQ(plan.policy.confinement.limits.memory, std::uint64_t{256} << 20);
  EXPECT_EQ(plan.policy.confinement.limits.processes, 8);
  EXPECT_EQ(plan.database, "some/queue.db") << "names start at the plan's folder";
  ASSERT_EQ(plan.players.size(), 3U);
  EXPECT_EQ(plan.players[1].text, "bot:python3 x.py");
  EXPECT_EQ(plan.players[1].owner, "B");
  EXPECT_EQ(plan.players[2].text, "engine");
}

TEST(Plan, what_is_left_out_is_usual) {
  const auto plan =
      must(read("[tournament]\ngames = \"othello\"\n[[player]]\nengine = \"\"\n[[player]]\nengine = \"\"\n"), "");
  EXPECT_EQ(plan.system, System::round_robin);
  EXPECT_EQ(plan.settings, "time=100ms");
  EXPECT_EQ(plan.players[1].name, "player2");
  EXPECT_EQ(difference(plan_json(plan), plan_json(plan)), "");
}

TEST(Plan, broken_files_are_told_with_their_place) {
  Random random(3);
  int refused = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string text(whole);
    for (std::size_t n = 1 + random.index(3); n > 0; --n) {
      const std::size_t at = random.index(text.size());
      switch (random.index(4)) {
        case 0: text.erase(at, 1 + random.index(9)); break;
        case 1: text.insert(at, 1, static_cast<char>(random.next())); break;
        case 2: text[at] = static_cast<char>(0x20 + random.index(0x5f)); break;
        default: text.insert(at, text.substr(random.index(text.size()), random.index(30)));
      }
    }
    const auto plan = read(text);
    if (plan) continue;
    ++refused;
    EXPECT_TRUE(plan.error().message.starts_with("some/where.toml")) << plan.error().message;
    EXPECT_LT(plan.error().message.size(), 1500U);
  }
  EXPECT_GT(refused, 500);
}

TEST(Jobs, broken_messages_are_refused) {
  const TournamentPlan plan = must(read(whole), "plan");
  const Schedule schedule(plan);
  const GameJob job = make_job(plan, *schedule.open().front());
  const Json json = to_json(job);
  EXPECT_EQ(to_json(must(read_job(json), "job")), json);
  for (const auto& item : json.items()) {
    Json broken = json;
    broken.erase(item.key());
    EXPECT_FALSE(read_job(broken)) << item.key();
    broken[item.key()] = Json::array();
    if (item.key() != "opening") {
      EXPECT_FALSE(read_job(broken)) << item.key();
    }
  }
  GameJob illegal = job;
  illegal.opening = {"a1"};
  EXPECT_FALSE(play_job(illegal, "", {}));
  EXPECT_FALSE(read_job(Json()));
  EXPECT_FALSE(read_finished(Json(3)));
}

}  // namespace paika::tournament
