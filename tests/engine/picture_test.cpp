// Pictures are well-formed, safe, small and show every piece; they say in words what they show.
#include "engine/picture.hpp"

#include <gtest/gtest.h>

#include "tests/support/play_on.hpp"
#include "tests/support/session.hpp"
#include "tests/support/xml.hpp"

namespace paika {
namespace {

using paika_tests::play_on;
using paika_tests::session_at;
using paika_tests::Xml;

constexpr std::array themes = {PictureTheme::wood, PictureTheme::plain, PictureTheme::dark};

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// What every picture promises.
void expect_sound(const std::string& svg, const std::string& about) {
  const Xml xml(svg);
  ASSERT_EQ(xml.fault(), "") << about;
  for (const char* element : {"script", "style", "foreignObject", "image", "a", "animate"}) {
    EXPECT_EQ(xml.elements().count(element), 0U) << about << element;
  }
  for (const std::string& attribute : xml.attributes()) {
    EXPECT_FALSE(attribute.starts_with("on") || attribute == "style") << about << attribute;
  }
  EXPECT_EQ(xml.elements().count("title"), 1U);
  EXPECT_EQ(xml.elements().count("desc"), 1U);
  for (const std::string& id : xml.ids()) EXPECT_EQ(xml.ids().count(id), 1U) << about << id;
  for (const std::string& id : xml.used_ids()) EXPECT_EQ(xml.ids().count(id), 1U) << about << id;
  EXPECT_EQ(count(svg, "http"), 1U) << "only the name of the language itself: " << about;
  EXPECT_LT(svg.size(), 200'000U) << about;
}

class Pictures : public testing::TestWithParam<std::string> {};

TEST_P(Pictures, are_sound_in_every_theme_all_through_games) {
  Random random(11);
  const auto session = session_at(GetParam());
  for (int i = 0; i < 12 && !session->outcome().over(); ++i) {
    const Board before = session->board();
    Turn turn;
    session->for_each_turn([&](const ListedTurn& listed) {
      turn = listed.steps;
      return random.index(20) != 0;
    });
    PictureSettings settings;
    settings.last = session->notation().effects(before, turn);
    settings.flipped = i % 2 == 1;
    settings.theme = themes[static_cast<std::size_t>(i) % themes.size()];
    session->play(turn);
    expect_sound(picture_svg(*session, settings), session->position_text());
    play_on(*session, 3, random);
  }
}

TEST_P(Pictures, show_every_piece) {
  const auto session = session_at(GetParam());
  Random random(3);
  play_on(*session, 5, random);
  const Board board = session->board();
  const std::string svg = picture_svg(*session, {PictureTheme::plain, false, {}});
  EXPECT_EQ(count(svg, "first\" x="), static_cast<std::size_t>(count_pieces(board, Player::first)));
  EXPECT_EQ(count(svg, "second\" x="), static_cast<std::size_t>(count_pieces(board, Player::second)));
}

TEST_P(Pictures, are_always_the_same_and_turn_round) {
  const auto session = session_at(GetParam());
  EXPECT_EQ(picture_svg(*session, {}), picture_svg(*session, {}));
  const bool one_point = session->board().cells.size() == 1;
  EXPECT_EQ(picture_svg(*session, {}) == picture_svg(*session, {PictureTheme::wood, true, {}}), one_point);
  EXPECT_NE(picture_svg(*session, {}), picture_svg(*session, {PictureTheme::dark, false, {}}));
}

INSTANTIATE_TEST_SUITE_P(Games, Pictures,
                         testing::Values("fanorona", "fanorona:1x1", "fanorona:1x3", "fanorona:13x13", "abalone",
                                         "abalone:99x26", "othello", "othello:26x26", "wildebeest"));

TEST(Picture, puts_a_piece_where_it_stands) {
  const auto session = session_at("fanorona:3x3,limit=0", "w../.../..b w 0");
  // A margin of 36 and squares of 60: a3 is in the top left corner, c1 at the bottom right.
  const std::string svg = picture_svg(*session, {PictureTheme::plain, false, {}});
  EXPECT_NE(svg.find(R"(first" x="66" y="66")"), std::string::npos);
  EXPECT_NE(svg.find(R"(second" x="186" y="186")"), std::string::npos);
  const std::string turned = picture_svg(*session, {PictureTheme::plain, true, {}});
  EXPECT_NE(turned.find(R"(first" x="186" y="186")"), std::string::npos);
}

TEST(Picture, labels_turn_with_the_board) {
  const auto session = session_at("fanorona:3x3");
  const std::string svg = picture_svg(*session, {});
  EXPECT_NE(svg.find(R"(<text x="66" y="24">a</text>)"), std::string::npos);
  const std::string turned = picture_svg(*session, {PictureTheme::wood, true, {}});
  EXPECT_NE(turned.find(R"(<text x="186" y="24">a</text>)"), std::string::npos);
}

TEST(Picture, escapes_texts_and_speaks_languages) {
  const auto session = session_at("othello");
  const std::string svg = picture_svg(*session, {});
  EXPECT_NE(svg.find("Black &amp; White (Othello) (othello:8x8). Black to move</title>"), std::string::npos);
  EXPECT_NE(svg.find("Black: e4, d5."), std::string::npos);
  const auto french = paika_tests::must(catalogue_of("fr"), "fr");
  EXPECT_NE(picture_svg(*session, {}, french).find("Noir: e4, d5."), std::string::npos);
  const auto kings = session_at("wildebeest");
  EXPECT_NE(picture_svg(*kings, {}).find("White: Rook a0, Knight b0"), std::string::npos);
}

TEST(Picture, marks_the_last_turn) {
  const auto session = session_at("fanorona:5x5,sacrifice=off", "....b/...../b.b../..b../w.... w 0");
  const Board before = session->board();
  const auto turn = session->try_play("a1b2A,a2W");
  ASSERT_TRUE(turn);
  PictureSettings settings;
  settings.last = session->notation().effects(before, *turn);
  const std::string svg = picture_svg(*session, settings);
  EXPECT_EQ(count(svg, "<g opacity=\"0.35\">"), 2U) << "c3 and c2 are gone";
  EXPECT_EQ(count(svg, "stroke-width=\"6\"/>\n"), 2U) << "two steps, two arrows";
  EXPECT_EQ(count(picture_svg(*session, {}), "stroke-width=\"6\"/>\n"), 0U);
}

TEST(Picture, shows_a_sacrificed_stone) {
  const auto session = session_at("fanorona:5x5");
  ASSERT_TRUE(session->try_play("Sa1"));
  EXPECT_EQ(count(picture_svg(*session, {}), "nobody\" x="), 1U);
}

TEST(Picture, has_themes_by_name) {
  for (const PictureTheme theme : themes) EXPECT_EQ(theme_named(name(theme)), theme);
  EXPECT_FALSE(theme_named("").has_value());
  EXPECT_FALSE(theme_named("Wood").has_value());
}

}  // namespace
}  // namespace paika
