// Why the notation refuses a move of Abalone: sentence, clause and squares; and what moves do.
#include "tests/games/abalone/helpers.hpp"

namespace paika::abalone {
namespace {

using testing::Game;

TEST(AbaloneRefusals, clause_2_1_the_choice) {
  const Game game("abalone");
  EXPECT_EQ(game.refusal_words("start", "b2b3"), "b2 is empty: Black must choose a Black piece [2.1] b2");
  EXPECT_EQ(game.refusal_words("start", "d4c3"), "the piece on d4 is White: Black must choose a Black piece [2.1] d4");
  EXPECT_EQ(game.refusal_words("start", "a1a1"), "the piece on a1 must go to another square [2.1] a1");
  EXPECT_EQ(game.refusal_words("start", "a1c3"),
            "c3 is not next to a1: a piece moves one square along a row, column or diagonal [2.1] a1 c3");
  EXPECT_EQ(game.refusal_words("start", "a1b2"), "");
}

TEST(AbaloneRefusals, clause_2_3_own_pieces_stay_on_the_board) {
  const Game game("abalone");
  EXPECT_EQ(game.refusal_words("start", "b1a1"), "b1a1 would push Black's own piece on a1 off the board [2.3] b1 a1");
}

TEST(AbaloneRefusals, clause_2_4_pushes) {
  const Game game("abalone:3x6,captures=6");
  EXPECT_EQ(game.refusal_words("(b ------ bww--- ------)", "a2b2"),
            "a2b2 has 1 Black piece against 2 White pieces: a push needs a majority [2.4] a2 b2 c2");
  EXPECT_EQ(game.refusal_words("(w ------ -bbww- ------)", "e2d2"),
            "e2d2 has 2 White pieces against 2 Black pieces: a push needs a majority [2.4] e2 d2 c2 b2");
  EXPECT_EQ(game.refusal_words("(b ------ bbwb-- ------)", "a2b2"),
            "a2b2 cannot push 1 White piece: there is another piece behind it, on d2 [2.4] a2 b2 c2 d2");
  EXPECT_EQ(game.refusal_words("(b ------ bbbwwb ------)", "a2b2"),
            "a2b2 cannot push 2 White pieces: there is another piece behind them, on f2 [2.4] a2 b2 c2 d2 e2 f2");
}

TEST(AbaloneRefusals, clause_2_5_turns_that_are_no_moves) {
  const Game game("abalone");
  const Board board = game.notation().initial();
  const std::vector<Turn> turns = {
      {},
      {{StepKind::pass, {}}},
      {{StepKind::from, {0, 3}}},
      {{StepKind::to, {0, 3}}, {StepKind::from, {1, 2}}},
      {{StepKind::from, {0, 3}}, {StepKind::to, {1, 2}}, {StepKind::to, {2, 1}}},
      {{StepKind::place, {1, 1}}},
      {{StepKind::from, {0, 3}}, {StepKind::to, {-1, 2}}},
      {{StepKind::from, {0, 400}}, {StepKind::to, {0, 399}}},
  };
  for (const Turn& turn : turns) {
    const auto refusal = game.notation().refuse(board, turn);
    ASSERT_TRUE(refusal.has_value());
    EXPECT_EQ(refusal->clause, "2.5");
    EXPECT_TRUE(refusal->squares.empty());
  }
}

TEST(AbaloneRefusals, clause_4_2_and_4_4_frozen_pieces) {
  const std::string position = "(b ----- bb--- -w--- -w--- -----)";
  const Game strict("abalone:5x5,captures=7,freeze");
  EXPECT_EQ(strict.refusal_words(position, "b2c2"), "b2 is frozen: White could push it to b1 with b4b3 [4.2] b2 b4");
  EXPECT_EQ(strict.refusal_words(position, "a2b2"), "b2 is frozen: White could push it to b1 with b4b3 [4.2] b2 b4");
  const Game initiator("abalone:5x5,captures=7,freeze=initiator");
  EXPECT_EQ(initiator.refusal_words(position, "b2c2"), "b2 is frozen: White could push it to b1 with b4b3 [4.4] b2 b4");
  EXPECT_EQ(initiator.refusal_words(position, "a2b2"), "");
}

TEST(AbaloneRefusals, clause_4_4_the_duty_to_capture) {
  const Game game("abalone:4x4,captures=5,must");
  EXPECT_EQ(game.refusal_words("(b ---- -bbw ---- w---)", "b2b1"),
            "Black must capture when it can, for example with b2c2 [4.4] b2 d2");
  EXPECT_EQ(game.refusal_words("(b ---- -bbw ---- w---)", "b2c2"), "");
  const Game both("abalone:4x4,captures=5,must,freeze");
  EXPECT_EQ(both.refusal_words("(b ---- -bbw --w- b-w-)", "a4a3"), "");
}

TEST(AbaloneEffects, clause_2_1_the_line_moves_in_one_stage) {
  const Game game("abalone:3x6,captures=6");
  const Board board = game.board("(b ------ bbbw-- ------)");
  const auto effects = game.notation().effects(board, {{StepKind::from, {1, 1}}, {StepKind::to, {2, 1}}});
  const Cell black{Owner::first, 'o'};
  const Cell white{Owner::second, 'o'};
  const std::vector<Effect> expected = {
      {EffectKind::moved, 0, Square{1, 1}, Square{2, 1}, black, std::nullopt, "2.1"},
      {EffectKind::moved, 0, Square{2, 1}, Square{3, 1}, black, Square{1, 1}, "2.1"},
      {EffectKind::pushed, 0, Square{3, 1}, Square{4, 1}, white, Square{1, 1}, "2.4"},
  };
  EXPECT_EQ(effects, expected);
}

TEST(AbaloneEffects, clause_2_4_a_capture_leaves_the_board) {
  const Game game("abalone:3x6,captures=6");
  const Board board = game.board("(b ------ -bbbww ------)");
  const auto effects = game.notation().effects(board, {{StepKind::from, {1, 1}}, {StepKind::to, {2, 1}}});
  ASSERT_EQ(effects.size(), 5U);
  EXPECT_EQ(effects[3].kind, EffectKind::pushed);
  EXPECT_EQ(effects[3].to, (Square{5, 1}));
  EXPECT_EQ(effects[4].kind, EffectKind::captured);
  EXPECT_EQ(effects[4].from, (Square{5, 1}));
  EXPECT_EQ(effects[4].to, std::nullopt);
  EXPECT_EQ(effects[4].piece, (Cell{Owner::second, 'o'}));
  EXPECT_EQ(effects[4].clause, "2.4");
}

TEST(AbaloneNotation, names_glyphs_and_symmetries) {
  const Game square("abalone:4x4");
  EXPECT_EQ(square.notation().spec(), "abalone:4x4");
  EXPECT_EQ(square.notation().player_name(Player::first), "Black");
  EXPECT_EQ(square.notation().player_name(Player::second), "White");
  EXPECT_EQ(square.notation().glyph({Owner::first, 'o'}), 'b');
  EXPECT_EQ(square.notation().glyph({Owner::second, 'o'}), 'w');
  EXPECT_EQ(square.notation().glyph({}), '-');
  EXPECT_EQ(square.notation().symmetries().size(), 16U);
  EXPECT_EQ(Game("abalone:4x5").notation().symmetries().size(), 8U);
  EXPECT_EQ(square.notation().symmetries().front(), Symmetry{});
}

}  // namespace
}  // namespace paika::abalone
