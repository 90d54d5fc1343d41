// Reading data files and counting lines with a reference game, for the tests of this folder.
#pragma once

#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "tests/reference/reference.hpp"
#include "tests/reference/specs.hpp"

namespace paika_reference {

/// The lines of a file in tests/data without comments; throws if there are none.
inline std::vector<std::string> data_lines(const std::string& name) {
  std::vector<std::string> lines;
  std::ifstream file(PAIKA_TEST_DATA "/" + name);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  }
  if (lines.empty()) throw std::runtime_error("no data in " + name);
  return lines;
}

/// One line of a perft file: a game, a position of it (or `start`) and the counts for depth 1, 2, …
struct PerftLine {
  std::string spec;
  std::string position;
  std::vector<std::int64_t> counts;
};

inline std::vector<PerftLine> read_perft_lines(const std::string& name) {
  std::vector<PerftLine> lines;
  for (const std::string& text : data_lines("perft/" + name)) {
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

/// Counts the numbers up to `max_nodes` of tests/data/perft/NAME again, a file of at least so many lines.
inline void expect_perft_file(const std::string& name, std::size_t at_least, std::int64_t max_nodes) {
  const std::vector<PerftLine> lines = read_perft_lines(name);
  EXPECT_GE(lines.size(), at_least);
  for (const PerftLine& line : lines) {
    const auto game = make_game(line.spec);
    const std::string position = line.position == "start" ? game->initial() : line.position;
    const std::vector<std::int64_t> cheap = cheap_counts(line, max_nodes);
    EXPECT_FALSE(cheap.empty()) << line.spec;
    EXPECT_EQ(perft_counts(*game, position, static_cast<int>(cheap.size())), cheap) << line.spec << ' ' << position;
  }
}

}  // namespace paika_reference
