// Badges say what the rules make of a piece at the moment, and the rules refuse its moves accordingly.
#include <gtest/gtest.h>
#include <set>

#include "engine/registry.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

using paika_tests::must_open;

std::set<std::string> badges_of(const std::string& spec, const std::string& position) {
  const GamePtr game = must_open(spec);
  const auto board = game->notation().parse_position(position);
  EXPECT_TRUE(board) << board.error().message;
  std::set<std::string> found;
  for (const Badge& badge : game->notation().badges(*board)) {
    found.insert(game->notation().coordinates().name(badge.square) + " " + std::string(name(badge.kind)));
  }
  return found;
}

TEST(Badges, clause_4_3_of_abalone_shows_the_frozen_pieces_of_the_side_to_move) {
  const std::string example = "(b --b- bb-- b-ww bwww)";
  EXPECT_EQ(badges_of("abalone:4x4,captures=2,freeze", example), (std::set<std::string>{"a4 frozen", "b2 frozen"}));
  EXPECT_EQ(badges_of("abalone:4x4,captures=2,freeze=initiator", example),
            (std::set<std::string>{"a4 frozen", "b2 frozen"}));
  EXPECT_TRUE(badges_of("abalone:4x4,captures=2", example).empty());
}

TEST(Badges, clause_3_3_of_wildebeest_shows_the_paralysed_but_not_carts_and_time_machines) {
  const std::string rows =
      "x....K...../.....z...../.....H...../.........../..........k/.....#...../.........../.*.......*./"
      ".........../.........../...........";
  const auto with_pads = [&](std::string text) { return text.replace(3 * 12, 11, ".*.......*."); };
  EXPECT_EQ(badges_of("wildebeest", "W " + with_pads(rows) + " 0 60000 0"), (std::set<std::string>{"f0 paralysed"}));
}

TEST(Badges, clause_5_1_of_wildebeest_shows_charged_carts_and_jet_packs) {
  const std::string rows =
      "x....W...../.........../.........../.*.......*./..........k/....P#...../.........../.*.......*./"
      ".........../.........../X..........";
  EXPECT_EQ(badges_of("wildebeest", "W " + rows + " 0 60000 0"), (std::set<std::string>{"a0 charged", "f0 jet"}));
}

TEST(Badges, other_games_have_none) {
  for (const char* spec : {"fanorona:5x5", "othello:6x6"}) {
    EXPECT_TRUE(must_open(spec)->notation().badges(must_open(spec)->notation().initial()).empty());
  }
}

}  // namespace
}  // namespace paika
