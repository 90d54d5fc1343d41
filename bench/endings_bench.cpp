// How fast endings of Black & White are solved: the best move and the exact difference.
//
// usage: endings_bench [--empties N]... [--positions N] [--obf] [--hash MB] [--threads N]
//        endings_bench --file FILE.obf [--hash MB] [--threads N]
//        endings_bench --six [--hash MB]
//        endings_bench --errors [--six] [--empties N]... [--positions N] [--hash MB]
//
// Each position is solved by the whole search with a fresh table, as `paika best` would. Without --file the
// positions are from the program's own games: a few random opening moves, then a search of small depth, until N
// squares are empty; one line per number of empty squares gives median, mean and maximum, positions searched and how
// many of them per second. With --obf each of them is printed as a line that --file reads.
// --file solves the positions of a file (obf.hpp), one line each, and checks the scores that it gives.
// --six solves 6x6 from its start, on one thread.
// --errors measures how far a short search is from the exact score, as EndingEstimate::error() must say: the root mean
// square in hundredths of a disc for 0 to 8 plies, with 10 to 18 empty squares unless others are given; with --six on
// 6x6.
// Seconds are of the processor, all threads together: other programs do not count. The seconds of the clock on the
// wall are in brackets where there are several threads.
// Exit status: 1 if a score differs from that in the file, 2 if the file or an argument is wrong.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <vector>

#include "base/random.hpp"
#include "games/othello/search_traits.hpp"
#include "obf.hpp"
#include "search/search.hpp"

