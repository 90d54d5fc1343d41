// How fast endings of Black & White are solved: the best turn and the exact difference, one thread.
//
// usage: endings_bench [--empties N]... [--positions N] [--hash MB] [--six]
// The positions are from the program's own games: a few opening turns by chance, then a search of
// small depth, until N squares are empty. Each is solved by the whole search with a fresh table, as
// `paika best` would. One line a number of empty squares: median, mean and most seconds, positions
// looked at, and how many of them a second. --six: solves 6x6 from its start. Seconds are of the
// processor, not of the clock on the wall: other programs do not count.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <vector>

#include "base/random.hpp"
#include "games/othello/search_traits.hpp"
#include "search/search.hpp"

namespace paika::othello {
namespace {

using Rules8 = BitboardRules<FixedShape<8, 8>>;
using Traits8 = BitboardTraits<FixedShape<8, 8>>;

/// A position of an own game with this many empty squares.
Rules8::Position own_game_position(const Traits8& traits, Search<Traits8>& search, int empties, Random& random) {
  const Rules8& rules = traits.rules();
  SearchLimits limits;
  limits.depth = 6;
  for (;;) {
    Rules8::Position p = rules.initial();
    for (int ply = 0; 64 - (p.own | p.opponent).count() > empties && !rules.outcome(p).over(); ++ply) {
      std::vector<Rules8::Move> moves;
      rules.for_each_turn(p, [&](const Rules8::Move& m) {
        moves.push_back(m);
        return true;
      });
      constexpr int by_chance = 8;
      p = rules.play(p, ply < by_chance ? moves[random.index(moves.size())] : search.run(p, {}, limits).move);
    }
    if (!rules.outcome(p).over() && rules.placings(p).any()) return p;
  }
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Run {
  double seconds = 0;
  std::uint64_t nodes = 0;
  int score = 0;
};

template <class K>
Run solve(Search<K>& search, const typename K::RulesType::Position& p) {
  search.forget();
  const double start = processor_seconds();
  const auto result = search.run(p, {}, {});
  return {processor_seconds() - start, result.report.nodes, result.report.lines.front().score};
}

void measure(int empties, int positions, int hash_mb) {
  const Rules8 rules(Options{8});
  const Traits8 traits(rules, Evaluation::tuned);
  SearchSettings settings;
  settings.hash_mb = hash_mb;
  Search<Traits8> search(traits, settings);
  Random random(static_cast<std::uint64_t>(empties));
  std::vector<double> seconds;
  double sum = 0;
  std::uint64_t nodes = 0;
  for (int i = 0; i < positions; ++i) {
    search.forget();  // so that the positions do not depend on how the last one was solved
    const auto p = own_game_position(traits, search, empties, random);
    const Run run = solve(search, p);
    seconds.push_back(run.seconds);
    sum += run.seconds;
    nodes += run.nodes;
  }
  std::sort(seconds.begin(), seconds.end());
  const auto count = static_cast<double>(positions);
  fmt::print("{} empty, {} positions: median {:.3f} s, mean {:.3f} s, most {:.3f} s, {:.1f} M nodes each, {:.1f} M/s\n",
             empties, positions, seconds[seconds.size() / 2], sum / count, seconds.back(),
             static_cast<double>(nodes) / count / 1e6, static_cast<double>(nodes) / sum / 1e6);
  std::fflush(stdout);
}

void solve_six(int hash_mb) {
  using Traits6 = BitboardTraits<FixedShape<6, 6>>;
  const BitboardRules<FixedShape<6, 6>> rules(Options{6});
  const Traits6 traits(rules, Evaluation::tuned);
  EndingTable table(static_cast<std::size_t>(hash_mb));
  Traits6::Ending ending(traits, table);
  std::uint64_t nodes = 0;
  const double start = processor_seconds();
  const int score = ending.solve(rules.initial(), -infinite_score, infinite_score, [&](std::uint64_t n) {
    nodes += n;
    return false;
  });
  const double seconds = processor_seconds() - start;
  fmt::print("6x6: {} discs for Black in {:.1f} s, {:.0f} M nodes, {:.1f} M/s\n", score / 100, seconds,
             static_cast<double>(nodes) / 1e6, static_cast<double>(nodes) / seconds / 1e6);
}

}  // namespace
}  // namespace paika::othello

int main(int argc, char** argv) {
  std::vector<int> empties;
  int positions = 30;
  int hash_mb = 256;
  bool six = false;
  CLI::App app("How fast endings of Black & White are solved.");
  app.add_option("--empties", empties, "20 and 24 unless given")->check(CLI::Range(1, 30));
  app.add_option("--positions", positions)->check(CLI::Range(1, 1000));
  app.add_option("--hash", hash_mb)->check(CLI::Range(1, 4096));
  app.add_flag("--six", six, "solve 6x6 from the start instead");
  CLI11_PARSE(app, argc, argv);
  if (six) {
    paika::othello::solve_six(hash_mb);
    return 0;
  }
  if (empties.empty()) empties = {20, 24};
  for (const int n : empties) paika::othello::measure(n, positions, hash_mb);
  return 0;
}
