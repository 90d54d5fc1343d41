// Reading files of many games: a bad one is named by its line, and the others are read.
#include "study/split_games.hpp"

#include <gtest/gtest.h>

#include "study/formats.hpp"

namespace paika::study {
namespace {

struct SplitRead {
  std::size_t good = 0;
  std::vector<std::string> errors;
};

SplitRead read_all(std::string_view text, const ReadRequest& request = {}) {
  SplitRead read;
  const std::vector<FilePart> files{{"", std::string(text)}};
  const auto done = for_each_game(files, request, [&](const Result<GameTree>& tree) {
    if (tree) {
      ++read.good;
    } else {
      read.errors.push_back(tree.error().message);
    }
  });
  EXPECT_TRUE(done.has_value()) << done.error().message;
  return read;
}

TEST(SplitGames, a_bad_tree_is_named_by_its_line) {
  const SplitRead read = read_all(
      "[Game \"othello\"]\n\n1. f5 {a comment\n[with a line like a tag]} d6 *\n\n"
      "[Game \"othello\"]\n[First \"Ann\"]\n\n1. f5 a1 *\n\n[Game \"othello\"]\n\n1. f5 f6 *\n");
  EXPECT_EQ(read.good, 2U);
  ASSERT_EQ(read.errors.size(), 1U);
  EXPECT_TRUE(read.errors[0].starts_with("line 9, column 7: \"a1\"")) << read.errors[0];
}

TEST(SplitGames, a_bad_record_is_named_by_its_line) {
  constexpr std::string_view good = "paika-record 1\nspec othello\nmove f5\nresult ongoing none\nend\n";
  const SplitRead read = read_all(
      std::string(good) + "paika-record 1\nspec othello\nmove a1\nresult ongoing none\nend\n" + std::string(good));
  EXPECT_EQ(read.good, 2U);
  ASSERT_EQ(read.errors.size(), 1U);
  EXPECT_TRUE(read.errors[0].starts_with("line 8: ")) << read.errors[0];
}

TEST(SplitGames, a_bad_game_in_ggf_is_named_by_its_line) {
  constexpr std::string_view board = "BO[8 ---------------------------O*------*O--------------------------- *]";
  const auto game = [&](std::string_view moves) {
    return "(;GM[Othello]PC[a (;place]PB[Ann]PW[Bob]RE[?]TY[8]" + std::string(board) + std::string(moves) + ";)\n";
  };
  const SplitRead read = read_all(game("B[F5]W[D6]") + game("B[A1]") + game("B[F5]W[F6]"));
  EXPECT_EQ(read.good, 2U);
  ASSERT_EQ(read.errors.size(), 1U);
  EXPECT_TRUE(read.errors[0].starts_with("line 2: ")) << read.errors[0];
}

TEST(SplitGames, a_bad_transcript_is_named_by_its_number) {
  const SplitRead read = read_all("f5d6\nf5f5\nf5f6\n");
  EXPECT_EQ(read.good, 2U);
  ASSERT_EQ(read.errors.size(), 1U);
  EXPECT_TRUE(read.errors[0].starts_with("game 2: ")) << read.errors[0];
}

TEST(SplitGames, gives_the_games_that_read_games_gives) {
  const std::string text = "[Game \"othello\"]\n\n1. f5 d6 *\n[Game \"abalone:4x4\"]\n[Note \"a [tag] in it\"]\n\n*\n";
  const auto whole = read_games(text);
  ASSERT_TRUE(whole.has_value()) << whole.error().message;
  EXPECT_EQ(whole->size(), 2U);
  EXPECT_EQ(read_all(text).good, 2U);
}

}  // namespace
}  // namespace paika::study
