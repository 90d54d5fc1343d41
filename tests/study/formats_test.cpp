// The formats of other programs: what they hold is read, and written back as the same.
#include "study/formats.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "play/ggf.hpp"
#include "study/tree_text.hpp"
#include "tests/study/random_tree.hpp"
#include "tests/support/play_on.hpp"

namespace paika::study {
namespace {

using paika_tests::must;
using paika_tests::must_open;

/// A game of random moves with names, to its end or so many moves.
GameTree random_game(std::string_view spec, int moves, Random& random) {
  GameTree tree = must(GameTree::open(must_open(spec)), spec);
  const auto session = tree.session();
  TreeCursor cursor(tree);
  for (int i = 0; i < moves && !cursor.session().outcome().over(); ++i) {
    std::vector<Turn> all;
    cursor.session().for_each_turn([&](const ListedTurn& turn) {
      all.push_back(turn.steps);
      return all.size() < 200;
    });
    EXPECT_TRUE(cursor.play(all[random.index(all.size())]));
  }
  tree.set_player(0, fmt::format("First {}", random.below(50)));
  tree.set_player(1, fmt::format("Second {}", random.below(50)));
  tree.set_result_by_rules();
  return tree;
}

std::string format_error(std::string_view text, const ReadRequest& request = {}) {
  const auto games = read_games(text, request);
  return games ? "no error" : games.error().message;
}

std::string text_in(std::span<const GameTree> games, std::string_view format) {
  return must(write_games(games, format), format).front().bytes;
}

TEST(Formats, a_ggf_file_of_many_games_becomes_ours_and_back) {
  Random random(3);
  std::vector<GameTree> games;
  const int count = paika_tests::study_factor() > 1 ? 1000 : 40;
  for (int i = 0; i < count; ++i) {
    games.push_back(random_game(i % 4 == 0 ? "othello:6x6" : "othello", 70, random));
    if (i % 3 == 0) games.back().add_tag("Date", "2026-01-31");
    if (i % 5 == 0) games.back().set_score(games.back().main_line()[0], -i, 0);
    if (i % 5 == 1) games.back().set_time(games.back().main_line()[0], std::chrono::milliseconds(10 * i));
  }
  const std::string ggf = text_in(games, "ggf");
  const auto read = must(read_games(ggf), "ggf");
  ASSERT_EQ(read.size(), games.size());
  const std::string ours = trees_text(read);
  EXPECT_EQ(text_in(must(read_games(ours), "ours"), "ggf"), ggf);
  EXPECT_EQ(text_in(must(read_games(text_in(games, "nboard")), "nboard"), "ggf"), ggf);
}

TEST(Formats, ggf_of_a_server) {
  // As the archives of servers have them: a number, two clocks, scores and times.
  const std::string text =
      "1 "
      "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]RW[2199.72]TI[05:00//02:00]"
      "TY[8]RE[-64:t]BO[8 ---------------------------O*------*O--------------------------- *]B[d3//0.01]W[c5//0.01]"
      "B[e6/-1.50/0.35];)\n";
  const auto games = must(read_games(text), "ggf");
  ASSERT_EQ(games.size(), 1U);
  const GameTree& game = games.front();
  EXPECT_EQ(game.players()[1], "Saio3000");
  EXPECT_EQ(game.tag("Place"), "GGS/os");
  EXPECT_EQ(game.tag("Date"), "2003.12.15_13:24:03.MST");
  EXPECT_EQ(game.result().verdict, Verdict::second_wins);
  EXPECT_EQ(game.result().reason, "time");
  EXPECT_EQ(game.node(3).score, -150);
  EXPECT_EQ(game.node(3).time, std::chrono::milliseconds(350));
  EXPECT_TRUE(format_error(text + "2 (;GM[Othello]BO[8 x];)").starts_with("game 2: "));
}

TEST(Formats, transcripts) {
  const std::string text = "f5d6c3d3c4\ne6f4e3d6\n";
  const auto games = must(read_games(text), "transcripts");
  ASSERT_EQ(games.size(), 2U);
  EXPECT_EQ(text_in(games, "transcript"), text);
  // 4.3: the position after this record.
  const auto session = games[1].session();
  for (const std::size_t i : games[1].main_line()) session->play(games[1].node(i).turn);
  EXPECT_EQ(session->position_text(), "--------------------X------OXO-----OO------OX------------------- X");
  EXPECT_TRUE(format_error("f5d6\nf5f5\n").starts_with("game 2: move 2, \"f5\": "));
  // Passes that were left out come back.
  Random random(11);
  for (int i = 0; i < 20; ++i) {
    const std::vector<GameTree> game{random_game("othello:6x6", 100, random)};
    const auto again = must(read_games(text_in(game, "transcript"), {"transcript", "othello:6x6"}), "again");
    EXPECT_EQ(text_in(again, "positions"), text_in(game, "positions"));
  }
}

/// Bytes of WTHOR by hand, after the published layout.
std::string wthor_by_hand() {
  std::string bytes = {20, 1, 2, 3, 1, 0, 0, 0, 0, 0};
  bytes += {'\xea', 7};         // 2026
  bytes += {8, 0, 0, 0};        // the board, games, no depth
  bytes += {1, 0, 2, 0, 0, 0};  // tournament 1, players 2 and 0
  bytes += {40, 38};            // discs of Black, with perfect play
  bytes += {56, 64, 33, 34};    // f5 d6 c3 d3
  bytes.resize(16 + 68, '\0');
  return bytes;
}

std::string names_by_hand(const std::vector<std::string>& names, std::size_t size) {
  std::string bytes(16, '\0');
  bytes[8] = static_cast<char>(names.size());
  for (std::string name : names) {
    name.resize(size, '\0');
    bytes += name;
  }
  return bytes;
}

TEST(Formats, wthor_as_it_is_published) {
  const std::vector<FilePart> files = {{"wtb", wthor_by_hand()},
                                       {"jou", names_by_hand({"ONE", "TWO",
                                                              "THR\xc9"
                                                              "E"},
                                                             20)},
                                       {"trn", names_by_hand({"Cup", "Open"}, 26)}};
  const auto games = must(read_games(files), "wthor");
  ASSERT_EQ(games.size(), 1U);
  EXPECT_EQ(tree_text(games[0]),
            "[Game \"othello:8x8\"]\n[First \"THRÉE\"]\n[Second \"ONE\"]\n[Result \"*\"]\n[Event \"Open\"]\n"
            "[Date \"2026\"]\n[BlackDiscs \"40\"]\n[BlackDiscsPerfect \"38\"]\n\n1. f5 d6 2. c3 d3 *\n");
  std::string cut = wthor_by_hand();
  cut.pop_back();
  EXPECT_EQ(format_error(cut, {"wthor", ""}), "the header tells of 1 games, which take 84 bytes; the file has 83");
  std::string wrong = wthor_by_hand();
  wrong[16 + 8] = 99;
  EXPECT_EQ(format_error(wrong), "game 1: 99 is not a square of a 8x8 board");
}

TEST(Formats, wthor_has_the_right_boards) {
  Random random(5);
  std::vector<GameTree> games;
  for (int i = 0; i < 30; ++i) games.push_back(random_game("othello", 100, random));
  const auto files = must(write_games(games, "wthor"), "wthor");
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].bytes.size(), 16U + 68U * games.size());
  const auto again = must(read_games(files), "again");
  EXPECT_EQ(text_in(again, "positions"), text_in(games, "positions"));
  EXPECT_EQ(again[7].players(), games[7].players());
  const auto twice = must(write_games(again, "wthor"), "twice");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(twice[i].bytes, files[i].bytes);
}

