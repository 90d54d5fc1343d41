// Game trees and their text: what is written is read back as the same, and what is wrong is named with its place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "study/game_tree.hpp"
#include "study/tree_text.hpp"
#include "tests/study/random_tree.hpp"

namespace paika::study {
namespace {

using paika_tests::must;
using paika_tests::must_open;

GameTree read_one(std::string_view text) {
  std::vector<GameTree> trees = must(parse_trees(text), "tree");
  EXPECT_EQ(trees.size(), 1U);
  return trees.front();
}

std::string error_of(std::string_view text) {
  const auto trees = parse_trees(text);
  return trees ? "no error" : trees.error().message;
}

TEST(TreeText, random_trees_of_all_games_round_trip_byte_for_byte) {
  Random random(7);
  const int rounds = 200 * paika_tests::study_factor();
  for (int i = 0; i < rounds; ++i) {
    const auto& specs = paika_tests::study_specs();
    const GameTree tree = paika_tests::random_tree(specs[static_cast<std::size_t>(i) % specs.size()],
                                                   static_cast<int>(random.below(40)), random);
    const std::string text = tree_text(tree);
    const auto again = parse_trees(text);
    ASSERT_TRUE(again.has_value()) << again.error().message << "\n" << text;
    ASSERT_EQ(again->size(), 1U);
    ASSERT_EQ(tree_text(again->front()), text);
    // Nodes are numbered as they are read, so a tree that was read is the same again in every member.
    const GameTree numbered = read_one(text);
    ASSERT_TRUE(numbered == read_one(tree_text(numbered))) << text;
    ASSERT_EQ(numbered.nodes().size(), tree.nodes().size()) << text;
  }
}

const std::string annotated =
    "[Game \"othello:8x8\"]\n"
    "[First \"Ann \\\"A\\\"\"]\n"
    "[Second \"Bob\"]\n"
    "[Result \"1-0\"]\n"
    "[Reason \"resigned\"]\n"
    "[Date \"2026-01-31\"]\n"
    "\n"
    "{The start.} 1. f5! {[%clock 0:04:59.5] [%arrow f5 d6 red] [%circle c4] Good.}\n"
    "1... d6 (1... f4?! 2. e3) (1... f6 2. e6 f4 (2... d6)) 2. c3 1-0\n";

TEST(TreeText, annotations_are_read) {
  const GameTree tree = read_one(annotated);
  EXPECT_EQ(tree_text(tree), annotated);
  EXPECT_EQ(tree.players()[0], "Ann \"A\"");
  EXPECT_EQ(tree.tag("Date"), "2026-01-31");
  EXPECT_EQ(tree.node(0).comment, "The start.");
  const TreeNode& f5 = tree.node(tree.main_line()[0]);
  EXPECT_EQ(f5.mark, MoveMark::good);
  EXPECT_EQ(f5.clock, std::chrono::milliseconds(299'500));
  EXPECT_EQ(f5.shapes.size(), 2U);
  EXPECT_EQ(f5.shapes[0].colour, ShapeColour::red);
  EXPECT_EQ(f5.children.size(), 3U);
  EXPECT_EQ(tree.main_line().size(), 3U);
  EXPECT_TRUE(tree.has_variations());
  EXPECT_EQ(tree.result().reason, "resigned");
}

TEST(TreeText, shapes_beside_the_board_are_refused) {
  for (const char* const shape : {"[%arrow z9 a1]", "[%arrow a1 a9]", "[%circle i1]", "[%circle a0]"}) {
    EXPECT_FALSE(parse_trees(fmt::format("[Game \"othello\"]\n\n1. f5 {{{}}} *\n", shape))) << shape;
  }
  EXPECT_TRUE(parse_trees("[Game \"othello\"]\n\n1. f5 {[%circle h8]} *\n"));
}

TEST(TreeText, loose_forms_are_understood) {
  const GameTree tree =
      read_one("\xef\xbb\xbf[ Game \"othello\" ]\r\n1.f5 $1 ; a remark\r\nD6 ({before} f6 e6) 2. c3 {a} {b} *");
  EXPECT_EQ(tree_text(tree),
            "[Game \"othello:8x8\"]\n[Result \"*\"]\n\n1. f5! d6 (1... f6 {before} 2. e6) 2. c3 {a b} *\n");
}

TEST(TreeText, a_game_that_went_on_too_long_has_its_reason_in_older_files_too) {
  const std::string text = "[Game \"othello:8x8\"]\n[Result \"1/2-1/2\"]\n[Reason \"max_moves\"]\n\n1. f5 1/2-1/2\n";
  std::string older = text;
  older.replace(older.find("max_moves"), 9, "max_turns");
  EXPECT_EQ(tree_text(read_one(older)), text);
}

TEST(TreeText, errors_name_line_and_column) {
  const std::string head = "[Game \"othello\"]\n\n";
  EXPECT_EQ(error_of("1. f5 *"), "line 1, column 1: a game begins with its tag [Game \"SPEC\"]");
  EXPECT_EQ(error_of(head + "1. f5"), "line 3, column 6: the game has no end: 1-0, 0-1, 1/2-1/2 or * is missing");
  EXPECT_TRUE(error_of(head + "1. f5\n d3 a1 *").starts_with("line 4, column 2: \"d3\": "));
  EXPECT_EQ(error_of(head + "1. f5 (d3 *"), "line 3, column 11: the game ends inside a variation: ) is missing");
  EXPECT_EQ(error_of(head + "1. f5 ) *"), "line 3, column 7: there is no ( for this )");
  EXPECT_EQ(error_of(head + "(1. f5) *"), "line 3, column 1: a variation stands behind the move that it replaces");
  EXPECT_EQ(error_of(head + "1. f5 () *"), "line 3, column 8: the variation has no move");
  EXPECT_EQ(error_of(head + "1. f5 (f5) *"), "line 3, column 8: f5 has a line here already");
  EXPECT_EQ(error_of(head + "1. f5!!! *"), "line 3, column 4: \"!!!\" is not a mark: there are ! ? !! ?? !? and ?!");
  EXPECT_EQ(error_of(head + "1. f5 {[%clock 1:99:00]} *"),
            "line 3, column 7: \"[%clock 1:99:00]\" must be [%clock HOURS:MINUTES:SECONDS]");
  EXPECT_EQ(error_of(head + "1. f5 {x *"), "line 3, column 7: the comment has no }");
  EXPECT_EQ(error_of("[Game \"othello\"]\n[Game \"othello\"]\n*"), "line 2, column 1: the tag Game is there twice");
  EXPECT_EQ(error_of("[Game \"othello\"]\n[Result \"1-0\"]\n*"), "line 3, column 1: the tag Result says 1-0");
  EXPECT_EQ(error_of("[Game \"othello\"]\n\xff *"), "line 2, column 1: byte 0xff is not text in UTF-8");
  EXPECT_TRUE(error_of("[Game \"otello\"]\n*").find("did you mean othello?") != std::string::npos);
}

/// Variations inside variations, so many deep: each replaces the first move of the one around it, and after twenty of
/// them the game goes on.
std::string nested(std::size_t levels) {
  std::string text = "[Game \"abalone:10x10\"]\n\n";
  const auto session = must_open("abalone:10x10")->start();
  std::size_t open = 0;
  while (open < levels) {
    std::vector<ListedTurn> turns;
    session->for_each_turn([&](const ListedTurn& turn) {
      turns.push_back(turn);
      return turns.size() < std::min<std::size_t>(20, levels - open + 1);
    });
    for (const ListedTurn& turn : turns) text += (turn.text == turns.front().text ? "" : " (") + turn.text;
    open += turns.size() - 1;
    session->play(turns.back().steps);
    text += ' ';
  }
  return text + std::string(open, ')') + " *";
}

TEST(TreeText, nesting_is_limited_and_needs_no_stack) {
  const GameTree deep = read_one(nested(max_nesting));
  EXPECT_GT(deep.nodes().size(), max_nesting);
  const std::string text = tree_text(deep);
  EXPECT_EQ(tree_text(read_one(text)), text);
  EXPECT_TRUE(error_of(nested(max_nesting + 1)).ends_with("variations are nested more than 1000 deep"));
}

TEST(GameTree, records_become_trees_and_back) {
  const std::string text =
      "paika-record 1\nspec othello:6x6\nfirst engine\nsecond bot:x y\nfirst-limits time=100ms\nsecond-limits "
      "clock=60s+500ms\nnote a b\nopening 1\nmove c2\nmove b2 time=120us score=-3 depth=4\nresult first_wins "
      "time\nremark late\nend\n";
  const auto records = must(play::parse_records(text), "record");
  const GameTree tree = tree_of(records.front());
  EXPECT_EQ(play::record_text(record_of(tree)), text);
  EXPECT_EQ(play::record_text(record_of(read_one(tree_text(tree)))), text);
}

TEST(GameTree, texts_in_latin_1_become_utf_8) {
  GameTree tree = must(GameTree::open(must_open("othello")), "tree");
  tree.set_player(0, "Andr\xe9");
  EXPECT_EQ(tree.players()[0], "André");
  EXPECT_EQ(read_one(tree_text(tree)).players()[0], "André");
}

}  // namespace
}  // namespace paika::study
