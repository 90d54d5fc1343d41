// Scenes have all there is to draw, and nothing that a position could not show.
#include "engine/scene.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/registry.hpp"
#include "tests/support/play_on.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

using paika_tests::must_open;
using paika_tests::play_on;

std::set<std::string> texts(const Json& list, const char* key) {
  std::set<std::string> found;
  for (const Json& item : list) found.insert(item.at(key).get<std::string>());
  return found;
}

class Scenes : public testing::TestWithParam<std::string> {};

TEST_P(Scenes, name_every_square_once_where_it_lies) {
  const GamePtr game = must_open(GetParam());
  const Coordinates& names = game->notation().coordinates();
  const Json scene = scene_json(*game);
  EXPECT_EQ(scene.at("spec"), game->notation().spec());
  EXPECT_EQ(scene.at("cols"), names.cols());
  EXPECT_EQ(scene.at("rows"), names.rows());
  ASSERT_EQ(scene.at("squares").size(), static_cast<std::size_t>(names.cols() * names.rows()));
  EXPECT_EQ(texts(scene.at("squares"), "name").size(), scene.at("squares").size());
  for (const Json& square : scene.at("squares")) {
    const Square at{square.at("x").get<int>(), square.at("y").get<int>()};
    ASSERT_TRUE(names.contains(at));
    EXPECT_EQ(square.at("name"), names.name(at));
    const std::string label = scene.at("columns").at(static_cast<std::size_t>(at.col)).get<std::string>() +
                              scene.at("row_numbers").at(static_cast<std::size_t>(at.row)).get<std::string>();
    EXPECT_EQ(square.at("name"), label);
  }
  EXPECT_EQ(scene.at("columns").size(), static_cast<std::size_t>(names.cols()));
  EXPECT_EQ(scene.at("row_numbers").size(), static_cast<std::size_t>(names.rows()));
}

TEST_P(Scenes, have_every_line_once_and_no_other) {
  const GamePtr game = must_open(GetParam());
  const Notation& notation = game->notation();
  std::set<std::set<std::string>> lines;
  const Json scene = scene_json(*game);
  for (const Json& line : scene.at("lines")) {
    ASSERT_EQ(line.size(), 2U);
    EXPECT_TRUE(lines.insert({line[0].get<std::string>(), line[1].get<std::string>()}).second) << line;
  }
  const Board board = notation.initial();
  board.cells.for_each_square([&](Square a) {
    board.cells.for_each_square([&](Square b) {
      const bool drawn = lines.contains({notation.coordinates().name(a), notation.coordinates().name(b)});
      EXPECT_EQ(drawn, a != b && notation.joined(a, b))
          << notation.coordinates().name(a) << notation.coordinates().name(b);
    });
  });
}

