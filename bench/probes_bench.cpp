// How fast positions are looked up in a table of few stones, as the search does it, on one thread.
//
// usage: probes_bench SPEC --tables FOLDER [--probes N] [--seed N]
// Random positions of at most as many stones as the table holds, each looked up once; then the same ones again after a
// move of one stone, as neighbours in a search are. Two lines: what, probes, found, processor seconds, probes per
// second.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <ctime>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "engine/module.hpp"
#include "engine/registry.hpp"
#include "rules/spec.hpp"

namespace paika {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A random point that is not taken.
std::uint64_t free_point(Random& random, int points, std::uint64_t taken) {
  for (;;) {
    const std::uint64_t bit = std::uint64_t{1} << random.below(static_cast<std::uint64_t>(points));
    if ((taken & bit) == 0) return bit;
  }
}

/// Both sides have a stone at least; more stones are likelier, as positions of many stones are more.
StoneSets random_position(Random& random, int points, int max_stones) {
  StoneSets found;
  const int stones = max_stones - static_cast<int>(random.below(2));
  for (int i = 0; i < stones; ++i) {
    const std::uint64_t point = free_point(random, points, found.own | found.other);
    (i == 0 || (i > 1 && random.one_in(2)) ? found.own : found.other) |= point;
  }
  return found;
}

void measure(std::string_view what, EndgameProbe& probe, const std::vector<StoneSets>& positions) {
  const double begin = processor_seconds();
  std::uint64_t found = 0;
  for (const StoneSets& position : positions) found += probe.look_up(position).has_value() ? 1U : 0U;
  const double seconds = processor_seconds() - begin;
  fmt::print("{}: {} probes, {} found, {:.2f} s, {:.0f} per second\n", what, positions.size(), found, seconds,
             static_cast<double>(positions.size()) / seconds);
}

int run(const std::string& spec, const std::string& folder, std::uint64_t probes, std::uint64_t seed) {
  const auto game = open_game(spec);
  if (!game) {
    fmt::print(stderr, "{}\n", game.error().message);
    return 2;
  }
  const GameModule& module = module_of(**game);
  const OpenProbe open = module.endgame_probe == nullptr ? OpenProbe{} : module.endgame_probe(spec, folder);
  if (!open) {
    fmt::print(stderr, "{} has no table of few stones of {}: paika solve {} --stones 6 makes one\n", folder, spec,
               spec);
    return 2;
  }
  const auto probe = open();
  const Board board = (*game)->notation().initial();
  const int points = board.cells.rows() * board.cells.cols();
  Random random(seed);
  std::vector<StoneSets> positions(probes);
  for (StoneSets& position : positions) position = random_position(random, points, probe->max_stones());
  measure("random", *probe, positions);
  for (StoneSets& position : positions) {
    position.own &= position.own - 1;
    position.own |= free_point(random, points, position.own | position.other);
  }
  measure("one stone moved", *probe, positions);
  return 0;
}

}  // namespace
}  // namespace paika

int main(int argc, char** argv) {
  CLI::App app("Looks positions up in a table of few stones");
  std::string spec;
  std::string folder = ".";
  std::uint64_t probes = 5'000'000;
  std::uint64_t seed = 1;
  app.add_option("SPEC", spec, "The game and its options")->required();
  app.add_option("--tables", folder, "The folder of the table")->required();
  app.add_option("--probes", probes, "How many");
  app.add_option("--seed", seed, "The same seed, the same positions");
  CLI11_PARSE(app, argc, argv);
  return paika::run(spec, folder, probes, seed);
}
