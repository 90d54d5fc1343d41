// Prints perft numbers of the reference implementations of Othello and Wildebeest.
//
// Reads lines `SPEC<TAB>POSITION` (POSITION may be `start`; lines with # and empty lines are copied) and
// writes each with its counts for depth 1, 2, … for as long as they sum to at most MAX_NODES. From the
// repository root:
//   g++ -std=c++20 -O2 -I. -o perft_numbers tests/reference/tools/perft_numbers.cpp
//       tests/reference/othello.cpp tests/reference/wildebeest.cpp       (one line)
//   cut -f1,2 tests/data/perft/reference_othello.txt | ./perft_numbers 500000 > new.txt
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "tests/reference/reference.hpp"

namespace {

using paika_reference::ReferenceGame;
using paika_reference::Successor;

/// The game of a spec: `othello:10x10`, or `wildebeest` with any of `pads=cycle` and `swarm=forbid`.
std::unique_ptr<ReferenceGame> make_game(const std::string& spec) {
  const std::string othello = "othello:";
  if (spec.starts_with(othello)) return paika_reference::make_othello({std::atoi(spec.c_str() + othello.size())});
  const bool cycle = spec.find("pads=cycle") != std::string::npos;
  const bool forbid = spec.find("swarm=forbid") != std::string::npos;
  return paika_reference::make_wildebeest({cycle, forbid});
}

/// Lines of exactly `depth` turns, or nothing when `budget` nodes do not suffice.
std::optional<std::int64_t> perft(const ReferenceGame& game, const std::string& position, int depth,
                                  std::int64_t& budget) {
  if (depth == 0) return 1;
  std::int64_t lines = 0;
  for (const Successor& next : game.successors(position)) {
    if (--budget < 0) return std::nullopt;
    const std::optional<std::int64_t> below = perft(game, next.position, depth - 1, budget);
    if (!below) return std::nullopt;
    lines += *below;
  }
  return lines;
}

void print_numbers(const std::string& spec, const std::string& position, std::int64_t max_nodes) {
  const std::unique_ptr<ReferenceGame> game = make_game(spec);
  std::cout << spec << '\t' << position;
  char separator = '\t';
  for (int depth = 1;; ++depth) {
    std::int64_t budget = max_nodes;
    const auto lines = perft(*game, position == "start" ? game->initial() : position, depth, budget);
    if (!lines) break;
    std::cout << separator << *lines;
    if (*lines == 0) break;  // all games are over
    separator = ' ';
  }
  std::cout << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t max_nodes = argc > 1 ? std::atoll(argv[1]) : 100000;
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    if (line.starts_with('#') || tab == std::string::npos) {
      std::cout << line << '\n';
    } else {
      print_numbers(line.substr(0, tab), line.substr(tab + 1), max_nodes);
    }
  }
}
