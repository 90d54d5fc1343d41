// What a player can get wrong by set, save, load, export and new is said in every language.
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/registry.hpp"
#include "play/autosave.hpp"
#include "play/ggf.hpp"
#include "play/live_game.hpp"
#include "play/settings.hpp"
#include "tests/support/session.hpp"
#include "tests/support/translated.hpp"

namespace paika::play {
namespace {

using paika_tests::expect_translated;
using paika_tests::must_open;

template <class T>
void expect_said(const Result<T>& result, const std::string& what) {
  SCOPED_TRACE(what);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().words().english(), result.error().message);
  expect_translated(result.error().words());
}

TEST(ErrorsInEveryLanguage, settings_and_players) {
  for (const char* seat : {"chess", "engine:level=99", "engine:level=x", "engine:time=soon", "engine:clock=1s+x",
                           "engine:table=perhaps", "engine:levle=3", "engine:level", "engine:fast",
                           "engine:level=1,level=2", "bot:", "human:level=3", "human:depth=3", "human:clok=3"}) {
    expect_said(read_seat(seat, {}, {}), seat);
  }
  expect_said(read_seat(std::string("bot:a\0b", 7), {}, {}), "zero byte");
  expect_said(read_player("human", {}), "human in a match");
}

TEST(ErrorsInEveryLanguage, games_and_options) {
  for (const char* spec : {"chess",
                           "othelo",
                           "othello:7x7",
                           "othello:6x8",
                           "othello:0x0",
                           "othello:6x6,6x6",
                           "othello:fast",
                           "wildebeest:5x5",
                           "wildebeest:pads=none",
                           "abalone:2x4",
                           "abalone:4x99",
                           "abalone:4x4,captures=99",
                           "abalone:capture=1",
                           "abalone:captures=x",
                           "abalone:captures",
                           "abalone:must=on,must=off",
                           "fanorona:4x5",
                           "fanorona:5x4",
                           "fanorona:4x4",
                           "fanorona:limit=-1",
                           "fanorona:tournament,classic",
                           "fanorona:5x5,"}) {
    expect_said(open_game(spec), spec);
  }
}

TEST(ErrorsInEveryLanguage, positions) {
  const std::string rows =
      "RNZBOKXBCNR/GPPSPJPPPPG/.........../.*.......*./.........../.....#...../.........../"
      ".*.......*./.........../gppspjppppg/rnzbokxbcnr";
  const std::vector<std::pair<std::string, std::vector<std::string>>> all = {
      {"fanorona:3x3",
       {"", "www/...", "www/.../bbb", "www/.../bbb w", "www/.../bbb q 0", "www/.../bbb w x", "www/.../bbb w 0 x",
        "ww/.../bbb w 0", "wzw/.../bbb w 0", "www/.../bbb/www w 0", "wxw/x../bbb w 1", "wxw/.../bbb w 0",
        "www/ww./bbb w 0", "xww/ww./bbb b 3", ".../.../... w 0", "www/.../bbb w 99999", "w../.x./... b 3"}},
      {"fanorona:3x3,sacrifice=off", {"wxw/.../bbb w 1"}},
      {"abalone",
       {"", "x", "(b", "()", "(q bbb- b--w b--w -www)", "(b bbb)", "(b bbb- b--w b--w)", "(b bbb- b--w b--w -www -)",
        "(b bzb- b--w b--w -www)", "(b bbbb bbbb bbbb wwww)", "(b ---- ---- ---- -www)"}},
      {"othello:6x6",
       {"", "XO X", std::string(64, '-') + " X", std::string(36, '-') + " X", std::string(36, 'X'),
        std::string(36, 'X') + " Z", std::string(35, 'X') + "? X", "X-------------OX----XO-------------- X"}},
      {"wildebeest",
       {"", "Q", "W RNZ", "W " + rows, "W " + rows + " 0 60000", "W " + rows + " 0 x 0",
        "W " + rows + " 0 99999999999999999999 0", "W " + rows + " 0 60000 0 x", "W " + rows + "/x 0 0 0",
        "W R" + rows + " 0 0 0", "W Q" + rows.substr(1) + " 0 0 0", "W *" + rows.substr(1) + " 0 0 0",
        "W K" + rows.substr(1) + " 0 0 0", "W p" + rows.substr(1) + " 0 0 0",
        "W " + rows.substr(0, rows.size() - 1) + "P 0 0 0", "W\nRNZ\n", "W\n"}}};
  for (const auto& [spec, texts] : all) {
    for (const std::string& text : texts) expect_said(must_open(spec)->start_from_text(text), spec + ": " + text);
  }
}

TEST(ErrorsInEveryLanguage, records) {
  const std::string head = "paika-record 1\nspec othello\n";
  for (const std::string& text : {std::string("hello"),
                                  std::string("paika-record 2"),
                                  head,
                                  head + "end\n",
                                  std::string("paika-record 1\nend\n"),
                                  std::string("paika-record 1\nspec chess\n"),
                                  head + "mvoe d3\n",
                                  head + "move d3\nfirst x\n",
                                  std::string("paika-record 1\nfirst x\n"),
                                  head + "move a1\n",
                                  head + "move d3 speed=9\n",
                                  head + "first-limits time=2s,time=3s\n",
                                  head + "first-limits time=2000ms\n",
                                  head + "first-since 0\n",
                                  head + "start XX\n",
                                  head + "pending score=3\n",
                                  head + "opening 3\nmove d3\nresult ongoing none\n",
                                  head + "second-since 2\nmove d3\nresult ongoing none\n",
                                  head + "result won by_magic\n",
                                  head + "result draw board_full\n",
                                  std::string("paika-record 1\nspec fanorona:1x1\nresult ongoing none\nend\n")}) {
    expect_said(parse_records(text), text);
  }
}

TEST(ErrorsInEveryLanguage, ggf_games) {
  const std::string board = "BO[6 --------------O*----*O-------------- *]";
  for (const std::string& text : {std::string("x"), std::string("(;"), std::string("(;GM"), std::string("(;GM[Othello"),
                                  std::string("(;GM[Go];)"), std::string("(;GM[Othello];)"), std::string("(;BO[x];)"),
                                  std::string("(;BO[6 -- *];)"), "(;" + board + "B[];)", "(;" + board + "B[A1];)",
                                  std::string("(;BO[4 -----O*--*O----- *];)")}) {
    expect_said(record_of_ggf(text), text);
  }
  GameRecord record;
  record.spec = "abalone";
  expect_said(ggf_text(record), "abalone as GGF");
}

TEST(ErrorsInEveryLanguage, files) {
  expect_said(read_whole_file("/no/such/file"), "missing");
  expect_said(read_whole_file("/"), "a folder");
  expect_said(write_whole_file("/no/such/file", ""), "no folder");
  expect_said(write_whole_file("/dev/null/file", ""), "not a folder");
  expect_said(write_whole_file("/" + std::string(300, 'x'), ""), "long");
  expect_said(last_record("/dev/null"), "an empty file");
}

TEST(ErrorsInEveryLanguage, a_game_that_is_over_at_once) {
  LivePlan plan;
  plan.game = must_open("fanorona:1x1");
  plan.players[0].person = plan.players[1].person = true;
  expect_said(LiveGame::begin(std::move(plan), {}), "fanorona:1x1");
}

}  // namespace
}  // namespace paika::play