TEST_P(Scenes, know_every_piece_that_comes_up) {
  const GamePtr game = must_open(GetParam());
  const Notation& notation = game->notation();
  std::set<std::string> known;
  const Json scene = scene_json(*game);
  for (const Json& piece : scene.at("pieces")) {
    EXPECT_FALSE(piece.at("name").get<std::string>().empty());
    const std::string key = piece.at("glyph").get<std::string>() + piece.at("owner").get<std::string>() +
                            piece.at("kind").get<std::string>();
    EXPECT_TRUE(known.insert(key).second) << key;
  }
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const auto session = game->start();
    play_on(*session, 40, random);
    const Board board = session->board();
    std::size_t stands = 0;
    board.cells.for_each_square([&](Square s) { stands += board.cells[s] != notation.empty_cell(s) ? 1U : 0U; });
    const Json cells = cells_json(notation, board);
    EXPECT_EQ(cells.size(), stands);
    for (const Json& cell : cells) {
      const std::string key = cell.at("glyph").get<std::string>() + cell.at("owner").get<std::string>() +
                              cell.at("kind").get<std::string>();
      EXPECT_TRUE(known.contains(key)) << key;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Games, Scenes,
                         testing::Values("fanorona", "fanorona:5x7,sacrifice=off", "fanorona:1x3", "abalone:3x7",
                                         "othello:6x6", "wildebeest"));

TEST(Scene, tells_points_from_squares) {
  EXPECT_EQ(scene_json(*must_open("fanorona")).at("shape"), "points");
  EXPECT_EQ(scene_json(*must_open("fanorona:1x3")).at("shape"), "points");
  EXPECT_EQ(scene_json(*must_open("abalone")).at("shape"), "squares");
}

std::set<std::string> marks(const char* spec) {
  std::set<std::string> found;
  const Json scene = scene_json(*must_open(spec));
  for (const Json& square : scene.at("squares")) {
    if (square.contains("mark"))
      found.insert(square.at("name").get<std::string>() + square.at("mark").get<std::string>());
  }
  return found;
}

TEST(Scene, marks_strong_points_and_special_squares) {
  EXPECT_EQ(marks("fanorona:3x3"), (std::set<std::string>{"a1strong", "a3strong", "b2strong", "c1strong", "c3strong"}));
  EXPECT_EQ(marks("wildebeest"), (std::set<std::string>{"b3*", "j3*", "f5#", "b7*", "j7*"}));
  EXPECT_TRUE(marks("othello").empty());
}

TEST(Scene, says_what_its_board_looks_like) {
  const auto look = [](const char* spec) { return scene_json(*must_open(spec)).at("look").dump(); };
  EXPECT_EQ(look("fanorona"), R"({"ground":"points","pieces":"stone","pieces_leave":true})");
  EXPECT_EQ(look("abalone"), R"({"ground":"hollows","pieces":"marble","pieces_leave":true})");
  EXPECT_EQ(look("othello"), R"({"ground":"grid","pieces":"disc","pieces_leave":false})");
  EXPECT_EQ(look("wildebeest"), R"({"ground":"chequered","pieces":"figure","pieces_leave":true})");
}

TEST(Scene, names_players_and_kinds) {
  const Json scene = scene_json(*must_open("wildebeest"));
  EXPECT_EQ(scene.at("players").dump(),
            R"([{"id":"first","name":"White","tone":"light"},{"id":"second","name":"Black","tone":"dark"}])");
  EXPECT_EQ(scene.at("pieces").size(), 30U);
  Json king = scene.at("pieces").at(0);
  EXPECT_EQ(king.at("card").size(), 3U);
  king.erase("card");
  EXPECT_EQ(king.dump(), R"({"glyph":"K","owner":"first","kind":"K","name":"King"})");
  const Json blocks = scene_json(*must_open("fanorona")).at("pieces");
  EXPECT_EQ(blocks.back().dump(), R"({"glyph":"x","owner":"nobody","kind":"x","name":"sacrificed stone","card":[]})");
  EXPECT_EQ(scene_json(*must_open("fanorona:classic")).at("pieces").size(), 2U);
}

TEST(Scene, explains_pieces_and_special_squares_where_a_game_needs_it) {
  const Json scene = scene_json(*must_open("wildebeest"));
  for (const Json& piece : scene.at("pieces")) EXPECT_FALSE(piece.at("card").empty()) << piece.at("name");
  EXPECT_EQ(texts(scene.at("signs"), "mark"), (std::set<std::string>{"*", "#"}));
  const auto pad = [](const char* spec) {
    const Json found = scene_json(*must_open(spec));
    for (const Json& sign : found.at("signs")) {
      if (sign.at("mark") == "*") return sign.at("card").at(0).at("text").get<std::string>();
    }
    return std::string();
  };
  EXPECT_NE(pad("wildebeest"), pad("wildebeest:pads=cycle"));  // 5.3
  EXPECT_TRUE(scene_json(*must_open("othello")).at("signs").empty());
}

}  // namespace
}  // namespace paika
