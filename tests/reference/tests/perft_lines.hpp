// Reading tests/data/perft files and counting lines with a reference game, for the tests of this folder.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/reference/reference.hpp"

namespace paika_reference {

/// One line of a perft file: a game, a position of it (or `start`) and the counts for depth 1, 2, …
struct PerftLine {
  std::string spec;
  std::string position;
  std::vector<std::int64_t> counts;
};

/// The lines of a perft file without its comments; empty if the file cannot be read.
inline std::vector<PerftLine> read_perft_lines(const std::string& path) {
  std::vector<PerftLine> lines;
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    if (text.empty() || text.front() == '#') continue;
    PerftLine line;
    std::istringstream fields(text);
    std::getline(fields, line.spec, '\t');
    std::getline(fields, line.position, '\t');
    for (std::int64_t count = 0; fields >> count;) line.counts.push_back(count);
    lines.push_back(line);
  }
  return lines;
}

/// Lines of exactly `depth` turns from `position`; a finished game has no turns.
inline std::int64_t perft(const ReferenceGame& game, const std::string& position, int depth) {
  if (depth == 0) return 1;
  std::int64_t lines = 0;
  for (const Successor& next : game.successors(position)) lines += perft(game, next.position, depth - 1);
  return lines;
}

/// The counts for depth 1, 2, …, as many as `depths`.
inline std::vector<std::int64_t> perft_counts(const ReferenceGame& game, const std::string& position, int depths) {
  std::vector<std::int64_t> counts;
  for (int depth = 1; depth <= depths; ++depth) counts.push_back(perft(game, position, depth));
  return counts;
}

/// The leading counts of a line that are small enough to be counted again in a test.
inline std::vector<std::int64_t> cheap_counts(const PerftLine& line, std::int64_t max_nodes) {
  std::vector<std::int64_t> counts;
  for (const std::int64_t count : line.counts) {
    if (count > max_nodes) break;
    counts.push_back(count);
  }
  return counts;
}

}  // namespace paika_reference
