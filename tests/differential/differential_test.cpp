// The second proof of the rules: the fast implementations against the slow references, turn by turn.
//
// For each configuration random games are played; at every position both sides list all legal turns
// with the positions after them as text, and their outcomes. Everything must be equal.
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "tests/reference/specs.hpp"
#include "tests/support/game.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

using paika_reference::ReferenceGame;
using paika_reference::Successor;
using paika_tests::must;

struct Configuration {
  std::string spec;
  int positions;  // how many to compare in the fast suite
};

std::vector<Successor> sorted_turns(const Session& session) {
  std::vector<Successor> turns;
  session.for_each_turn([&](const ListedTurn& turn) {
    turns.push_back({turn.text, turn.position_after});
    return true;
  });
  std::sort(turns.begin(), turns.end());
  return turns;
}

/// How many times the fast suite's work to do: PAIKA_DIFFERENTIAL_FACTOR in the environment.
int factor() {
  const char* text = std::getenv("PAIKA_DIFFERENTIAL_FACTOR");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

/// Compares one position; returns the fast side's turns for choosing the next.
std::vector<Successor> compare(const Session& session, const ReferenceGame& reference) {
  const std::string position = session.position_text();
  auto expected = reference.successors(position);
  std::sort(expected.begin(), expected.end());
  auto turns = sorted_turns(session);
  EXPECT_EQ(paika_tests::outcome_words(session.outcome()), reference.outcome(position))
      << session.notation().spec() << " " << position;
  if (turns != expected) {
    std::vector<Successor> missing;
    std::vector<Successor> extra;
    std::set_difference(expected.begin(), expected.end(), turns.begin(), turns.end(), std::back_inserter(missing));
    std::set_difference(turns.begin(), turns.end(), expected.begin(), expected.end(), std::back_inserter(extra));
    ADD_FAILURE() << session.notation().spec() << " at " << position << ": " << missing.size() << " missing, "
                  << extra.size() << " extra; first missing "
                  << (missing.empty() ? "-" : missing[0].turn + " => " + missing[0].position) << ", first extra "
                  << (extra.empty() ? "-" : extra[0].turn + " => " + extra[0].position);
  }
  return turns;
}

/// The position after a random turn. One that does not end the game is preferred: random play would
/// end some games within a few turns and never see what comes later.
std::string random_next(Random& random, const Game& game, const std::vector<Successor>& turns) {
  constexpr int tries = 8;
  const auto is_over = [&](const std::string& p) { return must(game.start_from_text(p), p)->outcome().over(); };
  std::string next = turns[random.index(turns.size())].position;
  for (int i = 0; i < tries && is_over(next); ++i) {
    next = turns[random.index(turns.size())].position;
  }
  return next;
}

class Differential : public testing::TestWithParam<Configuration> {};

TEST_P(Differential, lists_the_same_turns_as_the_reference) {
  const Configuration& config = GetParam();
  const GamePtr game = paika_tests::must_open(config.spec);
  const auto reference = paika_reference::make_game(config.spec);
  ASSERT_EQ(game->start()->position_text(), reference->initial());
  Random random(20260101);
  constexpr int max_plies = 400;
  int compared = 0;
  const int wanted = config.positions * factor();
  while (compared < wanted && !HasFailure()) {
    // Repetition is the history's business, not the reference's: each position is opened anew.
    std::string position = reference->initial();
    for (int ply = 0; ply < max_plies && compared < wanted; ++ply) {
      const auto session = must(game->start_from_text(position), position);
      const auto turns = compare(*session, *reference);
      ++compared;
      if (turns.empty() || HasFailure()) break;
      position = random_next(random, *game, turns);
    }
  }
  EXPECT_EQ(compared, wanted);
}

std::string by(int a, int b) { return fmt::format("{}x{}", a, b); }

std::vector<Configuration> configurations() {
  std::vector<Configuration> all = {{"fanorona:1x1", 1},
                                    {"fanorona:1x1,classic", 1},
                                    {"fanorona:5x5,sacrifice=off,limit=7", 200},
                                    {"fanorona:9x5,limit=3", 80},
                                    {"fanorona:9x5,limit=0", 600}};
  const std::vector<std::pair<int, int>> fanorona_sizes = {{3, 1},  {1, 3},  {5, 1},  {1, 7},  {3, 3},  {5, 3},  {3, 5},
                                                           {5, 5},  {7, 3},  {9, 5},  {3, 9},  {7, 7},  {5, 9},  {9, 9},
                                                           {1, 13}, {13, 1}, {13, 5}, {5, 13}, {11, 7}, {13, 13}};
  for (const auto& [cols, rows] : fanorona_sizes) {
    for (const char* options : {"", ",classic"}) all.push_back({"fanorona:" + by(cols, rows) + options, 240});
  }
  const std::vector<std::pair<int, int>> abalone_sizes = {{3, 3},   {4, 4},  {5, 5},  {4, 5}, {5, 4},  {3, 7},
                                                          {7, 3},   {6, 6},  {8, 8},  {9, 7}, {12, 5}, {5, 26},
                                                          {26, 26}, {99, 3}, {3, 26}, {30, 8}};
  for (const auto& [rows, cols] : abalone_sizes) {
    for (const char* options : {"", ",captures=3,freeze", ",captures=1,misere,freeze=initiator,must"}) {
      all.push_back({"abalone:" + by(rows, cols) + options, rows * cols > 200 ? 40 : 600});
    }
  }
  for (const char* options : {"4x4,misere", "5x5,must", "4x4,freeze,must", "4x4,freeze=initiator"}) {
    all.push_back({std::string("abalone:") + options, 300});
  }
  all.push_back({"abalone:99x26", 6});
  for (int size = 6; size <= 26; size += 2) all.push_back({"othello:" + by(size, size), size > 12 ? 200 : 600});
  for (const char* options : {"", ":pads=cycle", ":swarm=forbid", ":pads=cycle,swarm=forbid", ":poison=once",
                              ":serpent=survives", ":pads=cycle,swarm=forbid,poison=once,serpent=survives"}) {
    all.push_back({std::string("wildebeest") + options, 4000});
  }
  return all;
}

std::string test_name(const testing::TestParamInfo<Configuration>& info) {
  std::string out = std::to_string(info.index) + "_";
  for (const char c : info.param.spec) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, Differential, testing::ValuesIn(configurations()), test_name);

}  // namespace
}  // namespace paika
