// What people type and what they are answered, without any terminal.
#include "apps/terminal/conversation.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "apps/terminal/plain.hpp"
#include "apps/terminal/typed_turn.hpp"
#include "base/random.hpp"
#include "tests/play/puppets.hpp"
#include "tests/support/files.hpp"
#include "tests/support/game.hpp"
#include "tests/support/session.hpp"

namespace paika::terminal {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using paika_tests::contains;
using paika_tests::must;
using paika_tests::must_open;
using paika_tests::Puppet;

class ConversationTest : public testing::Test {
 protected:
  ConversationTest() {
    std::string name = (fs::temp_directory_path() / "paika-talk-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~ConversationTest() override {
    talk.reset();
    fs::remove_all(folder);
  }

  void begin(const std::string& spec, const std::string& first = "human", const std::string& second = "human",
             const std::string& start = "") {
    ConversationSetup setup;
    setup.catalogue = must(catalogue_of(language), language);
    setup.language = language;
    setup.flipped = flipped;
    setup.autosave_folder = folder + "/state";
    setup.hint_time = Milliseconds(30);
    setup.live.make = [this](const GamePtr&,
                             const play::PlayerText& player) -> Result<std::unique_ptr<play::GamePlayer>> {
      return std::make_unique<Puppet>(player.text, puppet);
    };
    play::LivePlan plan;
    plan.game = must_open(spec);
    plan.start = start;
    plan.players = {must(play::read_seat(first, {}, {}), first), must(play::read_seat(second, {}, {}), second)};
    auto game = must(play::LiveGame::begin(std::move(plan), setup.live), spec);
    talk = std::make_unique<Conversation>(std::move(game), std::move(setup));
  }

  /// The answer's lines, joined; changes are left to the caller.
  std::string ask(std::string_view line) {
    last = talk->take(line);
    return text(last);
  }
  static std::string text(const Reply& reply) {
    std::string all;
    for (const ReplyLine& line : reply.lines) all += line.text + "\n";
    return all;
  }
  [[nodiscard]] std::string position() const { return talk->game().session().position_text(); }
  [[nodiscard]] std::size_t turns() const { return talk->game().turns().size(); }
  void play(std::initializer_list<const char*> lines) {
    for (const char* line : lines) {
      const std::size_t before = turns();
      ask(line);
      ASSERT_EQ(turns(), before + 1) << line << ": " << text(last);
    }
  }
  /// Polls until something is said.
  std::string next_event() {
    for (int i = 0; i < 5000; ++i) {
      last = talk->poll();
      if (!last.lines.empty()) return text(last);
      std::this_thread::sleep_for(1ms);
    }
    return "nothing happened";
  }
  /// Asks for something that must not be done: the game is the same after it.
  std::string refused(std::string_view line) {
    const std::string before = play::record_text(without_times(talk->game().record()));
    const std::string said = ask(line);
    EXPECT_EQ(play::record_text(without_times(talk->game().record())), before) << line;
    EXPECT_FALSE(last.quit);
    return said;
  }
  static play::GameRecord without_times(play::GameRecord record) {
    record.pending.reset();
    return record;
  }

  std::string folder;
  std::string language = "en";
  bool flipped = false;
  Puppet::Choose puppet;
  std::unique_ptr<Conversation> talk;
  Reply last;
};

TEST_F(ConversationTest, turns_in_many_forms) {
  begin("othello");
  play({"e6", "P F4", "place e3", "  D6\r"});
  EXPECT_TRUE(last.board_changed);
  EXPECT_EQ(text(last), "White plays d6\n");
  EXPECT_EQ(position(), "--------------------X------OXO-----OO------OX------------------- X");
}

TEST_F(ConversationTest, a_refused_turn_names_its_clause_and_changes_nothing) {
  begin("othello");
  EXPECT_EQ(refused("a1"), "a1 encloses nothing: no white pawn is next to it (docs/rules/othello.md 2.1)\n");
  EXPECT_EQ(last.lines[0].tone, Tone::refusal);
  EXPECT_EQ(last.squares.size(), 1U);
  EXPECT_TRUE(contains(refused("pass"), "may not pass"));
  EXPECT_TRUE(contains(refused("z99"), "off the board"));
  EXPECT_TRUE(contains(refused("place"), "place c3"));
}

TEST_F(ConversationTest, a_vowel_has_its_article) {
  begin("wildebeest");
  EXPECT_TRUE(contains(refused("e0e5"), "an Old Woman moves one square"));
}

TEST_F(ConversationTest, the_beginning_of_one_turn_is_that_turn) {
  begin("abalone");
  EXPECT_TRUE(contains(refused("a3"), "3 moves begin with \"a3\":\na3a4  a3b3  a3b2\n"));
  play({"a3a"});
  EXPECT_EQ(text(last), "Black plays a3a4\n");
}

TEST_F(ConversationTest, a_square_is_not_the_beginning_of_another) {
  // On a large board b1 is not taken for b10, whatever is legal.
  begin("othello:12x12");
  EXPECT_TRUE(contains(refused("b1"), "encloses nothing"));
  begin("abalone:4x12,captures=2");
  EXPECT_TRUE(contains(refused("a1"), "moves begin with \"a1\""));
  for (const ReplyLine& line : last.lines) EXPECT_FALSE(contains(line.text, "a10")) << line.text;
}

TEST_F(ConversationTest, a_choice_of_captures_lists_the_choices) {
  begin("fanorona");
  EXPECT_TRUE(contains(refused("d3e3"), "2 moves begin with \"d3e3\":\nd3e3A  d3e3W\n"));
  EXPECT_EQ(text(talk->take("why d3e3")), "2 moves begin with \"d3e3\": d3e3A  d3e3W\n");
  play({"d3e3w"});
}

TEST_F(ConversationTest, the_class_protocols_turns_are_no_commands) {
  begin("fanorona:5x5");
  play({"A 3 2 3 3"});
  EXPECT_TRUE(contains(refused("A 9 9 9 9"), "docs/rules/fanorona.md"));
  EXPECT_FALSE(talk->game().over());
  EXPECT_TRUE(contains(refused("abandon now"), "takes no argument"));
  EXPECT_TRUE(contains(refused("quit please"), "takes no argument"));
}

TEST_F(ConversationTest, commands_by_word_key_and_beginning) {
  begin("othello");
  const std::string listed = ask("moves");
  EXPECT_EQ(listed, "4 legal moves for Black:\nd3 c4 f5 e6\n");
  for (const char* line : {"M", "m", "mov", "MOVES"}) EXPECT_EQ(ask(line), listed) << line;
  EXPECT_EQ(ask("moves e"), "One legal move for Black:\ne6\n");
  EXPECT_TRUE(contains(refused("re"), "could be redo or resign"));
  EXPECT_TRUE(contains(refused("mvoes"), "did you mean moves?"));
  EXPECT_TRUE(contains(refused("xyzzy"), "help lists the commands"));
  EXPECT_TRUE(ask("").empty());
  EXPECT_TRUE(last.show_board);
}

TEST_F(ConversationTest, many_moves_are_cut_with_a_count) {
  begin("abalone:20x20,captures=1");
  const std::string listed = ask("moves");
  EXPECT_TRUE(contains(listed, "143 legal moves")) << listed;
  EXPECT_TRUE(contains(listed, "the first 100 of them"));
  EXPECT_TRUE(contains(ask("moves a1"), "3 legal moves for Black:\n a1: a1a2 a1b2 a1b1\n"));
}

TEST_F(ConversationTest, help) {
  begin("othello");
  const std::string all = ask("help");
  for (const char* word : {"place", "moves", "hint",   "why",   "undo", "redo", "resign", "abandon", "pass", "draw",
                           "save",  "load",  "export", "rules", "flip", "set",  "new",    "show",    "help", "quit"}) {
    EXPECT_TRUE(contains(all, word));
    EXPECT_FALSE(contains(ask(std::string("help ") + word), "no command")) << word;
  }
  EXPECT_TRUE(contains(ask("? undo"), "undo [N] (U)"));
  EXPECT_TRUE(contains(ask("help undoo"), "did you mean undo?"));
  EXPECT_EQ(talk->command_overview().size() + 1, static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n')));
}

TEST_F(ConversationTest, rules_in_the_language_clause_by_clause) {
  begin("othello");
  EXPECT_TRUE(contains(ask("rules"), "1 Board\n2 Play\n3 End\n"));
  EXPECT_TRUE(contains(ask("rules 1.3"), "**1.3** Black makes the first move.\n"));
  EXPECT_TRUE(contains(ask("rules 2"), "## 2 Play\n"));
  EXPECT_TRUE(contains(ask("rules 2"), "**2.2** If you can place a pawn"));
  EXPECT_FALSE(contains(ask("rules 2"), "**3.1**"));
  EXPECT_TRUE(contains(refused("rules 9.9"), "no clause \"9.9\""));
  language = "fr";
  begin("othello");
  EXPECT_EQ(ask("rules 1.3"), "**1.3** Noir joue le premier coup.\n");
  language = "mg";
  begin("othello");
  EXPECT_EQ(ask("rules 1.3"), "**1.3** Black makes the first move.\n") << "not translated: English";
}

TEST_F(ConversationTest, the_board_can_be_shown_from_the_other_side_from_the_start) {
  begin("abalone");
  EXPECT_TRUE(contains(plain_screen(*talk, false), "   a b c d\n4  . w w w\n"));
  flipped = true;
  begin("abalone");
  EXPECT_TRUE(contains(plain_screen(*talk, false), "   d c b a\n1  . b b b\n"));
  ask("flip");
  EXPECT_TRUE(contains(plain_screen(*talk, false), "   a b c d\n4  . w w w\n"));
}

TEST_F(ConversationTest, why) {
  begin("othello");
  EXPECT_EQ(ask("why e6"),
            "e6 is legal. What it does:\n  Black plays on e6 (2.1)\n  White's pawn on e5 now belongs to Black (2.1)\n");
  EXPECT_TRUE(contains(refused("why a1"), "othello.md 2.1"));
  EXPECT_TRUE(contains(refused("why"), "why c3"));
}

TEST_F(ConversationTest, hint) {
  begin("othello");
  EXPECT_TRUE(contains(refused("hint"), "looking for a good move"));
  EXPECT_TRUE(talk->looking_for_hint());
  const std::string said = next_event();
  EXPECT_TRUE(contains(said, "Hint: ")) << said;
  EXPECT_TRUE(contains(said, "depth"));
  EXPECT_TRUE(talk->hint());
  EXPECT_TRUE(talk->insight());
  EXPECT_FALSE(talk->looking_for_hint());
  play({"e6"});
  EXPECT_FALSE(talk->hint()) << "it was for the position before";
}

TEST_F(ConversationTest, a_hint_for_a_position_that_is_gone_is_not_told) {
  begin("othello");
  ask("hint");
  play({"e6"});
  std::this_thread::sleep_for(60ms);
  EXPECT_EQ(text(talk->poll()), "");
}

TEST_F(ConversationTest, undo_and_redo) {
  begin("othello");
  EXPECT_TRUE(contains(refused("undo"), "no move to take back"));
  EXPECT_TRUE(contains(refused("redo"), "no move to play again"));
  play({"e6", "f4", "e3", "d6"});
  EXPECT_EQ(ask("undo 3"), "3 moves taken back.\n");
  EXPECT_TRUE(last.board_changed);
  EXPECT_EQ(ask("U"), "One move taken back.\n");
  EXPECT_EQ(ask("redo 2"), "2 moves played again.\n");
  EXPECT_EQ(turns(), 2U);
  for (const char* line : {"undo 0", "undo -1", "undo x", "undo 99999999999999999999", "redo 0", "redo x"}) {
    EXPECT_TRUE(contains(refused(line), "not a number of moves")) << line;
  }
  EXPECT_EQ(ask("undo 1000000"), "2 moves taken back.\n");
}

TEST_F(ConversationTest, undo_against_the_computer_goes_back_to_your_turn) {
  begin("othello", "human", "engine");
  ask("e6");
  EXPECT_TRUE(contains(refused("e3"), "is thinking"));
  EXPECT_TRUE(contains(next_event(), "White plays"));
  EXPECT_EQ(ask("undo"), "2 moves taken back.\n");
  EXPECT_EQ(ask("redo"), "2 moves played again.\n");
  EXPECT_EQ(ask("undo 1"), "One move taken back.\nWhite is waiting: go lets it play.\n");
  EXPECT_TRUE(contains(refused("f4"), "go lets it play"));
  EXPECT_EQ(ask("go"), "White is thinking.\n");
  EXPECT_TRUE(contains(next_event(), "White plays"));
  EXPECT_TRUE(contains(refused("go"), "Nobody is waiting"));
}

TEST_F(ConversationTest, says_what_ended_the_game) {
  begin("wildebeest");
  const std::string end = ask("b1b3");
  EXPECT_TRUE(contains(end, "Black wins: White has no king")) << end;
  EXPECT_TRUE(contains(end, "White's Prince Joey on f1 explodes: 10 pieces in its row (5.4)\n")) << end;
  EXPECT_TRUE(contains(end, "explodes and destroys White's King on f0 (5.4)\n")) << end;
}

TEST_F(ConversationTest, ends) {
  begin("othello");
  play({"e6"});
  EXPECT_EQ(ask("resign"), "White resigns: Black wins.\n");
  EXPECT_TRUE(contains(refused("f4"), "The game is over"));
  EXPECT_EQ(ask("undo"), "The game continues.\n");
  EXPECT_TRUE(contains(ask("A"), "The game was abandoned; nobody won.\nBlack leads with 4 pieces to 1.\n"));
  EXPECT_TRUE(contains(refused("abandon"), "The game is over"));
  ask("undo");
  EXPECT_TRUE(contains(refused("draw"), "White offers a draw"));
  play({"f4"});
  EXPECT_TRUE(contains(refused("draw"), "Black offers a draw")) << "a turn is an answer too";
  EXPECT_EQ(ask("draw"), "Draw: both players agreed.\n");
}

TEST_F(ConversationTest, the_computer_agrees_to_a_draw_when_it_is_not_ahead) {
  int score = 50;
  puppet = [&](const play::GameSoFar& so_far, const play::Allowance&, const std::stop_token&) {
    play::Choice choice = Puppet::first_turn(so_far);
    choice.score = score;
    choice.depth = 3;
    return tl::expected<play::Choice, play::Failed>(choice);
  };
  begin("othello", "human", "engine");
  EXPECT_TRUE(contains(refused("draw"), "declines the draw")) << "it has no opinion yet";
  ask("e6");
  next_event();
  EXPECT_TRUE(contains(refused("draw"), "declines the draw"));
  score = -20;
  ask("undo");
  ask("e6");
  next_event();
  EXPECT_TRUE(contains(ask("draw"), "Draw"));
}

TEST_F(ConversationTest, a_forced_pass_is_said_and_confirmed) {
  begin("othello:6x6");
  play({"e4", "c5", "b5", "e5", "d5", "a5", "a6", "f3", "a4", "b3", "b4", "c2", "c1", "a3", "f6",
        "d1", "b6", "f5", "d6", "e6", "f4", "c6", "f2", "b1", "d2", "e3", "b2", "a2", "a1"});
  EXPECT_TRUE(contains(plain_screen(*talk, false), "X to move\nX cannot play and must pass: type pass\n"));
  EXPECT_TRUE(contains(refused("e1"), "must pass"));
  EXPECT_EQ(ask("moves"), "One legal move for White:\npass\n");
  play({"pass", "e1", "e2", "f1"});
  EXPECT_TRUE(talk->game().over());
  EXPECT_TRUE(contains(plain_screen(*talk, false), "The game is over; moves played: 33\n"));
  EXPECT_TRUE(contains(plain_screen(*talk, false), "the board is full (docs/rules/othello.md 3.1)\n"));
}

TEST_F(ConversationTest, the_plain_screen_is_the_seeds) {
  begin("othello");
  play({"e6", "f4", "e3", "d6"});
  EXPECT_EQ(plain_screen(*talk, false), paika_tests::read_whole(PAIKA_TEST_DATA "/plain_othello.txt"));
}

TEST_F(ConversationTest, the_plain_screen_of_the_other_games) {
  begin("fanorona");
  EXPECT_TRUE(
      contains(plain_screen(*talk, false), "Stones : White 22, lost 0\n         Black 22, lost 0\nMoves left : 50\n"));
  begin("wildebeest");
  EXPECT_TRUE(contains(plain_screen(*talk, false), "Time used : 0 ms\nTime allowed : 60000 ms\nMove number : 0\n"));
  play({"f1e2", "f9e8"});
  EXPECT_TRUE(contains(plain_screen(*talk, false), "Time allowed : 60000 ms\nMove number : 2\n"));
  EXPECT_TRUE(contains(ask("export position"), " 60000 2\n"));
  begin("abalone", "human:clock=5min", "human");
  EXPECT_TRUE(contains(plain_screen(*talk, false), "Black's time : 5:00\n"));
  EXPECT_FALSE(contains(plain_screen(*talk, false), "Time of White"));
  ask("flip");
  EXPECT_TRUE(contains(plain_screen(*talk, false), "   d c b a\n1  . b b b\n"));
  EXPECT_FALSE(contains(plain_screen(*talk, false), "\x1b"));
  EXPECT_TRUE(contains(plain_screen(*talk, true), "\x1b["));
}

TEST_F(ConversationTest, settings) {
  begin("othello", "human", "engine:level=5,depth=1");
  EXPECT_EQ(ask("set level 3"), "White: engine:level=3,depth=1\n");
  EXPECT_EQ(ask("set time 2s"), "White: engine:level=3,time=2s,depth=1\n");
  EXPECT_EQ(ask("set clock 5min+3s black"), "Black: human:clock=300s+3s\n");
  EXPECT_EQ(ask("set clock off first"), "Black: human\n");
  EXPECT_EQ(ask("set"), "othello:8x8\nBlack: human\nWhite: engine:level=3,time=2s,depth=1\n");
  EXPECT_EQ(ask("set player white human"), "White: human\n");
  EXPECT_TRUE(talk->game().is_person(Player::second));
  for (const char* line : {"set level 3", "set level", "set level 15", "set level 3 black", "set time soon black",
                           "set colour red", "set player", "set player green human", "set player white chess",
                           "set size 7x7", "set size", "set time 1s green"}) {
    refused(line);
    EXPECT_EQ(last.lines.at(0).tone, Tone::refusal) << line;
  }
}

TEST_F(ConversationTest, new_games_and_sizes) {
  begin("othello");
  play({"e6"});
  EXPECT_TRUE(contains(ask("set size 10x10"), "The game is saved in"));
  EXPECT_EQ(talk->game().notation().spec(), "othello:10x10");
  ask("new fanorona:5x5,sacrifice=off");
  EXPECT_EQ(talk->game().notation().spec(), "fanorona:5x5,sacrifice=off");
  ask("set size 7x5");
  EXPECT_EQ(talk->game().notation().spec(), "fanorona:7x5,sacrifice=off");
  EXPECT_TRUE(contains(refused("new chess"), "there is no game"));
  ask("new");
  EXPECT_EQ(talk->game().notation().spec(), "fanorona:7x5,sacrifice=off");
  EXPECT_EQ(paika_tests::files_in(folder + "/state", ".record").size(), 2U) << "the game, and the new one";
}

TEST_F(ConversationTest, save_and_load) {
  begin("othello");
  play({"e6", "f4"});
  const std::string there = position();
  const std::string file = folder + "/my game.record";
  EXPECT_TRUE(contains(ask("save " + file), "is saved"));
  play({"e3"});
  EXPECT_TRUE(contains(refused("save " + file), "save! with its name replaces it"));
  EXPECT_TRUE(contains(ask("load " + file), "Loaded a game"));
  EXPECT_EQ(position(), there);
  EXPECT_TRUE(contains(ask("save! " + file), "is saved"));
  EXPECT_TRUE(contains(refused("save! /dev/null"), "not a file that can be replaced"));
  for (const std::string& line : {std::string("save"), "save " + folder, "save " + folder + "/no/such",
                                  std::string("load"), "load " + folder, "load " + folder + "/nothing"}) {
    EXPECT_FALSE(refused(line).empty());
    EXPECT_EQ(last.lines.at(0).tone, Tone::refusal) << line;
  }
  std::ofstream(folder + "/bad") << "paika-record 1\nspec othello\nmove a1\nresult ongoing none\nend\n";
  EXPECT_TRUE(contains(refused("load " + folder + "/bad"), "line 3"));
}

TEST_F(ConversationTest, a_loaded_file_runs_no_programs) {
  std::ofstream(folder + "/trap") << "paika-record 1\nspec othello\nfirst bot:touch " << folder
                                  << "/trapped\nresult ongoing none\nend\n";
  begin("othello");
  ask("load " + folder + "/trap");
  EXPECT_TRUE(talk->game().is_person(Player::first));
}

TEST_F(ConversationTest, export_and_ggf_both_ways) {
  begin("othello");
  play({"e6", "f4"});
  EXPECT_EQ(ask("export"), position() + "\n");
  EXPECT_TRUE(contains(ask("export record"), "paika-record 1\nspec othello:8x8\n"));
  std::string ggf = ask("export ggf");
  EXPECT_TRUE(contains(ggf, "B[E6//"));
  EXPECT_FALSE(refused("export pdf").empty());
  std::ofstream(folder + "/game.ggf") << ggf;
  begin("othello");
  EXPECT_TRUE(contains(ask("load " + folder + "/game.ggf"), "(moves: 2)"));
  ggf.replace(ggf.find("PB[human]"), 9, "PB[Ada \\[1\\]]");
  std::ofstream(folder + "/named.ggf") << ggf;
  ask("load " + folder + "/named.ggf");
  EXPECT_TRUE(contains(ask("export record"), "note played before by Ada [1]\nnote played before by human\n"));
  begin("abalone");
  EXPECT_TRUE(contains(refused("export ggf"), "othello only"));
}

TEST_F(ConversationTest, every_change_is_kept_in_the_file) {
  begin("othello");
  const auto kept = [&] {
    const auto files = paika_tests::files_in(folder + "/state", ".record");
    return files.empty() ? "" : paika_tests::read_whole(files.at(0));
  };
  play({"e6"});
  EXPECT_TRUE(contains(kept(), "move e6"));
  ask("undo");
  EXPECT_FALSE(contains(kept(), "move e6"));
  play({"d3"});
  ask("set clock 5min black");
  EXPECT_TRUE(contains(kept(), "clock=300s"));
  ask("resign");
  EXPECT_TRUE(contains(kept(), "result first_wins resigned"));
  EXPECT_TRUE(contains(text(talk->finish()), "The game record is in " + folder));
}

TEST_F(ConversationTest, a_game_without_turns_leaves_nothing) {
  begin("othello");
  EXPECT_TRUE(ask("quit").empty());
  EXPECT_TRUE(last.quit);
  EXPECT_FALSE(fs::exists(folder + "/state"));
}

TEST_F(ConversationTest, a_folder_that_cannot_be_written_is_said_once) {
  std::ofstream(folder + "/state") << "in the way";
  begin("othello");
  EXPECT_TRUE(contains(ask("e6"), "The game cannot be saved as it is played"));
  EXPECT_EQ(last.lines.back().tone, Tone::warning);
  EXPECT_EQ(ask("f4"), "White plays f4\n");
}

TEST_F(ConversationTest, another_language) {
  ConversationSetup setup;
  setup.catalogue = must(Catalogue::read("msgid \"Place a pawn\"\nmsgstr \"Poser un pion\"\nmsgid \"{} moves taken "
                                         "back.\"\nmsgstr \"{} coups repris.\"\n"),
                         "fr");
  play::LivePlan plan;
  plan.game = must_open("othello");
  plan.players = {must(play::read_seat("human", {}, {}), "human"), must(play::read_seat("human", {}, {}), "human")};
  auto game = must(play::LiveGame::begin(std::move(plan), setup.live), "game");
  talk = std::make_unique<Conversation>(std::move(game), std::move(setup));
  play({"e6", "f4"});
  EXPECT_EQ(ask("undo 2"), "2 coups repris.\n");
  EXPECT_TRUE(contains(plain_screen(*talk, false), "P: Poser un pion\n"));
}

TEST_F(ConversationTest, errors_in_another_language) {
  language = "fr";
  begin("othello", "human", "engine:level=5,depth=1");
  EXPECT_EQ(refused("set level 99"), "level doit être un nombre entier de 1 à 14, non \"99\"\n");
  EXPECT_TRUE(contains(refused("set time bientot"), "n'est pas une durée"));
  EXPECT_TRUE(contains(refused("set clock 1s+x"), "n'est pas une durée"));
  EXPECT_TRUE(contains(refused("set player second chess"), "n'est pas un joueur : donnez human"));
  EXPECT_EQ(refused("set size 7x7"), "taille 7x7 : le nombre doit être pair, de 6 à 26\n");
  EXPECT_TRUE(contains(refused("new othelo"), "(vouliez-vous dire othello ?)"));
  EXPECT_TRUE(contains(refused("new fanorona:1x1"), "la partie est déjà finie dans cette position"));
  EXPECT_EQ(refused("save /no/such/file"),
            "impossible d'écrire \"/no/such/file\" : ce fichier ou ce dossier n'existe pas\n");
  EXPECT_TRUE(contains(refused("load /no/such/file"), "impossible de lire"));
  std::ofstream(folder + "/bad") << "paika-record 1\nspec othello\nmove a1\n";
  EXPECT_TRUE(contains(refused("load " + folder + "/bad"), "ligne 3 : coup 1, \"a1\" : "));
  EXPECT_FALSE(contains(text(last), "encloses"));
  begin("abalone");
  EXPECT_EQ(refused("export ggf"), "GGF est un format réservé à othello\n");
}

// ---- Rubbish ----

std::string rubbish(Random& random, const std::vector<std::string>& words) {
  std::string line;
  const auto pieces = random.below(6);
  for (std::uint64_t i = 0; i < pieces; ++i) {
    switch (random.below(4)) {
      case 0: line += words[random.below(words.size())]; break;
      case 1: line += static_cast<char>(random.below(256)); break;
      case 2: line += std::string(random.below(30), static_cast<char>('!' + random.below(90))); break;
      default: line += ' ';
    }
  }
  std::erase(line, '\n');
  return line;
}

TEST_F(ConversationTest, ten_thousand_lines_of_rubbish_change_nothing_unasked) {
  const std::vector<std::string> words = {
      "moves", "why",   "hint ", "undo",     "red",     "plac",    "set ",     "level ", "99", "-1",
      "time ", "help ", "load ", "/nothing", "export ", "\x1b[2J", "\xff\xfe", "z9",     "a1", "e",
      "S",     "x",     "A 1",   "P ",       ",",       "\t",      "\r",       "%s%n",   "{}", "é"};
  Random random(2026);
  const fs::path here = fs::current_path();
  fs::current_path(folder);  // "S x" saves the game in a file x
  for (const char* spec : {"othello", "fanorona", "abalone", "wildebeest"}) {
    begin(spec);
    std::size_t changed = 0;
    for (int i = 0; i < 2500; ++i) {
      const std::string line = rubbish(random, words);
      const std::string before = position();
      const Reply reply = talk->take(line);
      ASSERT_FALSE(reply.quit && !contains(line, "q") && !contains(line, "Q")) << line;
      for (const ReplyLine& said : reply.lines) {
        ASSERT_TRUE(std::all_of(said.text.begin(), said.text.end(), [](char c) {
          return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
        })) << said.text;
        ASSERT_TRUE(said.tone != Tone::refusal || position() == before) << line;
      }
      if (position() == before) continue;
      ++changed;
      ASSERT_TRUE(reply.board_changed) << line;
    }
    EXPECT_LT(changed, 400U) << spec << ": mostly rubbish";
  }
  fs::current_path(here);
  begin("othello");
  EXPECT_TRUE(contains(refused(std::string(1 << 20, 'e')), "too long"));
  EXPECT_TRUE(contains(refused(std::string(4000, 'e')), "neither a move nor a command"));
}

}  // namespace
}  // namespace paika::terminal