TEST(Formats, the_notations_of_the_classes) {
  Random random(9);
  for (const char* spec : {"fanorona:9x5", "fanorona:5x5"}) {
    const std::vector<GameTree> games{random_game(spec, 60, random), random_game(spec, 30, random)};
    const auto again = must(read_games(text_in(games, "class")), "class");
    EXPECT_EQ(text_in(again, "positions"), text_in(games, "positions"));
  }
  const std::vector<GameTree> abalone{random_game("abalone", 40, random), random_game("abalone", 40, random)};
  const std::string positions = text_in(abalone, "positions");
  EXPECT_TRUE(positions.starts_with("(b bbb- b--w b--w -www)\n(w "));
  EXPECT_EQ(text_in(must(read_games(positions, {"positions", "abalone"}), "again"), "positions"), positions);
  EXPECT_TRUE(format_error(positions, {"positions", ""}).find("--game") != std::string::npos);
  EXPECT_EQ(format_error("(b bbb- b--w b--w -www)\n(w bbbb bbbb bbbb bbbb)", {"positions", "abalone"}).substr(0, 7),
            "line 2:");
  EXPECT_EQ(format_error("A 5 2 5 3\nA 9 9 9 9\n").substr(0, 7), "line 2:");
}

TEST(Formats, records_and_trees_are_recognised) {
  EXPECT_EQ(must(read_games("# x\npaika-record 1\nspec abalone\nresult ongoing none\nend\n"), "record").size(), 1U);
  EXPECT_EQ(must(read_games("[Game \"abalone\"]\n\n*\n"), "tree").size(), 1U);
  EXPECT_TRUE(format_error("hello").starts_with("the file is in none of the formats"));
  EXPECT_TRUE(format_error("", {"ggff", ""}).starts_with("there is no format \"ggff\" (did you mean ggf?)"));
}

}  // namespace
}  // namespace paika::study
