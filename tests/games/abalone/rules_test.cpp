// Every clause of Abalone's rules on hand-made positions, asked of the bitboard rules.
#include "tests/games/abalone/helpers.hpp"

namespace paika::abalone {
namespace {

using testing::Game;
using Moves = paika_tests::Texts;

TEST(AbaloneRules, clause_1_2_each_side_has_n_plus_m_minus_3_pieces) {
  for (const char* spec : {"abalone:3x3", "abalone:4x4", "abalone:7x3", "abalone:3x26", "abalone:99x26"}) {
    const Game game(spec);
    const Board board = game.notation().initial();
    int black = 0;
    int white = 0;
    board.cells.for_each_square([&](Square s) {
      black += board.cells[s].belongs_to(Player::first) ? 1 : 0;
      white += board.cells[s].belongs_to(Player::second) ? 1 : 0;
    });
    EXPECT_EQ(black, pieces_each(game.options())) << spec;
    EXPECT_EQ(white, pieces_each(game.options())) << spec;
    EXPECT_EQ(board.to_move, Player::first);
  }
}

TEST(AbaloneRules, clause_2_1_one_piece_alone_has_eight_moves) {
  const Game game("abalone:5x5,captures=7");
  EXPECT_EQ(game.turns("(b ----- ----- --b-- ----- w----)"),
            (Moves{"c3b2", "c3b3", "c3b4", "c3c2", "c3c4", "c3d2", "c3d3", "c3d4"}));
  EXPECT_EQ(game.turns("(b b---- ----- ----- ----- ----w)"), (Moves{"a1a2", "a1b1", "a1b2"}));
}

TEST(AbaloneRules, clause_2_1_a_line_moves_along_in_every_direction) {
  const Game game("abalone:5x5,captures=7");
  const std::string plus = "(b --b-- --b-- bbb-- ----- ----w)";
  EXPECT_EQ(game.after(plus, "a3b3"), "(w --b-- --b-- -bbb- ----- ----w)");
  EXPECT_EQ(game.after(plus, "c1c2"), "(w ----- --b-- bbb-- --b-- ----w)");
  const std::string cross = "(b ----- -b-b- --b-- -b-b- --w--)";
  EXPECT_EQ(game.after(cross, "b2c3"), "(w ----- ---b- --b-- -b-b- --w-b)");
  EXPECT_EQ(game.after(cross, "d2c3"), "(w ----- -b--- --b-- -b-b- b-w--)");
  EXPECT_EQ(game.after(cross, "b4c3"), "(w ----b -b-b- --b-- ---b- --w--)");
  EXPECT_EQ(game.after(cross, "d4c3"), "(w b---- -b-b- --b-- -b--- --w--)");
}

TEST(AbaloneRules, clause_2_2_pieces_behind_the_chosen_one_stay_and_do_not_count) {
  const Game game("abalone:3x6,captures=6");
  const std::string row = "(b ------ bbb--- -----w)";
  EXPECT_EQ(game.after(row, "b2c2"), "(w ------ b-bb-- -----w)");
  const std::string push = "(b ------ bbww-- ------)";
  EXPECT_FALSE(game.is_legal(push, "a2b2"));
  const std::string three = "(b ------ bbbww- ------)";
  EXPECT_TRUE(game.is_legal(three, "a2b2"));
  EXPECT_FALSE(game.is_legal(three, "b2c2"));
}

TEST(AbaloneRules, clause_2_3_an_own_piece_is_never_pushed_off) {
  const Game game("abalone:3x3,captures=3");
  const Moves moves = game.turns("(b bbb --- --w)");
  EXPECT_EQ(moves, (Moves{"a1a2", "a1b2", "b1a2", "b1b2", "b1c2", "c1b2", "c1c2"}));
}

TEST(AbaloneRules, clause_2_4_a_push_needs_more_pieces) {
  const Game game("abalone:3x7,captures=7");
  EXPECT_FALSE(game.is_legal("(b ------- bw----- -------)", "a2b2"));
  EXPECT_EQ(game.after("(b ------- bbw---- -------)", "a2b2"), "(w ------- -bbw--- -------)");
  EXPECT_FALSE(game.is_legal("(b ------- bbww--- -------)", "a2b2"));
  EXPECT_EQ(game.after("(b ------- bbbww-- -------)", "a2b2"), "(w ------- -bbbww- -------)");
  EXPECT_FALSE(game.is_legal("(b ------- bbbwww- -------)", "a2b2"));
}

TEST(AbaloneRules, clause_2_4_there_is_no_limit_on_either_number) {
  const Game game("abalone:3x26,captures=25");
  const std::string blank(26, '-');
  const std::string row = std::string(13, 'b') + std::string(12, 'w');
  EXPECT_EQ(game.after("(b " + blank + " " + row + "- " + blank + ")", "a2b2"),
            "(w " + blank + " -" + row + " " + blank + ")");
  EXPECT_EQ(game.after("(b " + blank + " -" + row + " " + blank + ")", "b2c2"),
            "(w " + blank + " --" + std::string(13, 'b') + std::string(11, 'w') + " " + blank + ")");
  EXPECT_FALSE(game.is_legal("(b " + blank + " -" + row + " " + blank + ")", "c2d2"));
}

TEST(AbaloneRules, clause_2_4_at_the_edge_the_last_piece_is_captured) {
  const Game game("abalone:4x4,captures=5");
  EXPECT_EQ(game.after("(b ---- -bbw ---- w---)", "b2c2"), "(w ---- --bb ---- w---)");
  EXPECT_EQ(game.after("(b b--- -b-- --w- ----)", "a1b2"), "(w ---- -b-- --b- ---w)");
  EXPECT_EQ(game.after("(b ---- -b-- --b- w--w)", "b2c3"), "(w ---- ---- --b- w--b)");
  EXPECT_EQ(game.after("(w bww- ---- ---- ----)", "c1b1"), "(b ww-- ---- ---- ----)");
}

TEST(AbaloneRules, clause_2_4_another_piece_behind_blocks) {
  const Game game("abalone:3x6,captures=6");
  EXPECT_FALSE(game.is_legal("(b ------ bbwb-- ------)", "a2b2"));
  EXPECT_FALSE(game.is_legal("(b ------ -bbbwb ------)", "b2c2"));
  EXPECT_TRUE(game.is_legal("(b ------ -bbbw- ------)", "b2c2"));
}

TEST(AbaloneRules, clause_2_4_lines_do_not_run_round_the_edge) {
  // d2 is at the right edge; b1 c1 would "continue" on the next row of a flat array.
  const Game game("abalone:4x4,captures=5");
  EXPECT_EQ(game.turns("(b ---- --bb w--- ----)"),
            (Moves{"c2b1", "c2b2", "c2b3", "c2c1", "c2c3", "c2d1", "c2d3", "d2c1", "d2c2", "d2c3", "d2d1", "d2d3"}));
}

TEST(AbaloneRules, clause_3_1_the_first_to_make_the_captures_wins) {
  const Game game("abalone");
  const std::string won = game.after("(b ---- bbbw b-w- bw-w)", "b2c2");
  EXPECT_EQ(won, "(w ---- b-bb b-w- bw-w)");
  EXPECT_EQ(game.outcome_words(won), "first_wins captures");
  EXPECT_EQ(game.turns(won), Moves{});
  EXPECT_EQ(game.ending(won), "Black wins: Black made 2 captures [3.1]");
  EXPECT_EQ(game.outcome_words("(b bbb- ---w ---w -www)"), "second_wins captures");
  EXPECT_EQ(Game("abalone:captures=3").outcome_words("(b bbb- ---w ---w -www)"), "ongoing");
  EXPECT_EQ(Game("abalone:captures=1").ending("(b bbb- b--w ---w -www)"), "White wins: White made 1 capture [3.1]");
}

TEST(AbaloneRules, clause_3_2_a_trapped_player_loses) {
  const Game game("abalone:3x3,captures=3");
  // Black's only piece stands in the corner; White holds every neighbour's line.
  const std::string trapped = "(b bw- ww- ---)";
  EXPECT_EQ(game.outcome_words(trapped), "second_wins trapped");
  EXPECT_EQ(game.ending(trapped), "White wins: Black is trapped and has no legal move [3.2]");
  EXPECT_EQ(game.turns(trapped), Moves{});
  EXPECT_EQ(game.outcome_words("(w bw- ww- ---)"), "ongoing");
}

TEST(AbaloneRules, clause_3_1_captures_are_judged_before_trapping) {
  const Game game("abalone:3x3,captures=2");
  const std::string both = "(b bw- ww- ---)";
  EXPECT_EQ(game.outcome_words(both), "second_wins captures");
}

TEST(AbaloneRules, clause_3_3_repetition_draws) {
  const Game game("abalone");
  EXPECT_TRUE(game.notation().repetition_draws());
  const Moves there_and_back_twice = {"b1b2", "d3c3", "b2b1", "c3d3", "b1b2", "d3c3", "b2b1", "c3d3"};
  EXPECT_EQ(game.occurrences("start", there_and_back_twice), (std::vector{1, 1, 1, 2, 2, 2, 2, occurrences_for_draw}));
  EXPECT_EQ(game.ending("start", Outcome::draw(EndReason::repetition)),
            "Draw: the position occurred for the third time [3.3]");
}

TEST(AbaloneRules, clause_4_1_misere_turns_both_endings_round) {
  const Game game("abalone:3x3,captures=3,misere");
  EXPECT_EQ(game.outcome_words("(b bw- ww- ---)"), "first_wins trapped");
  EXPECT_EQ(game.ending("(b bw- ww- ---)"), "Black wins: Black is trapped and has no legal move [4.1]");
  EXPECT_EQ(game.outcome_words("(b --- --- -ww)"), "first_wins captures");
  EXPECT_EQ(game.ending("(b --- --- -ww)"), "Black wins: White made 3 captures and so loses [4.1]");
}

TEST(AbaloneRules, clause_4_3_the_example_of_frozen_pieces) {
  const std::string position = "(b --b- bb-- b-ww bwww)";
  const Game plain("abalone");
  const Game strict("abalone:freeze");
  const Game initiator("abalone:freeze=initiator");
  EXPECT_EQ(plain.turns(position), (Moves{"a2a1", "a2b1", "a2b2", "a2b3", "a3a2", "a3b3", "a4a3", "a4b3", "b2a1",
                                          "b2b1", "b2b3", "b2c2", "c1b1", "c1c2", "c1d1", "c1d2"}));
  EXPECT_EQ(strict.turns(position), (Moves{"a2a1", "a2b1", "a2b3", "a3a2", "a3b3", "c1b1", "c1c2", "c1d1", "c1d2"}));
  // Only the choice matters here, so what is missing shows that exactly b2 and a4 are frozen.
  Moves not_chosen;
  for (const std::string& move : plain.turns(position)) {
    if (move.substr(0, 2) != "b2" && move.substr(0, 2) != "a4") not_chosen.push_back(move);
  }
  EXPECT_EQ(initiator.turns(position), not_chosen);
  EXPECT_EQ(strict.refusal_words(position, "b2b1"), "b2 is frozen: White could push it to a1 with d4c3 [4.2] b2 d4");
  EXPECT_EQ(strict.refusal_words(position, "a4b3"),
            "a4 is frozen: White could push it off the board with c4b4 [4.2] a4 c4");
}

TEST(AbaloneRules, clause_4_2_freezing_ignores_freezing_of_the_pushers) {
  // White's pair d2 c2 could push b2, and Black's three could push c2: White's pieces are frozen
  // themselves, but that does not matter for what they freeze.
  const Game game("abalone:3x6,captures=6,freeze");
  const std::string position = "(b ---b-- -bwwb- ---b--)";
  const Game plain("abalone:3x6,captures=6");
  EXPECT_TRUE(plain.is_legal(position, "b2a2"));
  EXPECT_FALSE(game.is_legal(position, "b2a2"));
  EXPECT_FALSE(game.is_legal(position, "e2f2"));  // c2 d2 could push e2
  EXPECT_TRUE(game.is_legal(position, "d1e1"));
}

TEST(AbaloneRules, clause_4_2_a_line_with_a_frozen_piece_stays) {
  const Game strict("abalone:5x5,captures=7,freeze");
  const Game initiator("abalone:5x5,captures=7,freeze=initiator");
  const Game plain("abalone:5x5,captures=7");
  // b2 could be pushed to b1 by b4 b3; a2 is free, and c2 is empty.
  const std::string position = "(b ----- bb--- -w--- -w--- -----)";
  EXPECT_TRUE(plain.is_legal(position, "a2b2"));
  EXPECT_FALSE(strict.is_legal(position, "a2b2"));
  EXPECT_TRUE(initiator.is_legal(position, "a2b2"));  // 4.4
  EXPECT_FALSE(strict.is_legal(position, "b2c2"));
  EXPECT_FALSE(initiator.is_legal(position, "b2c2"));
  EXPECT_TRUE(strict.is_legal(position, "a2a1"));
}

TEST(AbaloneRules, clause_4_2_a_player_with_only_frozen_pieces_is_trapped) {
  const Game game("abalone:3x3,captures=1,freeze");
  const std::string after = game.after("start", "a1b2");
  EXPECT_EQ(after, "(w -b- bbw -ww)");
  EXPECT_EQ(game.outcome_words(after), "first_wins trapped");
  EXPECT_EQ(Game("abalone:3x3,captures=1").outcome_words(after), "ongoing");
}

TEST(AbaloneRules, clause_4_4_must_leaves_only_captures_when_there_is_one) {
  const Game game("abalone:4x4,captures=5,must");
  EXPECT_EQ(game.turns("(b ---- -bbw ---- w---)"), Moves{"b2c2"});
  EXPECT_EQ(game.turns("(b ---- bbbw ---- w---)"), (Moves{"a2b2", "b2c2"}));
  // A push that captures nothing is not a duty.
  EXPECT_EQ(game.turns("(b ---- bbw- ---- w---)"), Game("abalone:4x4,captures=5").turns("(b ---- bbw- ---- w---)"));
}

TEST(AbaloneRules, clause_4_4_a_capture_that_freezing_forbids_is_no_duty) {
  // b2c2 would capture d2, but c2 is frozen: White's c4 c3 could push it to c1.
  const std::string position = "(b ---- -bbw --w- b-w-)";
  EXPECT_EQ(Game("abalone:4x4,captures=5,must").turns(position), Moves{"b2c2"});
  const Game game("abalone:4x4,captures=5,must,freeze");
  EXPECT_EQ(game.turns(position), Game("abalone:4x4,captures=5,freeze").turns(position));
  EXPECT_FALSE(game.is_legal(position, "b2c2"));
  EXPECT_TRUE(game.is_legal(position, "a4a3"));
  const Game initiator("abalone:4x4,captures=5,must,freeze=initiator");
  EXPECT_EQ(initiator.turns(position), Moves{"b2c2"});
}

}  // namespace
}  // namespace paika::abalone
