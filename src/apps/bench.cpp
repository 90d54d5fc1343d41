// `paika bench`: searches the same positions to the same depths and counts.
//
// The number of positions looked at is the signature of the search: it is the same on every machine,
// and it changes with the least change of search or evaluation. A change that was meant to change
// nothing shows here; one that was meant to is recorded (tests/data/bench.txt).
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/progress.hpp"
#include "base/random.hpp"
#include "engine/engine.hpp"
#include "engine/json.hpp"
#include "engine/module.hpp"
#include "engine/registry.hpp"

namespace paika::apps {

namespace {

constexpr int positions_each = 4;
constexpr int plies_apart = 5;

struct Count {
  std::uint64_t nodes = 0;
  Milliseconds time{0};
};

/// Plays random turns that do not end the game, as far as there are any.
void play_on(Session& session, Random& random, int plies) {
  constexpr std::size_t enough = 200;
  for (int i = 0; i < plies; ++i) {
    std::vector<Turn> turns;
    session.for_each_turn([&](const ListedTurn& turn) {
      turns.push_back(turn.steps);
      return turns.size() < enough;
    });
    if (turns.empty()) return;
    session.play(turns[random.index(turns.size())]);
    if (session.outcome().over()) {
      session.undo();
      return;
    }
  }
}

Count run_task(const Game& game, int depth) {
  SearchSettings settings;
  settings.hash_mb = 16;
  const auto engine = game.engine(settings);
  const auto session = game.start();
  Random random(2026);
  Count count;
  for (int i = 0; i < positions_each; ++i) {
    engine->forget();
    const Decision decision = engine->think(*session, {.depth = depth, .nodes = {}, .move_time = {}, .clock = {}});
    count.nodes += decision.info.nodes;
    count.time += decision.info.time;
    play_on(*session, random, plies_apart);
  }
  return count;
}

std::uint64_t per_second(const Count& count) {
  return count.nodes * 1000 / static_cast<std::uint64_t>(std::max<Milliseconds::rep>(count.time.count(), 1));
}

}  // namespace

int run_bench(const BenchArgs& args) {
  Json lines = Json::array();
  Progress progress("bench");
  std::vector<BenchTask> tasks;
  for (const GameModule& module : game_modules()) tasks.insert(tasks.end(), module.bench.begin(), module.bench.end());
  std::size_t done = 0;
  for (const BenchTask& task : tasks) {
    const auto game = open_game(task.spec);
    if (!game) return complain(game.error().message);
    const Count count = run_task(**game, task.depth);
    progress.update(static_cast<double>(++done) / static_cast<double>(tasks.size()));
    if (args.json) {
      lines.push_back({{"spec", task.spec},
                       {"depth", task.depth},
                       {"nodes", count.nodes},
                       {"time_ms", count.time.count()},
                       {"nodes_per_second", per_second(count)}});
    } else if (args.signature) {
      fmt::print("{}\t{}\t{}\n", task.spec, task.depth, count.nodes);
    } else {
      fmt::print("{}\tdepth {}\t{} positions\t{} a second\n", task.spec, task.depth, count.nodes, per_second(count));
    }
    std::fflush(stdout);
  }
  if (args.json) fmt::print("{}\n", lines.dump(2));
  return finish(exit_done);
}

}  // namespace paika::apps
