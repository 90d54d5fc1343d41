// Puzzles: what is made is proven, what has two solutions is refused.
#include "study/puzzles.hpp"

#include <gtest/gtest.h>

#include "engine/exact.hpp"
#include "study/full_width.hpp"
#include "tests/study/random_tree.hpp"

namespace paika::study {
namespace {

using paika_tests::must;
using paika_tests::must_open;

Oracle ending_oracle(const Game& game) {
  const std::shared_ptr<ExactSearch> search = must(ExactSearch::open(game, 1, 4), "search");
  return search_oracle(search, 10);
}

std::vector<Puzzle> made(const GamePtr& game, const PuzzleProof& proof, std::size_t count) {
  PuzzleSettings settings;
  settings.max_empty = 8;
  PuzzleMaker maker(game, {proof}, settings);
  std::vector<Puzzle> puzzles;
  for (int games = 0; games < 400 && puzzles.size() < count; ++games) {
    for (Puzzle& puzzle : must(maker.play_on(), "game")) puzzles.push_back(std::move(puzzle));
  }
  return puzzles;
}

TEST(Puzzles, what_is_made_is_proven_and_written) {
  const GamePtr othello = must_open("othello:6x6");
  const Oracle ending = ending_oracle(*othello);
  const auto puzzles = made(othello, {"ending", ending}, 5);
  ASSERT_GE(puzzles.size(), 5U);
  std::set<std::string> positions;
  for (const Puzzle& puzzle : puzzles) {
    EXPECT_TRUE(verify_puzzle(*othello, puzzle, ending)) << puzzle.position;
    const Board board = must(othello->notation().parse_position(puzzle.position), "position");
    EXPECT_TRUE(positions.insert(canonical_position(othello->notation(), board)).second);
  }
  EXPECT_EQ(must(parse_puzzles(puzzles_text(puzzles)), "text"), puzzles);
}

TEST(Puzzles, search_alone_proves_too) {
  const GamePtr abalone = must_open("abalone:3x3,captures=1");
  const Oracle search = full_width_oracle(*abalone, {7, 200'000});
  const auto puzzles = made(abalone, {"proof", search}, 2);
  ASSERT_GE(puzzles.size(), 2U);
  for (const Puzzle& puzzle : puzzles) EXPECT_TRUE(verify_puzzle(*abalone, puzzle, search)) << puzzle.position;
}

TEST(Puzzles, two_solutions_are_refused) {
  const GamePtr game = must_open("othello:6x6");
  // docs/solving.md: all five moves of this position win.
  Puzzle puzzle{"x", "othello:6x6", "XXXXXXXXXXOOXXOXOOXOXXOOXOXXO-O----- X", ValueKind::win, "b6", 3, {}, "ending"};
  const auto refused = verify_puzzle(*game, puzzle, ending_oracle(*game));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "it has 5 solutions: b6, c6, e6, f6, f5");
  puzzle.solution = "a1";
  EXPECT_FALSE(verify_puzzle(*game, puzzle, ending_oracle(*game)));
  const auto unknown = [](const Session&) -> Result<std::vector<OracleTurn>> { return std::vector<OracleTurn>(); };
  puzzle.solution = "b6";
  EXPECT_EQ(verify_puzzle(*game, puzzle, unknown).error().message, "the value of its moves is not known");
}

TEST(Puzzles, the_only_move) {
  const MoveValue win = move_value(Value::win(3));
  const MoveValue draw = move_value(Value::draw());
  const MoveValue loss = move_value(Value::loss(2));
  const auto only = [](std::vector<OracleTurn> turns) {
    const auto found = only_move(turns);
    return found ? found->text : "none";
  };
  EXPECT_EQ(only({{"a", win}, {"b", draw}, {"c", loss}}), "a");
  EXPECT_EQ(only({{"a", draw}, {"b", loss}}), "a");
  EXPECT_EQ(only({{"a", win}, {"b", win}, {"c", draw}}), "none");
  EXPECT_EQ(only({{"a", loss}, {"b", loss}}), "none");
  EXPECT_EQ(only({{"a", win}}), "none");
}

TEST(Puzzles, errors_name_the_line) {
  const auto error = [](const std::string& text) { return parse_puzzles(text).error().message; };
  const std::string header = puzzles_text({});
  EXPECT_TRUE(error("x\n").starts_with("line 1: the columns are id, spec, "));
  EXPECT_EQ(error(header + "a\tb\n"), "line 2: there are 2 columns; 8 are needed");
  EXPECT_EQ(error(header + "a\to\tp\tloss\tm\t1\t\ttable\n"), "line 2: the goal is win or draw, not \"loss\"");
  EXPECT_EQ(error(header + "a\to\tp\twin\tm\t11\t\ttable\n"),
            "line 2: the level is a whole number from 1 to 10, not \"11\"");
  const std::string good = "a\to\tp\twin\tm\t1\t\ttable\n";
  EXPECT_EQ(error(header + good + good), "line 3: the id \"a\" is there twice");
}

}  // namespace
}  // namespace paika::study
