// Games of Othello from GGF and to it.
#include <gtest/gtest.h>

#include "play/ggf.hpp"
#include "tests/support/game.hpp"
#include "tests/support/must.hpp"

namespace paika::play {
namespace {

using paika_tests::contains;
using paika_tests::must;

GameRecord record_of(std::string_view text) { return must(parse_records(text), "record").at(0); }

TEST(GgfRecord, there_and_back) {
  const GameRecord record = record_of(
      "paika-record 1\nspec othello\nfirst a]b\\c\nfirst-limits clock=900s\nsecond-limits clock=900s\n"
      "move e6 time=1500000us score=-125\nmove f4\nresult ongoing none\nend\n");
  const std::string ggf = must(ggf_text(record), "ggf");
  EXPECT_EQ(ggf,
            "(;GM[Othello]PC[Paika]PB[a\\]b\\\\c]PW[]RE[?]TI[00:15:00]TY[8]BO[8 "
            "---------------------------O*------*O--------------------------- *]B[E6/-1.25/1.50]W[F4];)\n");
  const GameRecord again = must(record_of_ggf(ggf), ggf);
  EXPECT_EQ(again.spec, "othello:8x8");
  EXPECT_EQ(again.players[0], "a]b\\c");
  EXPECT_EQ(again.players[1], "");
  EXPECT_EQ(again.start, "");
  ASSERT_EQ(again.turns.size(), 2U);
  EXPECT_EQ(again.turns[0].text, "e6");
  EXPECT_EQ(again.turns[0].time, std::chrono::microseconds(1'500'000));
  EXPECT_EQ(again.limits[0].clock->left, Milliseconds(900'000));
  EXPECT_EQ(must(parse_records(record_text(again)), "again").size(), 1U);
}

TEST(GgfRecord, passes_that_are_left_out_are_put_in) {
  // After these turns White must pass and Black goes on with e1.
  std::string ggf = "(;GM[Othello]BO[6 --------------O*----*O-------------- *]";
  const std::string moves = "e4c5b5e5d5a5a6f3a4b3b4c2c1a3f6d1b6f5d6e6f4c6f2b1d2e3b2a2a1e1e2f1";
  for (std::size_t i = 0; i < moves.size(); i += 2) ggf += "B[" + moves.substr(i, 2) + "]";
  const GameRecord record = must(record_of_ggf(ggf + ";)"), "ggf");
  EXPECT_EQ(record.turns.size(), 33U);
  EXPECT_EQ(record.turns[29].text, "pass");
  EXPECT_EQ(record.result.reason, "board_full");
  EXPECT_TRUE(contains(must(ggf_text(record), "again"), "W[PA]B[E1]"));
}

TEST(GgfRecord, what_is_wrong_is_said) {
  EXPECT_TRUE(
      contains(record_of_ggf("(;GM[Othello]BO[6 --------------O*----*O-------------- *]B[A1];)").error().message,
               "move 1, \"a1\""));
  EXPECT_FALSE(record_of_ggf("rubbish"));
  EXPECT_TRUE(contains(ggf_text(record_of("paika-record 1\nspec abalone\nresult ongoing none\nend\n")).error().message,
                       "othello only"));
}

}  // namespace
}  // namespace paika::play
