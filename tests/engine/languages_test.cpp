// What the rules say, in the other languages: refusals, effects and endings of every game.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "base/random.hpp"
#include "engine/diagram.hpp"
#include "engine/effect_text.hpp"
#include "rules/conformance.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden_script.hpp"
#include "tests/support/session.hpp"
#include "tests/support/translated.hpp"

namespace paika {
namespace {

using paika_tests::expect_translated;
using paika_tests::must;
using paika_tests::session_at;
using paika_tests::translations;

void expect_refusal(const Notation& notation, const Refusal& refusal) {
  expect_translated(refusal.message);
  const std::string clause = " (" + rules_document(notation) + " " + refusal.clause + ")";
  EXPECT_EQ(refusal_sentence(notation, refusal), refusal.message.english() + clause);
  for (const auto& [language, catalogue] : translations()) {
    EXPECT_EQ(refusal_sentence(notation, refusal, catalogue), catalogue.say(refusal.message) + clause) << language;
  }
}

/// The first hundred legal turns: enough to choose from.
std::vector<Turn> some_turns(const Session& session) {
  std::vector<Turn> turns;
  session.for_each_turn([&](const ListedTurn& turn) {
    turns.push_back(turn.steps);
    return turns.size() < 100;
  });
  return turns;
}

/// Plays a random game and says all there is to say on the way; returns the patterns of its refusals.
std::set<std::string> tell_random_game(const std::string& spec, std::uint64_t seed) {
  constexpr int max_turns = 60;
  std::set<std::string> patterns;
  Random random(seed);
  const auto session = session_at(spec);
  const Notation& notation = session->notation();
  for (int i = 0; i < max_turns && !session->outcome().over(); ++i) {
    const Board board = session->board();
    const std::vector<Turn> turns = some_turns(*session);
    for (int probe = 0; probe < 10; ++probe) {
      const auto refusal = session->refuse(random_probe(random, board, turns));
      if (!refusal) continue;
      patterns.insert(refusal->message.pattern());
      expect_refusal(notation, *refusal);
    }
    const Turn turn = turns[random.index(turns.size())];
    for (const Phrase& told : effect_phrases(notation, board, notation.effects(board, turn))) expect_translated(told);
    session->play(turn);
  }
  if (const Outcome outcome = session->outcome(); outcome.over()) {
    expect_translated(notation.ending(session->board(), outcome).sentence);
    expect_refusal(notation, *session->refuse({}));
  }
  return patterns;
}

class Languages : public testing::TestWithParam<std::string> {};

TEST_P(Languages, say_everything_of_random_games) {
  std::set<std::string> patterns;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) patterns.merge(tell_random_game(GetParam(), seed));
  EXPECT_GE(patterns.size(), 4U);
}

TEST_P(Languages, say_why_a_text_is_no_turn) {
  const auto session = session_at(GetParam());
  for (const char* text : {"", "?", "a", "z99", "a1z99", "a1a2a3", "S", "A 1 99 1 1", "A 1", "A 1 1 1 2 + W 3 3 3 4",
                           "P 1 1 1 2 x", "a1b1Ab2", "a1b1,", "a1 b1 zzz", "Sa1 x", "b1c1b1", "a1b1Ab1A x"}) {
    const auto turn = session->notation().parse_turn(session->board(), text);
    if (!turn) expect_refusal(session->notation(), turn.error());
  }
}

TEST_P(Languages, name_players_pieces_and_games) {
  const auto session = session_at(GetParam());
  const Notation& notation = session->notation();
  const GameInfo& info = session->game().info();
  for (const auto& [language, catalogue] : translations()) {
    for (const Player player : {Player::first, Player::second}) {
      EXPECT_NE(catalogue.say(player_phrase(notation, player)), notation.player_name(player)) << language;
    }
    EXPECT_TRUE(catalogue.has(info.title)) << language;
    EXPECT_TRUE(catalogue.has(info.summary)) << language;
    session->board().cells.for_each_square([&](Square s) {
      const Cell cell = session->board().cells[s];
      if (cell == notation.empty_cell(s)) return;
      EXPECT_TRUE(catalogue.has(notation.kind_phrase(cell).pattern())) << notation.kind_phrase(cell).english();
      expect_translated(notation.piece_phrase(cell, s));
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Games, Languages,
                         testing::Values("fanorona", "fanorona:3x3,limit=6", "fanorona:5x5,sacrifice=off", "abalone",
                                         "abalone:4x5,captures=1,freeze,must", "abalone:4x4,misere,freeze=initiator",
                                         "othello", "othello:6x6", "wildebeest", "wildebeest:swarm=forbid"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

/// Plays the turns, tells what they do, and adds the kinds of effects there were.
void tell_script(const paika_tests::Script& script, std::set<EffectKind>& kinds) {
  const auto session = session_at(script.spec, script.position);
  for (const std::string& text : script.turns) {
    const Board before = session->board();
    const Turn turn = must(session->try_play(text), text);
    const auto effects = session->notation().effects(before, turn);
    const auto phrases = effect_phrases(session->notation(), before, effects);
    ASSERT_EQ(phrases.size(), effects.size());
    for (const Phrase& told : phrases) expect_translated(told);
    for (const Effect& effect : effects) kinds.insert(effect.kind);
  }
}

/// White can only pass here.
constexpr const char* pass_position = "-------------OXXXX--XX-----X------X- O";

TEST(Telling, tells_every_kind_of_effect) {
  std::set<EffectKind> kinds;
  for (const auto& path : paika_tests::files_in(PAIKA_SOURCE_DIR "/tests/golden", ".txt")) {
    tell_script(paika_tests::read_script(paika_tests::read_whole(path)), kinds);
  }
  tell_script({"a pass", "othello:6x6", pass_position, {"pass"}}, kinds);
  for (int kind = 0; kind <= static_cast<int>(EffectKind::passed); ++kind) {
    EXPECT_TRUE(kinds.contains(static_cast<EffectKind>(kind))) << name(static_cast<EffectKind>(kind));
  }
}

/// The sentences of a turn's effects.
std::vector<std::string> told(std::string_view spec, std::string_view position, std::string_view text,
                              const std::string& language) {
  const auto session = session_at(spec, position);
  const Board before = session->board();
  const Turn turn = must(session->try_play(text), text);
  return effect_sentences(session->notation(), before, session->notation().effects(before, turn),
                          must(catalogue_of(language), language));
}

using Sentences = std::vector<std::string>;

TEST(Telling, reads_as_sentences_with_their_clauses) {
  EXPECT_EQ(told("othello:6x6", pass_position, "pass", "fr"), (Sentences{"Blanc passe son tour (2.2)"}));
  EXPECT_EQ(told("othello", "start", "d3", "en"),
            (Sentences{"Black plays on d3 (2.1)", "White's pawn on d4 now belongs to Black (2.1)"}));
  EXPECT_EQ(
      told("fanorona:3x3", "start", "a1b2A", "fr"),
      (Sentences{"le pion de Blanc en a1 va en b2 (2.1)", "le pion de Blanc en b2 prend le pion de Noir en c3 (2.1)"}));
  EXPECT_EQ(told("fanorona:3x3", "start", "Sa1", "mg"),
            (Sentences{"ny vaton'i Fotsy eo amin'ny a1 no atao sorona ka manakana ny laka misy azy (2.5)"}));
}

TEST(Refusals, are_said_in_the_language_asked_for) {
  const auto said = [](std::string_view spec, std::string_view text, const std::string& language) {
    const auto session = session_at(spec);
    const auto turn = session->read_turn(text);
    return turn ? "" : refusal_sentence(session->notation(), turn.error(), must(catalogue_of(language), language));
  };
  EXPECT_EQ(said("othello", "d4", "fr"), "un pion blanc occupe d4 (docs/rules/othello.md 2.1)");
  EXPECT_EQ(
      said("abalone", "a1b2c3", "fr"),
      "\"c3\" suit le coup, qui n'a que la case de la bille choisie et celle où elle va (docs/rules/abalone.md 2.5)");
  EXPECT_EQ(said("wildebeest", "a0a3", "fr"),
            "entre a0 et a3, le chemin est barré par le Gorille de Blanc en a1 (docs/rules/wildebeest.md 2)");
  EXPECT_EQ(said("fanorona", "a5a4", "mg"),
            "an'i Mainty ny vato eo amin'ny a5, nefa anjaran'i Fotsy ny milalao (docs/rules/fanorona.md 2.1)");
}

}  // namespace
}  // namespace paika
