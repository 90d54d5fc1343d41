// Puzzles: what is made is proven, what has two solutions is refused.
#include "study/puzzles.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

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

std::vector<Puzzle> made(const GamePtr& game, const PuzzleProof& proof, std::size_t count,
                         PuzzleSettings settings = {}) {
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
  const auto puzzles = made(abalone, {"proof", search, true}, 2);  // slow: the games are played with some care
  ASSERT_GE(puzzles.size(), 2U);
  for (const Puzzle& puzzle : puzzles) EXPECT_TRUE(verify_puzzle(*abalone, puzzle, search)) << puzzle.position;
}

/// All legal moves; one of them with a value of its own.
Oracle oracle_knowing(const std::string& move, MoveValue value) {
  return [move, value](const Session& session) -> Result<std::vector<OracleTurn>> {
    std::vector<OracleTurn> turns;
    session.for_each_turn([&](const ListedTurn& turn) {
      turns.push_back({turn.text, turn.text == move ? value : MoveValue{ValueKind::loss, 4, Measure::turns}});
      return true;
    });
    return turns;
  };
}

TEST(Puzzles, what_is_said_of_the_solution_is_verified) {
  const GamePtr game = must_open("abalone:3x3,captures=1");
  const std::string position = must(game->start_from_text("(b b-w bbw -w-)"), "position")->position_text();
  std::string move;
  must(game->start_from_text(position), "position")->for_each_turn([&](const ListedTurn& turn) {
    move = turn.text;
    return false;
  });
  const Oracle in_five = oracle_knowing(move, {ValueKind::win, 5, Measure::turns});
  const auto session = must(game->start_from_text(position), "position");
  const auto themes = themes_of(*session, *only_move(must(in_five(*session), "oracle")));
  Puzzle puzzle{"x", "abalone:3x3,captures=1", position, ValueKind::win, 3, move, 3, themes, "proof"};
  const auto error = [&](const Puzzle& one) {
    const auto verified = verify_puzzle(*game, one, in_five);
    return verified ? "" : verified.error().message;
  };
  EXPECT_EQ(error(puzzle), "");
  Puzzle wrong = puzzle;
  wrong.moves = 2;
  EXPECT_EQ(error(wrong), "its moves are 3, not 2");
  wrong.moves = 0;
  EXPECT_EQ(error(wrong), "its moves are 3, not 0");
  wrong = puzzle;
  wrong.level = 2;
  EXPECT_EQ(error(wrong), "its level is 2; a win in 3 moves is of level 3 at least");
  wrong = puzzle;
  wrong.themes.emplace_back("parity");
  EXPECT_TRUE(error(wrong).starts_with("its themes are ")) << error(wrong);
  // A table knows all moves: the goal is to win at all.
  puzzle.proof = "table";
  EXPECT_EQ(error(puzzle), "its moves are 0, not 3");
}

