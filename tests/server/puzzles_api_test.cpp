// Puzzles on the server: all of them are built in, and the next one is as hard as the rating wants.
#include "server/puzzles_api.hpp"

#include <gtest/gtest.h>
#include <string>

namespace paika::server {
namespace {

study::Puzzle of_level(const std::string& id, int level) {
  study::Puzzle puzzle;
  puzzle.id = id;
  puzzle.level = level;
  return puzzle;
}

TEST(PuzzleRatings, have_puzzles_of_every_game) {
  for (const char* const game : {"fanorona", "abalone", "othello", "wildebeest"}) {
    EXPECT_GE(puzzles_of(game).size(), 100U) << game;
  }
  EXPECT_TRUE(puzzles_of("chess").empty());
}

TEST(PuzzleRatings, choose_what_is_near_and_was_not_tried) {
  const std::vector<study::Puzzle> puzzles = {of_level("a", 1), of_level("b", 5), of_level("c", 10)};
  const auto next = [&](double rating, const std::set<std::string>& tried) {
    const study::Puzzle* const found = next_puzzle(puzzles, tried, {.value = rating}, 7);
    return found == nullptr ? std::string() : found->id;
  };
  EXPECT_EQ(next(1500, {}), "b");
  EXPECT_EQ(next(600, {}), "a");
  EXPECT_EQ(next(2500, {}), "c");
  EXPECT_EQ(next(1500, {"b"}), "a");
  EXPECT_EQ(next(1500, {"a", "b", "c"}), "");
}

TEST(PuzzleRatings, differ_in_order_from_person_to_person) {
  std::vector<study::Puzzle> puzzles;
  for (int i = 0; i < 50; ++i) puzzles.push_back(of_level(std::to_string(i), 3));
  std::set<std::string> chosen;
  for (PersonId person = 1; person <= 10; ++person) chosen.insert(next_puzzle(puzzles, {}, {}, person)->id);
  EXPECT_GT(chosen.size(), 3U);
}

TEST(PuzzleRatings, grow_with_the_level) {
  for (int level = 1; level < study::max_puzzle_level; ++level) {
    EXPECT_LT(puzzle_difficulty(level).value, puzzle_difficulty(level + 1).value);
  }
}

}  // namespace
}  // namespace paika::server
