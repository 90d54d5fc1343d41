#include "tests/fuzz/play_targets.hpp"

#include "base/check.hpp"
#include "play/demo.hpp"
#include "play/gtp.hpp"
#include "play/line_buffer.hpp"
#include "play/nboard.hpp"
#include "play/opening_list.hpp"
#include "play/record.hpp"
#include "play/settings.hpp"
#include "play/ugi.hpp"
#include "tests/play/puppets.hpp"
#include "tests/support/session.hpp"

namespace paika::fuzz {

namespace {

void check_line(std::string_view line) {
  for (const char c : line) PAIKA_CHECK(c >= 0x20 && c < 0x7f);
  // Lists of turns and diagrams may be long; what is said about bad input may not.
  if (line.starts_with("error ") || line.starts_with("status ")) PAIKA_CHECK(line.size() < 1500);
}

/// Feeds the bytes to a protocol as a program does with its standard input.
void converse(play::Protocol& protocol, std::string_view bytes) {
  play::LineBuffer lines(play::max_protocol_line);
  lines.add(bytes);
  while (const auto line = lines.next()) {
    if (line->too_long) {
      protocol.refuse_long_line();
    } else if (!protocol.handle(line->text)) {
      return;
    }
  }
  if (const auto line = lines.rest(); line && !line->too_long && !protocol.handle(line->text)) return;
  protocol.finish();
}

const GamePtr& othello() {
  static const GamePtr game = paika_tests::must_open("othello");
  return game;
}

}  // namespace

void run_game_record(std::string_view bytes) {
  const auto records = play::parse_records(bytes);
  if (!records) {
    PAIKA_CHECK(records.error().message.starts_with("line "));
    PAIKA_CHECK(records.error().message.size() < 1500);
    for (const char c : records.error().message) PAIKA_CHECK(c >= 0x20 && c < 0x7f);
    return;
  }
  std::string text;
  for (const play::GameRecord& record : *records) text += play::record_text(record);
  const auto again = play::parse_records(text);
  PAIKA_CHECK(again && again->size() == records->size());
  std::string text_again;
  for (const play::GameRecord& record : *again) text_again += play::record_text(record);
  PAIKA_CHECK(text == text_again);
}

std::vector<std::string> game_record_seeds() {
  return {
      "paika-record 1\nspec othello:6x6\nfirst engine\nsecond bot:x y\nfirst-limits time=100ms\nsecond-limits "
      "clock=60s+500ms\nnote a b\nopening 1\nmove c2\nmove b2 time=120us score=-3 depth=4\nresult first_wins "
      "time\nremark late\nend\n",
      "paika-record 1\nspec abalone\nstart (w bbb- b--w ---w bwww)\nresult draw max_turns\nend\n",
      "paika-record 1\nspec othello\nfirst human\nfirst-limits clock=60s\nfirst-since 1\nsecond-since 1\nmove "
      "d3\npending time=5us\nresult ongoing abandoned\nend\n",
      "paika-record 1\nspec fanorona:5x5\nmove c2c3A\nresult ongoing none\nend\n\n# next\npaika-record 1\nspec "
      "wildebeest\nmove b1b2\nresult second_wins crash\nend\n"};
}

void run_ugi(std::string_view bytes) {
  play::Ugi ugi(othello(), {}, "0", check_line, paika_tests::first_turn_engine());
  converse(ugi, bytes);
}

std::vector<std::string> ugi_seeds() {
  return {
      "ugi\nisready\nsetoption name Game value othello:6x6\nuginewgame\nposition startpos moves c2 b2\ngo depth "
      "3\nwait\nquery moves\nquery result\nquit\n",
      "setoption name Game value wildebeest\nsetoption name Hash value 16\nposition text W "
      "RNZBOKXBCNR/GPPSPJPPPPG/.........../.*.......*./.........../.....#...../.........../.*.......*./.........../"
      "gppspjppppg/rnzbokxbcnr 0 60000 0 moves b1b2\ngo p1time 100 p2time 100 p1inc 1 p2inc 1\nstop\nshow\n",
      "go infinite\nposition startpos\nstop\ngo ponder movestogo 3\nponderhit depth 1\nquery gameover\nquery "
      "p1turn\nhelp\nsetoption name table value off\n",
      "setoption name Game value fanorona:5x5\nposition fen bbbbb/bbbbb/bw.bw/wwwww/wwwww w 0 moves c2c3A\nmoves\ngo "
      "movetime 5 nodes 10"};
}

void run_nboard(std::string_view bytes) {
  play::NBoard nboard(othello(), {}, check_line, paika_tests::first_turn_engine());
  converse(nboard, bytes);
}

std::vector<std::string> nboard_seeds() {
  const std::string game =
      "set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00//02:00]TY[8]BO[8 "
      "---------------------------O*------*O--------------------------- *]B[F5//1.5]W[F6/0.1/2]B[D3];)\n";
  return {"nboard 2\nset depth 6\n" + game + "ping 1\ngo\nmove C5/1/2\nhint 3\nlearn\nquit\n",
          game + "analyze\nF5\nPA\nset contempt 4\n",
          "set game (;GM[Othello]BO[6 --------------O*----*O-------------- *]B[C2];)\ngo\n"};
}

void run_gtp(std::string_view bytes) {
  play::Gtp gtp(othello(), {}, "0", check_line, paika_tests::first_turn_engine());
  converse(gtp, bytes);
}

std::vector<std::string> gtp_seeds() {
  return {
      "1 protocol_version\nlist_commands\nboardsize 6\nclear_board\nplay black d2\n7 genmove white\nundo\nshowboard\n",
      "set_game fanorona:3x3\ntime_settings 60 10 2\ntime_left w 5 0\nreg_genmove w\ngenmove white # go\nfinal_score\n",
      "known_command\tplay\nboardsize 99999999999\nplay b pass\ngenmove b\nquit\nname\n"};
}

void run_settings(std::string_view bytes) {
  const auto player = play::read_seat(bytes, {}, {});
  if (!player) {
    PAIKA_CHECK(!player.error().message.empty() && player.error().message.size() < 1500);
    for (const char c : player.error().message) PAIKA_CHECK(c >= 0x20 && c < 0x7f);
    return;
  }
  const std::string seat = play::seat_text(*player);
  const auto sitting = play::read_seat(seat, {}, {});
  PAIKA_CHECK(sitting && play::seat_text(*sitting) == seat);
  const std::string limits = play::limits_text(player->settings.limits);
  const auto again = play::read_settings(limits);
  PAIKA_CHECK(again && play::limits_text(again->limits) == limits);
}

std::vector<std::string> settings_seeds() {
  return {"engine",
          "human",
          "human:clock=5min+3s",
          "engine:time=100ms,hash=16,table=off",
          "engine:clock=60s+0.5s,threads=2,level=3,seed=5",
          "engine:depth=6,nodes=5000,multipv=3",
          "bot:python3 'my bot.py'"};
}

void run_demo(std::string_view bytes) {
  const auto demo = play::read_demo("fuzz", bytes);
  if (demo) {
    PAIKA_CHECK(demo->game && !demo->steps.empty() && !demo->title.in("fr").empty());
    return;
  }
  PAIKA_CHECK(!demo.error().message.empty());
  for (const char c : demo.error().message) PAIKA_CHECK(c >= 0x20 && c < 0x7f);
}

std::vector<std::string> demo_seeds() {
  return {
      "title t\ntitle.fr u\nspec othello:6x6\ncaption a\ncaption.mg b\nmove c2\nexpect flipped c3\n"
      "expect pieces 4 1\nexpect result ongoing none\nrefused a1 2.1\nexpect moves b2 d2 b4\n",
      "# x\ntitle t\nspec fanorona:5x5\nstart ....b/...../b.b../..b../w.... w 0\nmove a1b2A,a2W\ncaption end\n",
      "title.fr t\nspec othello:6x6\ncaption a\n"};
}

void run_opening_list(std::string_view bytes) {
  for (const char* spec : {"othello", "abalone"}) {
    const auto list = play::read_opening_list(spec, bytes);
    if (list) {
      PAIKA_CHECK(list->game && !list->starts.empty());
      for (const std::string& start : list->starts) PAIKA_CHECK(list->game->start_from_text(start).has_value());
      continue;
    }
    PAIKA_CHECK(!list.error().message.empty() && list.error().message.size() < 1500);
    for (const char c : list.error().message) PAIKA_CHECK(c >= 0x20 && c < 0x7f);
  }
}

std::vector<std::string> opening_list_seeds() {
  return {"# x\n\nc2\t--------X-----XX----XO-------------- O\n-------------XXX----XO-------------- O\tdraw\n",
          "a1b2 c3\t(w bbb- b--w ---w bwww)\twin 3\n"};
}

}  // namespace paika::fuzz
