// Lists of openings: what is read, what is refused and where, and matches that begin with them.
#include "play/opening_list.hpp"

#include <gtest/gtest.h>

#include "play/match.hpp"
#include "tests/play/puppets.hpp"
#include "tests/support/session.hpp"

namespace paika::play {
namespace {

using paika_tests::must;
using paika_tests::Puppet;

const std::string one = "--------X-----XX----XO-------------- O";
const std::string two = "-------------XXX----XO-------------- O";

std::string list_error(std::string_view spec, std::string_view text) {
  const auto list = read_opening_list(spec, text);
  return list ? "" : list.error().message;
}

TEST(OpeningList, lines_of_all_kinds) {
  const auto list = must(read_opening_list("othello:6x6", "# two openings\n\n" + one + "\r\nb3\t" + two +
                                                              "\n  # and one more\n\t" + one + "\tdraw\n"),
                         "list");
  EXPECT_EQ(list.starts, (std::vector<std::string>{one, two, one}));
  EXPECT_EQ(list.game->notation().spec(), "othello:6x6");
}

TEST(OpeningList, the_first_position_says_what_the_spec_leaves_open) {
  EXPECT_EQ(must(read_opening_list("othello", one), "list").game->notation().spec(), "othello:6x6");
}

TEST(OpeningList, errors_name_the_line) {
  EXPECT_EQ(list_error("othello:6x6", "# nothing\n\n"), "there is no opening in it: give one position per line");
  EXPECT_TRUE(
      list_error("othello:6x6", "\n" + one + "\nnonsense\n").starts_with("line 3: bad position for othello:6x6: "));
  EXPECT_TRUE(list_error("othello:6x6", one + "\nc2 b2\t\n").starts_with("line 2: there is no position: "));
  const std::string over = "--------------XX----XX-------------- O";
  EXPECT_EQ(list_error("othello:6x6", one + "\n" + over), "line 2: the game is over in \"" + over + "\"");
  EXPECT_TRUE(list_error("chess", one).starts_with("there is no game \"chess\"")) << "no fault of a line";
}

TEST(OpeningList, pairs_of_a_match_take_them_in_turn) {
  MatchPlan plan;
  plan.game = paika_tests::must_open("othello:6x6");
  for (std::size_t i = 0; i < 2; ++i) {
    plan.entries[i].text = i == 0 ? "A" : "B";
    plan.entries[i].limits.depth = 1;
    plan.entries[i].make = [i]() -> Result<std::unique_ptr<GamePlayer>> {
      return std::make_unique<Puppet>(i == 0 ? "A" : "B", Puppet::Choose{});
    };
  }
  plan.pairs = 5;
  plan.starts = {one, two};
  std::vector<GameRecord> records;
  MatchListener listener;
  listener.game_ended = [&](const GameRecord& record) { records.push_back(record); };
  const MatchScore score = must(play_match(plan, listener, {}), "match");
  EXPECT_EQ(score.different_openings, 2U);
  ASSERT_EQ(records.size(), 10U);
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(records[i].start, i / 2 % 2 == 0 ? one : two) << i;
    EXPECT_EQ(records[i].opening, 0);
    EXPECT_EQ(records[i].players[0], i % 2 == 0 ? "A" : "B") << "colours are swapped";
  }
  EXPECT_EQ(records[2].notes, std::vector<std::string>{"game 3 of a match, A moves first, opening 2 of the 2 given"});
  EXPECT_EQ(score.pairs, (PairCounts{0, 0, 5, 0, 0})) << "the same player twice";
}

}  // namespace
}  // namespace paika::play
