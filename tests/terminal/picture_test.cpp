// Pictures of boards, the layout of a screen, and themes: what is drawn, that it fits, that marks need no colour.
#include "apps/terminal/picture.hpp"

#include <gtest/gtest.h>
#include <set>

#include "apps/terminal/screen_layout.hpp"
#include "apps/terminal/sentences.hpp"
#include "apps/terminal/theme.hpp"
#include "base/text.hpp"
#include "engine/registry.hpp"

namespace paika::terminal {
namespace {

GamePtr game_of(std::string_view spec) {
  auto game = open_game(spec);
  EXPECT_TRUE(game) << spec;
  return *game;
}

std::string text_of(const Picture& picture) {
  Canvas canvas(picture.size);
  canvas.put({0, 0}, picture);
  return canvas.text();
}

PictureOptions with_form(PictureForm form, bool unicode = true) {
  PictureOptions options;
  options.form = form;
  options.unicode = unicode;
  return options;
}

const std::vector<std::string> specs = {"fanorona",      "fanorona:13x13", "fanorona:1x1", "fanorona:13x1",
                                        "abalone",       "abalone:99x26",  "abalone:3x26", "othello",
                                        "othello:26x26", "othello:6x6",    "wildebeest"};

TEST(Picture, ShowsFanoronaWithItsLines) {
  const GamePtr game = game_of("fanorona:5x3");
  EXPECT_EQ(text_of(draw(game->notation(), game->notation().initial(), with_form(PictureForm::spacious))),
            "   a   b   c   d   e\n"
            "3  ●───●───●───●───●\n"
            "   │ ╱ │ ╲ │ ╱ │ ╲ │\n"
            "2  ●───○───┼───●───○\n"
            "   │ ╲ │ ╱ │ ╲ │ ╱ │\n"
            "1  ○───○───○───○───○\n");
  EXPECT_EQ(text_of(draw(game->notation(), game->notation().initial(), with_form(PictureForm::compact, false))),
            "   a b c d e\n"
            "3  b b b b b\n"
            "2  b w + b w\n"
            "1  w w w w w\n");
}

TEST(Picture, ShowsSquaresInFrames) {
  const GamePtr game = game_of("abalone:3x3");
  EXPECT_EQ(text_of(draw(game->notation(), game->notation().initial(), with_form(PictureForm::spacious, false))),
            "    a   b   c\n"
            "  +---+---+---+\n"
            "3 | . | w | w |\n"
            "  +---+---+---+\n"
            "2 | b | . | w |\n"
            "  +---+---+---+\n"
            "1 | b | b | . |\n"
            "  +---+---+---+\n");
}

TEST(Picture, ShowsOthelloWithTheScreensLetters) {
  const GamePtr game = game_of("othello:6x6");
  const std::string text =
      text_of(draw(game->notation(), game->notation().initial(), with_form(PictureForm::compact, false)));
  // docs/rules/othello.md 5.1: Black is O. 1.2: Black stands on d3.
  EXPECT_NE(text.find("3  . . X O . .\n"), std::string::npos) << text;
}

TEST(Picture, ShowsSpecialSquaresAndKindsOfPieces) {
  const GamePtr game = game_of("wildebeest");
  const std::string text = text_of(draw(game->notation(), game->notation().initial(), with_form(PictureForm::compact)));
  for (const char* line : {" 0  R N Z B O K X B C N R\n", " 3  · * · · · · · · · * ·\n", " 5  · · · · · # · · · · ·\n",
                           "10  r n z b o k x b c n r\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "in\n" << text;
  }
}

TEST(Picture, HasTheSizeThatWasTold) {
  for (const std::string& spec : specs) {
    const GamePtr game = game_of(spec);
    for (const PictureForm form : {PictureForm::compact, PictureForm::spacious}) {
      for (const int rows : {0, 1, 4, 1000}) {
        PictureOptions options = with_form(form);
        options.rows = rows;
        options.first_row = 2;
        const Picture picture = draw(game->notation(), game->notation().initial(), options);
        EXPECT_EQ(picture.size, picture_size(game->notation(), form, rows)) << spec << " " << rows;
        EXPECT_EQ(picture.lines.size(), size_t(picture.size.height));
        for (const auto& line : picture.lines) EXPECT_EQ(line.size(), size_t(picture.size.width));
      }
    }
  }
}

TEST(Picture, HasOnlyAsciiWhereThatWasAsked) {
  for (const std::string& spec : specs) {
    const GamePtr game = game_of(spec);
    for (const PictureForm form : {PictureForm::compact, PictureForm::spacious}) {
      PictureOptions options = with_form(form, false);
      options.rows = 5;
      options.first_row = 1;
      options.targets = options.last = options.hints = options.refused = {{0, 0}, {1, 0}, {2, 1}, {50, 50}};
      options.cursor = Square{0, 1};
      for (const char c : text_of(draw(game->notation(), game->notation().initial(), options))) {
        EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << spec << int(c);
      }
    }
  }
}

TEST(Picture, FindsTheSquareUnderTheMouse) {
  for (const std::string& spec : specs) {
    const GamePtr game = game_of(spec);
    const Board board = game->notation().initial();
    for (const bool flipped : {false, true}) {
      for (const PictureForm form : {PictureForm::compact, PictureForm::spacious}) {
        PictureOptions options = with_form(form, false);
        options.flipped = flipped;
        const Picture picture = draw(game->notation(), board, options);
        Grid<int> found(board.cells.cols(), board.cells.rows(), 0);
        for (int y = 0; y < picture.size.height; ++y) {
          for (int x = 0; x < picture.size.width; ++x) {
            const auto square = picture.square_at({x, y});
            if (!square) continue;
            found[*square] = 1;
            const std::string sign = cell_sign(game->notation(), *square, board.cells[*square], false);
            // The sign of the square is at the place itself or right beside it.
            const auto& line = picture.lines[size_t(y)];
            const auto at = [&](int dx) { return (line.begin() + x + dx)->text; };
            EXPECT_TRUE(at(0) == sign || at(-1) == sign || at(1) == sign) << spec << x << "," << y;
          }
        }
        found.for_each_square([&](Square s) { EXPECT_EQ(found[s], 1) << spec << s.col << "," << s.row; });
      }
    }
  }
  const GamePtr game = game_of("othello");
  const Picture picture = draw(game->notation(), game->notation().initial(), {});
  EXPECT_FALSE(picture.square_at({-1, 0}));
  EXPECT_FALSE(picture.square_at({0, 100}));
  EXPECT_FALSE(picture.square_at({0, 0}));
}

TEST(Picture, IsTurnedRoundByFlipping) {
  const GamePtr game = game_of("abalone:3x3");
  PictureOptions options = with_form(PictureForm::compact, false);
  options.flipped = true;
  EXPECT_EQ(text_of(draw(game->notation(), game->notation().initial(), options)),
            "   c b a\n"
            "1  . b b\n"
            "2  w . b\n"
            "3  w w .\n");
}

PictureOptions marked(Mark mark, Square square, PictureForm form, bool unicode) {
  PictureOptions options = with_form(form, unicode);
  switch (mark) {
    case Mark::none: break;
    case Mark::last: options.last = {square}; break;
    case Mark::target: options.targets = {square}; break;
    case Mark::hint: options.hints = {square}; break;
    case Mark::refused: options.refused = {square}; break;
    case Mark::chosen: options.chosen = {square}; break;
    case Mark::cursor: options.cursor = square; break;
  }
  return options;
}

TEST(Picture, ShowsEveryMarkWithoutColours) {
  const GamePtr game = game_of("othello:6x6");
  const Board board = game->notation().initial();
  for (const bool unicode : {false, true}) {
    for (const PictureForm form : {PictureForm::compact, PictureForm::spacious}) {
      std::set<std::string> texts = {text_of(draw(game->notation(), board, with_form(form, unicode)))};
      for (const Square square : {Square{2, 2}, Square{0, 0}}) {
        for (int mark = 1; mark <= int(Mark::cursor); ++mark) {
          const PictureOptions options = marked(Mark(mark), square, form, unicode);
          EXPECT_TRUE(texts.insert(text_of(draw(game->notation(), board, options))).second) << mark;
        }
      }
    }
  }
}

TEST(Picture, SharesBracketsBetweenNeighbours) {
  const GamePtr game = game_of("abalone:3x3");
  PictureOptions options = with_form(PictureForm::compact, false);
  options.last = {{1, 0}, {2, 0}};
  options.cursor = Square{0, 1};
  const std::string text = text_of(draw(game->notation(), game->notation().initial(), options));
  EXPECT_NE(text.find("3  .<w w>\n"), std::string::npos) << text;
  EXPECT_NE(text.find("2 [b]. w\n"), std::string::npos) << text;
}

TEST(Picture, SaysThatRowsAreHidden) {
  const GamePtr game = game_of("abalone:99x26");
  PictureOptions options = with_form(PictureForm::compact, false);
  options.first_row = 40;
  options.rows = 5;
  const std::string text = text_of(draw(game->notation(), game->notation().initial(), options));
  EXPECT_EQ(text.front(), '^');
  EXPECT_NE(text.find("\nv\n"), std::string::npos);
  EXPECT_NE(text.find("\n59 "), std::string::npos) << text;
}

ScreenView view_of(const Game& game) {
  ScreenView view;
  view.notation = &game.notation();
  view.board = game.notation().initial();
  view.title = "A title that is quite long, as they are";
  view.state = "Move 17";
  view.players[0] = {"White: the computer, level 5", "pieces: 22", "4:59", false, true};
  view.players[1] = {"Black: human", "pieces: 21, lost: 1", "0.1", true, false};
  view.score = -120;
  for (int i = 0; i < 60; ++i) view.turns.push_back(i % 7 == 0 ? "a1b2A,a2W,a3W,b3A,c3W,c4A,c5A" : "d3e3A");
  view.turn_shown = 60;
  for (int i = 0; i < 30; ++i) view.messages.push_back({"message " + std::to_string(i), Tone::normal});
  view.prompt = "> ";
  view.typed = std::string(300, 'x');
  view.caret = 250;
  view.keys = {{"?", "help"}, {"q", "leave"}};
  view.focus = {0, 0};
  return view;
}

TEST(Layout, NeedsNoMoreThan80x24ForAnyGame) {
  for (const std::string& spec : specs) {
    const GamePtr game = game_of(spec);
    const Extent least = min_size(game->notation());
    EXPECT_LE(least.width, 80) << spec;
    EXPECT_LE(least.height, 24) << spec;
    const Composed shown = compose(view_of(*game), {80, 24}, Catalogue());
    EXPECT_TRUE(shown.fits);
    EXPECT_GE(shown.message_lines, 3);
    EXPECT_NE(shown.canvas.text().find("message 29"), std::string::npos) << shown.canvas.text();
    EXPECT_NE(shown.canvas.text().find("Move 17"), std::string::npos);
  }
}

TEST(Layout, Shows13x13FanoronaWhole) {
  const GamePtr game = game_of("fanorona:13x13");
  const Composed shown = compose(view_of(*game), {80, 24}, Catalogue());
  EXPECT_EQ(shown.picture.size.height, 14);
}

TEST(Layout, SurvivesEverySize) {
  for (const char* spec : {"fanorona", "abalone:99x26", "wildebeest"}) {
    const GamePtr game = game_of(spec);
    ScreenView view = view_of(*game);
    for (int width = 0; width <= 130; width += 5) {
      for (int height = 0; height <= 60; height += 3) {
        const Composed shown = compose(view, {width, height}, Catalogue());
        EXPECT_EQ(shown.canvas.size(), (Extent{width, height}));
        const Extent least = min_size(game->notation());
        EXPECT_EQ(shown.fits, width >= least.width && height >= least.height);
        if (shown.caret) {
          EXPECT_TRUE(shown.caret->x >= 0 && shown.caret->x < width && shown.caret->y < height);
        }
      }
    }
    view.overlay.assign(100, "help");
    EXPECT_TRUE(compose(view, {80, 24}, Catalogue()).fits);
  }
}

TEST(Layout, SaysThatATerminalIsTooSmall) {
  const GamePtr game = game_of("othello");
  const Composed shown = compose(view_of(*game), {30, 8}, Catalogue());
  EXPECT_FALSE(shown.fits);
  EXPECT_NE(shown.canvas.text().find("too small"), std::string::npos);
}

TEST(Layout, ClocksHoldUntilTheirTextChanges) {
  using std::chrono::microseconds;
  for (const int left :
       {61'300'000, 61'000'000, 60'050'000, 60'000'000, 59'950'000, 59'900'000, 9'950'000, 100'000, 1}) {
    const microseconds now(left);
    const microseconds holds = clock_holds(now);
    ASSERT_GT(holds.count(), 0) << left;
    EXPECT_EQ(clock_text(now - holds + microseconds(1)), clock_text(now)) << left;
    EXPECT_NE(clock_text(now - holds), clock_text(now)) << left;
  }
  EXPECT_GT(clock_holds(microseconds(-5)), microseconds(0));
}

TEST(Canvas, WrapsAndCuts) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("  one", 80), (std::vector<std::string>{"  one"}));
  EXPECT_EQ(wrapped("abcdef", 3), (std::vector<std::string>{"abc", "def"}));
  EXPECT_EQ(wrapped("", 3), (std::vector<std::string>{""}));
  EXPECT_EQ(wrapped("ééé", 2), (std::vector<std::string>{"éé", "é"}));
  EXPECT_EQ(cut_to("abcdef", 4, false), "abc~");
  EXPECT_EQ(cut_to("abcd", 4, false), "abcd");
  Canvas canvas({4, 1});
  canvas.put({2, 0}, "a\x1b[31m");
  EXPECT_EQ(canvas.text(), "  a?\n");
}

TEST(Canvas, GivesWideCharactersTwoColumns) {
  EXPECT_EQ(width_of("王さん"), 6);
  EXPECT_EQ(width_of("🤖 bot"), 6);
  EXPECT_EQ(width_of("e\u0301t\u00e9"), 3) << "a mark combines with its letter";
  EXPECT_EQ(width_of("\u200bx\xff\xe7\x8e"), 3) << "rubbish is shown as a question mark a piece";
  EXPECT_EQ(cut_to("王さん", 6, true), "王さん");
  EXPECT_EQ(cut_to("王さん", 5, true), "王さ…");
  EXPECT_EQ(cut_to("王さん", 4, true), "王…");
  EXPECT_EQ(wrapped("王さん", 4), (std::vector<std::string>{"王さ", "ん"}));
  EXPECT_EQ(wrapped("王", 1), (std::vector<std::string>{"王"}));
  Canvas canvas({6, 1});
  EXPECT_EQ(canvas.put({0, 0}, "王|e\u0301|"), 5);
  EXPECT_EQ(canvas.text(), "王|e\u0301|\n");
  EXPECT_EQ(canvas.at({2, 0}).text, "|");
  canvas.put({1, 0}, "x");
  EXPECT_EQ(canvas.text(), " x|e\u0301|\n") << "half of a character is nothing";
  canvas.put({5, 0}, "王");
  canvas.put({-1, 0}, "王");
  EXPECT_EQ(canvas.text(), " x|e\u0301|\n") << "nor at the edges";
  canvas.put({2, 0}, "王");
  canvas.put({2, 0}, "y");
  EXPECT_EQ(canvas.text(), " xy |\n");
}

TEST(Layout, KeepsItsColumnsBesideAWideName) {
  const GamePtr game = game_of("othello");
  ScreenView view;
  view.notation = &game->notation();
  view.board = game->notation().initial();
  view.players[0].name = "Black: bot:王さん🤖";
  view.players[0].clock = "4:59";
  const Canvas canvas = compose(view, {80, 24}, Catalogue()).canvas;
  EXPECT_EQ(canvas.at({79, 1}).text, "9");
  EXPECT_EQ(canvas.at({76, 1}).text, "4");
  EXPECT_EQ(width_of(split(canvas.text(), '\n')[1]), 80);
}

TEST(Characters, HaveASpellingInAscii) {
  EXPECT_EQ(ascii_of("À bientôt, c'est fini : « œuvre » – n\u0308o…"), "A bientot, c'est fini : \" oeuvre \" - no...");
  EXPECT_EQ(ascii_of("Łódź × Þór\u00a0\u2019s Straße"), "Lodz x Thor 's Strasse");
  EXPECT_EQ(ascii_of("王さん 🤖 \xff\u200b!"), "??? ? ?!");
  EXPECT_EQ(ascii_of("\x1b[1mplain\x1b[0m\n"), "\x1b[1mplain\x1b[0m\n");
}

TEST(Layout, IsAsciiWhereThatWasAsked) {
  const GamePtr game = game_of("othello");
  ScreenView view = view_of(*game);
  view.picture.unicode = false;
  view.title = "Où êtes-vous ?";
  view.players[0].name = "Noir : é王";
  view.typed = "éàü œx";
  view.caret = 4;
  view.messages.push_back({"à jouer…", Tone::normal});
  view.overlay = {"ç"};
  for (const Extent size : {Extent{80, 24}, Extent{120, 40}, Extent{20, 5}}) {
    const Composed shown = compose(view, size, *catalogue_of("fr"));
    for (const char c : shown.canvas.text()) ASSERT_GE(c, 0) << shown.canvas.text();
  }
  view.overlay.clear();
  const Composed shown = compose(view, {80, 24}, Catalogue());
  EXPECT_NE(shown.canvas.text().find("> eau oex"), std::string::npos) << shown.canvas.text();
  EXPECT_EQ(shown.caret->x, 4) << "behind two letters, as before";
}

TEST(Theme, TellsThePlayersApart) {
  for (const ThemeName theme : {ThemeName::standard, ThemeName::contrast, ThemeName::blue_orange}) {
    for (const Colours colours : {Colours::none, Colours::eight, Colours::sixteen, Colours::many}) {
      EXPECT_NE(style_of(theme, colours, Look::first, Mark::none), style_of(theme, colours, Look::second, Mark::none));
      EXPECT_NE(style_of(theme, colours, Look::empty, Mark::cursor), style_of(theme, colours, Look::empty, Mark::none));
    }
    const Style plain = style_of(theme, Colours::none, Look::first, Mark::hint);
    EXPECT_EQ(plain.foreground, -1);
    EXPECT_EQ(plain.background, -1);
    for (int look = 0; look <= int(Look::block); ++look) {
      for (int mark = 0; mark <= int(Mark::cursor); ++mark) {
        const Style style = style_of(theme, Colours::eight, Look(look), Mark(mark));
        EXPECT_LT(style.foreground, 8);
        EXPECT_LT(style.background, 8);
        const Style many = style_of(theme, Colours::many, Look(look), Mark(mark));
        EXPECT_TRUE(many.foreground < 0 || many.foreground != many.background) << look << " " << mark;
      }
    }
  }
  EXPECT_EQ(*read_theme("blue-orange"), ThemeName::blue_orange);
  EXPECT_NE(read_theme("blu-orange").error().message.find("did you mean blue-orange"), std::string::npos);
}

}  // namespace
}  // namespace paika::terminal