namespace paika::othello {
namespace {

using Rules8 = BitboardRules<FixedShape<8, 8>>;
using Traits8 = BitboardTraits<FixedShape<8, 8>>;
using Traits6 = BitboardTraits<FixedShape<6, 6>>;

/// A position of an own game with this many empty squares.
template <class Traits>
auto own_game_position(const Traits& traits, Search<Traits>& search, int empties, Random& random) {
  const auto& rules = traits.rules();
  SearchLimits limits;
  limits.depth = 6;
  for (;;) {
    auto p = rules.initial();
    const auto empties_of = [&] { return rules.shape().size() - (p.own | p.opponent).count(); };
    for (int ply = 0; empties_of() > empties && !rules.outcome(p).over(); ++ply) {
      std::vector<typename Traits::Move> moves;
      rules.for_each_turn(p, [&](const typename Traits::Move& m) {
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
double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Run {
  double seconds = 0;
  double wall = 0;
  std::uint64_t nodes = 0;
  int score = 0;   // in discs
  int square = 0;  // of the best move
};

SearchSettings settings_of(int threads, int hash_mb) {
  SearchSettings settings;
  settings.threads = threads;
  settings.hash_mb = hash_mb;
  return settings;
}

template <class Traits>
Run solve(Search<Traits>& search, const typename Traits::Position& p) {
  search.forget();
  const double start = processor_seconds();
  const double wall_start = wall_seconds();
  const auto result = search.run(p, {}, {});
  const auto& report = result.report;
  return {processor_seconds() - start, wall_seconds() - wall_start, report.nodes, report.lines.front().score / 100,
          result.move.square};
}

Rules8::Move move_of(const Run& run) { return {static_cast<std::uint16_t>(run.square)}; }

std::string text_of(double seconds, double wall, int threads) {
  return threads > 1 ? fmt::format("{:.3f} s ({:.3f} s)", seconds, wall) : fmt::format("{:.3f} s", seconds);
}

void measure(int empties, int positions, bool obf, const SearchSettings& settings) {
  const Rules8 rules(Options{8});
  const Traits8 traits(rules, Evaluation::tuned);
  Search<Traits8> search(traits, settings);
  Random random(static_cast<std::uint64_t>(empties));
  std::vector<double> seconds;
  double sum = 0;
  std::uint64_t nodes = 0;
  for (int i = 0; i < positions; ++i) {
    search.forget();  // so that the positions do not depend on how the last one was solved
    const auto p = own_game_position(traits, search, empties, random);
    const Run run = solve(search, p);
    if (obf) {
      fmt::print("{} % {} empty, {} nodes\n", obf_line(rules.to_board(p), rules.to_turn(p, move_of(run)), run.score),
                 empties, run.nodes);
    }
    seconds.push_back(run.seconds);
    sum += run.seconds;
    nodes += run.nodes;
  }
  std::sort(seconds.begin(), seconds.end());
  const auto count = static_cast<double>(positions);
  fmt::print(
      "{}{} empty, {} positions: median {:.3f} s, mean {:.3f} s, most {:.3f} s, {:.1f} M nodes each, {:.1f} M/s\n",
      obf ? "% " : "", empties, positions, seconds[seconds.size() / 2], sum / count, seconds.back(),
      static_cast<double>(nodes) / count / 1e6, static_cast<double>(nodes) / sum / 1e6);
  std::fflush(stdout);
}

/// Solves the positions of a file; returns the exit status.
int solve_file(const std::string& path, const SearchSettings& settings) {
  std::ifstream in(path);
  if (!in) {
    fmt::print(stderr, "endings_bench: {}: the file cannot be read\n", path);
    return 2;
  }
  const auto positions = read_obf(in);
  if (!positions) {
    fmt::print(stderr, "endings_bench: {}: {}\n", path, positions.error().message);
    return 2;
  }
  const Rules8 rules(Options{8});
  const Traits8 traits(rules, Evaluation::tuned);
  Search<Traits8> search(traits, settings);
  Run sum;
  int wrong = 0;
  for (const ObfPosition& position : *positions) {
    const Rules8::Position p = rules.from_board(position.board);
    if (rules.outcome(p).over()) {
      fmt::print(stderr, "endings_bench: {}: line {}: the game is over in this position\n", path, position.line);
      return 2;
    }
    const Run run = solve(search, p);
    fmt::print("line {:>3}: {} empty, {:+} by {}, {}, {:.1f} M nodes\n", position.line, traits.plies_to_end(p),
               run.score, move_text(position.board, rules.to_turn(p, move_of(run))),
               text_of(run.seconds, run.wall, settings.threads), static_cast<double>(run.nodes) / 1e6);
    if (position.score && *position.score != run.score) {
      ++wrong;
      fmt::print("line {:>3}: WRONG: the file says {:+}, found {:+}\n", position.line, *position.score, run.score);
    }
    std::fflush(stdout);
    sum.seconds += run.seconds;
    sum.wall += run.wall;
    sum.nodes += run.nodes;
  }
  const auto nodes = static_cast<double>(sum.nodes);
  fmt::print("{} positions: {}, {:.1f} M nodes, {:.1f} M/s; {} of the scores in the file differ\n", positions->size(),
             text_of(sum.seconds, sum.wall, settings.threads), nodes / 1e6, nodes / sum.seconds / 1e6, wrong);
  return wrong > 0 ? 1 : 0;
}

/// The errors of searches of 0, 1, … plies, added up.
struct ErrorSums {
  std::array<double, 9> squares{};
  int positions = 0;

  void print(std::string_view name) const {
    fmt::print("{:>3}", name);
    for (const double sum : squares) fmt::print(" {:5.0f}", std::sqrt(sum / positions));
    fmt::print("\n");
    std::fflush(stdout);
  }
};

template <class Traits>
void measure_errors(int size, const std::vector<int>& empties, int positions, const SearchSettings& settings) {
  const typename Traits::RulesType rules(Options{size});
  const Traits traits(rules, Evaluation::tuned);
  Search<Traits> search(traits, settings);
  using Estimate = EndingEstimate<typename Traits::RulesType::ShapeType>;
  Estimate estimate(rules, traits.evaluator());
  ErrorSums all;
  for (const int n : empties) {
    Random random(static_cast<std::uint64_t>(n));
    ErrorSums sums;
    for (int i = 0; i < positions; ++i) {
      search.forget();
      const auto p = own_game_position(traits, search, n, random);
      const double exact = 100 * solve(search, p).score;
      const std::uint64_t own = p.own.words[0];
      const std::uint64_t opponent = p.opponent.words[0];
      for (std::size_t depth = 0; depth < sums.squares.size(); ++depth) {
        const double error =
            estimate.search(own, opponent, -Estimate::infinity, Estimate::infinity, static_cast<int>(depth)) - exact;
        sums.squares[depth] += error * error;
        all.squares[depth] += error * error;
      }
    }
    sums.positions = positions;
    all.positions += positions;
    sums.print(std::to_string(n));
  }
  all.print("all");
}

void solve_six(int hash_mb) {
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
  int threads = 1;
  bool six = false;
  bool obf = false;
  bool errors = false;
  std::string file;
  CLI::App app("How fast endings of Black & White are solved.");
  app.add_option("--empties", empties, "20 and 24 unless given")->check(CLI::Range(1, 30));
  app.add_option("--positions", positions)->check(CLI::Range(1, 1000));
  app.add_flag("--obf", obf, "print the positions too");
  app.add_option("--hash", hash_mb)->check(CLI::Range(1, 4096));
  app.add_option("--threads", threads)->check(CLI::Range(1, paika::max_search_threads));
  app.add_option("--file", file, "solve the positions of this file (OBF) instead");
  app.add_flag("--six", six, "solve 6x6 from the start instead");
  app.add_flag("--errors", errors, "measure how far short searches are from the exact scores instead");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const paika::SearchSettings settings = paika::othello::settings_of(threads, hash_mb);
  if (!file.empty()) return paika::othello::solve_file(file, settings);
  if (errors) {
    if (empties.empty()) empties = {10, 11, 12, 13, 14, 15, 16, 17, 18};
    if (six) {
      paika::othello::measure_errors<paika::othello::Traits6>(6, empties, positions, settings);
    } else {
      paika::othello::measure_errors<paika::othello::Traits8>(8, empties, positions, settings);
    }
    return 0;
  }
  if (six) {
    paika::othello::solve_six(hash_mb);
    return 0;
  }
  if (empties.empty()) empties = {20, 24};
  for (const int n : empties) paika::othello::measure(n, positions, obf, settings);
  return 0;
}
