// How fast the rules are: perft of each game on one thread, the best of several runs.
//
// usage: paika_bench [NAME-PART] [--runs N]
// One line a case: spec, depth, nodes, seconds, millions of nodes a second, and the goal where one
// is set. The last ply is counted, not played (rules/perft.hpp), for all games alike.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "engine/registry.hpp"

namespace {

struct Case {
  std::string spec;
  int depth;
  double goal;  // millions of nodes a second; 0: none set
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"othello:8x8", 11, 150},
      {"othello:6x6", 10, 0},
      {"othello:10x10", 9, 0},
      {"othello:12x12", 9, 0},
      {"fanorona:9x5,sacrifice=off", 7, 40},
      {"fanorona:9x5", 5, 0},
      {"fanorona:5x5,sacrifice=off", 8, 0},
      {"fanorona:13x13,sacrifice=off", 5, 0},
      {"abalone:4x4", 7, 60},
      {"abalone:4x4,freeze", 7, 0},
      {"abalone:5x5", 6, 0},
      {"abalone:8x8", 5, 0},
      {"wildebeest", 7, 10},
      {"wildebeest:pads=cycle", 6, 0},
  };
  return all;
}

double seconds_of_one_run(const paika::Session& session, int depth, std::uint64_t& nodes) {
  paika::PerftRequest request;
  request.depth = depth;
  const auto start = std::chrono::steady_clock::now();
  nodes = session.perft(request).nodes;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs one case; false if its speed is below the goal.
bool run_case(const Case& c, int runs) {
  const auto game = paika::open_game(c.spec);
  if (!game) {
    fmt::print(stderr, "paika_bench: {}\n", game.error().message);
    return false;
  }
  const auto session = (*game)->start();
  std::uint64_t nodes = 0;
  double best = seconds_of_one_run(*session, c.depth, nodes);
  for (int i = 1; i < runs; ++i) best = std::min(best, seconds_of_one_run(*session, c.depth, nodes));
  const double speed = static_cast<double>(nodes) / best / 1e6;
  fmt::print("{:<32} {:>2} {:>12} {:>8.3f} s {:>8.1f} M/s", c.spec, c.depth, nodes, best, speed);
  if (c.goal > 0) fmt::print("   goal {:.0f}: {:.1f} times", c.goal, speed / c.goal);
  fmt::print("\n");
  std::fflush(stdout);
  return c.goal == 0 || speed >= c.goal;
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view part;
  int runs = 3;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--runs" && i + 1 < argc) {
      runs = std::max(1, std::atoi(argv[++i]));
    } else if (word.starts_with("-")) {
      fmt::print(stderr, "usage: paika_bench [NAME-PART] [--runs N]\n");
      return 2;
    } else {
      part = word;
    }
  }
  bool reached = true;
  for (const Case& c : cases()) {
    if (c.spec.find(part) != std::string::npos) reached = run_case(c, runs) && reached;
  }
  return reached ? 0 : 1;
}
