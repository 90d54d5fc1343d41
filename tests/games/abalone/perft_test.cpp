// Counts of lines: the numbers of tests/data/perft/abalone.txt, as deep as a quick test allows.
#include <fstream>
#include <sstream>

#include "base/text.hpp"
#include "tests/games/abalone/helpers.hpp"

namespace paika::abalone {
namespace {

using testing::Game;

TEST(AbalonePerft, clause_6_1_the_default_game) {
  const Game game("abalone");
  const std::vector<std::uint64_t> counts = {15, 217, 3307, 47774, 717201};
  for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(game.lines("start", static_cast<int>(i) + 1), counts[i]);
}

TEST(AbalonePerft, clause_6_1_with_freeze) {
  const Game game("abalone:freeze");
  const std::vector<std::uint64_t> counts = {15, 211, 2971, 37082, 464685};
  for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(game.lines("start", static_cast<int>(i) + 1), counts[i]);
}

TEST(AbalonePerft, the_data_file) {
  std::ifstream file(std::string(PAIKA_TEST_DATA) + "/perft/abalone.txt");
  ASSERT_TRUE(file.is_open());
  constexpr std::uint64_t enough = 3'000'000;
  int checked = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto fields = split(line, '\t');
    ASSERT_EQ(fields.size(), 3U) << line;
    const Game game{std::string(fields[0])};
    EXPECT_EQ(canonical_spec(game.options()), fields[0]);
    int depth = 0;
    for (const auto field : split(fields[2], ' ')) {
      const auto count = parse_int(field);
      ASSERT_TRUE(count.has_value()) << line;
      ++depth;
      if (static_cast<std::uint64_t>(*count) > enough) break;
      EXPECT_EQ(game.lines(std::string(fields[1]), depth), static_cast<std::uint64_t>(*count))
          << line << " depth " << depth;
      ++checked;
    }
  }
  EXPECT_GT(checked, 90);
}

}  // namespace
}  // namespace paika::abalone
