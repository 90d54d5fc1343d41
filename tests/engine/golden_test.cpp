// Golden games: readable records of whole games in tests/golden. Each file names a spec and its
// turns; everything else in it (boards, effects, outcomes) must come out again to the letter.
//
// After a wanted change of the format, PAIKA_UPDATE_GOLDEN=1 rewrites the files: read the diff.
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

#include "engine/diagram.hpp"
#include "tests/support/files.hpp"
#include "tests/support/golden_script.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

std::string board_block(const Session& session) {
  return fmt::format("{}position: {}\n", diagram(session.notation(), session.board()), session.position_text());
}

std::string render(const paika_tests::Script& script) {
  const auto session = paika_tests::session_at(script.spec, script.position);
  std::string out = fmt::format("about: {}\nspec: {}\n", script.about, script.spec);
  if (script.position != "start") out += fmt::format("from: {}\n", script.position);
  out += "\n" + board_block(*session);
  const Notation& notation = session->notation();
  for (std::size_t i = 0; i < script.turns.size(); ++i) {
    const Board before = session->board();
    const Turn turn = paika_tests::must(session->try_play(script.turns[i]), script.turns[i]);
    out += fmt::format("\nturn {}, {}: {}\n", i + 1, notation.player_name(before.to_move),
                       notation.turn_text(before, turn));
    for (const Effect& effect : notation.effects(before, turn))
      out += fmt::format("  {}\n", effect_line(notation, effect));
    out += board_block(*session);
  }
  const Outcome outcome = session->outcome();
  if (!outcome.over()) return out + fmt::format("\nnot over: {} legal moves\n", session->count_turns());
  const Ending ending = notation.ending(session->board(), outcome);
  return out + fmt::format("\nover: {} ({})\n", ending.sentence.english(), ending.clause);
}

class Golden : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Golden, comes_out_again_to_the_letter) {
  const std::string text = paika_tests::read_whole(GetParam());
  const std::string rendered = render(paika_tests::read_script(text));
  if (std::getenv("PAIKA_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(GetParam(), std::ios::binary) << rendered;
    return;
  }
  EXPECT_EQ(text, rendered);
}

INSTANTIATE_TEST_SUITE_P(Games, Golden,
                         testing::ValuesIn(paika_tests::files_in(PAIKA_SOURCE_DIR "/tests/golden", ".txt")),
                         [](const auto& test) { return test.param.stem().string(); });

}  // namespace
}  // namespace paika