TEST(Puzzles, of_several_forced_wins_the_soonest_counts) {
  // Black can push a stone off at once; other moves win later or not at all.
  const GamePtr game = must_open("abalone:3x3,captures=1");
  const auto session = must(game->start_from_text("(b b-w bbw -w-)"), "position");
  const auto turns = must(full_width_oracle(*game, {9, 500'000})(*session), "oracle");
  ASSERT_EQ(turns.size(), session->count_turns());
  int soonest = 0;
  int draws = 0;
  for (const OracleTurn& turn : turns) {
    draws += turn.value.kind == ValueKind::draw ? 1 : 0;
    if (turn.value.kind != ValueKind::win) continue;
    EXPECT_EQ(turn.value, move_value(Value::win(1))) << turn.text;
    ++soonest;
  }
  EXPECT_GT(soonest, 0);
  EXPECT_GT(draws, 0);
}

TEST(Puzzles, levels_rise_and_no_position_comes_twice) {
  const GamePtr game = must_open("othello:6x6");
  const Board board = must(game->notation().parse_position("XXXXXXXXXXOOXXOXOOXOXXOOXOXXO-O----- X"), "position");
  const auto with = [&](int level, const Board& shown) {
    return Puzzle{"p", "othello:6x6", game->notation().position_text(shown), ValueKind::win, 0, "b6", level,
                  {},  "ending"};
  };
  const Board other = must(game->notation().parse_position("XXXXXXXXXXOOXXOXOOXOXXOOXOXXOXO----- X"), "position");
  EXPECT_TRUE(ladder_faults(std::vector{with(1, board), with(1, other)}).empty());
  const auto falling = ladder_faults(std::vector{with(2, board), with(1, other)});
  ASSERT_EQ(falling.size(), 1U);
  EXPECT_EQ(falling.at(1), "its level 1 comes after level 2");
  const Symmetry turned = game->notation().symmetries().back();
  const auto twice = ladder_faults(std::vector{with(1, board), with(1, transformed(board, turned))});
  ASSERT_EQ(twice.size(), 1U);
  EXPECT_EQ(twice.at(1), "it is p up to symmetry");
}

TEST(Puzzles, no_level_and_no_theme_is_more_than_its_share) {
  PuzzleSettings settings;
  settings.max_per_level = 2;
  settings.max_per_theme = 3;
  const GamePtr othello = must_open("othello:6x6");
  std::map<int, std::size_t> levels;
  std::map<std::string, std::size_t> themes;
  for (const Puzzle& puzzle : made(othello, {"ending", ending_oracle(*othello)}, 100, settings)) {
    ++levels[puzzle.level];
    for (const std::string& theme : puzzle.themes) ++themes[theme];
  }
  EXPECT_EQ(levels[1], 2U);  // the easy ones are found first, and there are many
  for (const auto& [level, count] : levels) EXPECT_LE(count, 2U) << level;
  for (const auto& [theme, count] : themes) EXPECT_LE(count, 3U) << theme;
}

TEST(Puzzles, full_shares_can_be_raised) {
  PuzzleSettings settings;
  settings.max_empty = 8;
  settings.max_per_level = 1;
  settings.max_per_theme = 1;
  const GamePtr othello = must_open("othello:6x6");
  PuzzleMaker maker(othello, {{"ending", ending_oracle(*othello)}}, settings);
  const auto found = [&](int games) {
    std::size_t puzzles = 0;
    for (int game = 0; game < games; ++game) puzzles += must(maker.play_on(), "game").size();
    return puzzles;
  };
  EXPECT_GT(found(30), 0U);
  EXPECT_EQ(found(10), 0U);
  maker.raise_shares();
  EXPECT_GT(found(10), 0U);
}

TEST(Puzzles, two_solutions_are_refused) {
  const GamePtr game = must_open("othello:6x6");
  // docs/solving.md: all five moves of this position win.
  Puzzle puzzle{"x", "othello:6x6", "XXXXXXXXXXOOXXOXOOXOXXOOXOXXO-O----- X", ValueKind::win, 0, "b6", 3, {}, "ending"};
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
  EXPECT_EQ(error(header + "a\tb\n"), "line 2: there are 2 columns; 9 are needed");
  EXPECT_EQ(error(header + "a\to\tp\tloss\t\tm\t1\t\ttable\n"), "line 2: the goal is win or draw, not \"loss\"");
  EXPECT_EQ(error(header + "a\to\tp\twin\t\tm\t11\t\ttable\n"),
            "line 2: the level is a whole number from 1 to 10, not \"11\"");
  EXPECT_EQ(error(header + "a\to\tp\twin\tsoon\tm\t1\t\tproof\n"),
            "line 2: the moves are a whole number from 1 to 100, or nothing, not \"soon\"");
  EXPECT_EQ(error(header + "a\to\tp\tdraw\t2\tm\t1\t\tproof\n"), "line 2: a draw is not reached in a number of moves");
  const std::string good = "a\to\tp\twin\t\tm\t1\t\ttable\n";
  EXPECT_EQ(error(header + good + good), "line 3: the id \"a\" is there twice");
}

}  // namespace
}  // namespace paika::study
