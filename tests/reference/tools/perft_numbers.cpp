// Prints perft numbers of the reference implementations.
//
// Reads lines `SPEC<TAB>POSITION` (POSITION may be `start`; lines with # and empty lines are copied) and
// writes each with its counts for depth 1, 2, … for as long as they sum to at most MAX_NODES, up to the
// first 0 or depth 12:
//   cut -f1,2 tests/data/perft/reference_abalone.txt | reference_perft_numbers 1000000 > new.txt
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>

#include "tests/reference/specs.hpp"

namespace {

using paika_reference::ReferenceGame;
using paika_reference::Successor;

/// The number of turn sequences, or nothing once it passes `budget`, which it lowers.
std::optional<std::uint64_t> perft_within(const ReferenceGame& game, const std::string& position, int depth,
                                          std::uint64_t& budget) {
  const std::vector<Successor> next = game.successors(position);
  if (next.size() > budget) return std::nullopt;
  if (depth == 1) {
    budget -= next.size();
    return next.size();
  }
  std::uint64_t total = 0;
  for (const Successor& s : next) {
    const std::optional<std::uint64_t> below = perft_within(game, s.position, depth - 1, budget);
    if (!below) return std::nullopt;
    total += *below;
  }
  return total;
}

std::string counts(const ReferenceGame& game, const std::string& position, std::uint64_t budget) {
  constexpr int deepest = 12;
  std::string text;
  for (int depth = 1; depth <= deepest; ++depth) {
    const std::optional<std::uint64_t> n = perft_within(game, position, depth, budget);
    if (!n) break;
    if (depth > 1) text += ' ';
    text += std::to_string(*n);
    if (*n == 0) break;
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t most = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    if (line.empty() || line.front() == '#' || tab == std::string::npos) {
      std::cout << line << '\n';
      continue;
    }
    const std::unique_ptr<ReferenceGame> game = paika_reference::make_game(line.substr(0, tab));
    const std::string position = line.substr(tab + 1);
    std::cout << line << '\t' << counts(*game, position == "start" ? game->initial() : position, most) << '\n';
  }
}
