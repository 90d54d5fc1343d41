// The second proof of the rules: the fast implementations against the slow references, turn by turn.
//
// For each configuration random games are played; at every position both sides list all legal turns
// with the positions after them as text, and their outcomes. Everything must be equal.
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "engine/registry.hpp"
#include "tests/reference/reference.hpp"

namespace paika {
namespace {

using paika_reference::ReferenceGame;
using paika_reference::Successor;

struct Configuration {
  std::string spec;
  std::shared_ptr<const ReferenceGame> reference;
  int positions;  // how many to compare, at least, in the fast suite
};

std::string outcome_words(const Outcome& outcome) {
  if (!outcome.over()) return "ongoing";
  return std::string(name(outcome.verdict)) + " " + std::string(name(outcome.reason));
}

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
  EXPECT_EQ(outcome_words(session.outcome()), reference.outcome(position)) << session.face().spec() << " " << position;
  if (turns != expected) {
    std::vector<Successor> missing;
    std::vector<Successor> extra;
    std::set_difference(expected.begin(), expected.end(), turns.begin(), turns.end(), std::back_inserter(missing));
    std::set_difference(turns.begin(), turns.end(), expected.begin(), expected.end(), std::back_inserter(extra));
    ADD_FAILURE() << session.face().spec() << " at " << position << ": " << missing.size() << " missing, "
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
  std::string next = turns[random.index(turns.size())].position;
  for (int i = 0; i < tries && (*game.start_from_text(next))->outcome().over(); ++i) {
    next = turns[random.index(turns.size())].position;
  }
  return next;
}

class Differential : public testing::TestWithParam<Configuration> {};

TEST_P(Differential, lists_the_same_turns_as_the_reference) {
  const Configuration& config = GetParam();
  const auto game = open_game(config.spec);
  ASSERT_TRUE(game) << game.error().message;
  ASSERT_EQ((*game)->start()->position_text(), config.reference->initial());
  Random random(20260101);
  constexpr int most_plies = 400;
  constexpr int most_games = 100;
  int compared = 0;
  const int wanted = config.positions * factor();
  for (int round = 0; round < most_games * factor() && compared < wanted && !HasFailure(); ++round) {
    // Repetition is the history's business, not the reference's: each position is opened anew.
    std::string position = config.reference->initial();
    for (int ply = 0; ply < most_plies && compared < wanted; ++ply) {
      auto session = (*game)->start_from_text(position);
      ASSERT_TRUE(session) << config.spec << " " << position << ": " << session.error().message;
      const auto turns = compare(**session, *config.reference);
      ++compared;
      if (turns.empty() || HasFailure()) break;
      position = random_next(random, **game, turns);
    }
  }
}

std::vector<Configuration> configurations() {
  using namespace paika_reference;
  std::vector<Configuration> all;
  const auto fanorona = [&](const std::string& options, FanoronaOptions reference, int positions) {
    all.push_back({"fanorona:" + options, make_fanorona(reference), positions});
  };
  const std::vector<std::pair<int, int>> fanorona_sizes = {
      {1, 1}, {3, 1}, {1, 3}, {5, 1}, {1, 7},  {3, 3},  {5, 3},  {3, 5},  {5, 5},  {7, 3},  {9, 5},
      {3, 9}, {7, 7}, {5, 9}, {9, 9}, {1, 13}, {13, 1}, {13, 5}, {5, 13}, {11, 7}, {13, 13}};
  for (const auto& [cols, rows] : fanorona_sizes) {
    const std::string size = std::to_string(cols) + "x" + std::to_string(rows);
    fanorona(size, {cols, rows, true, -1}, 120);
    fanorona(size + ",classic", {cols, rows, false, 0}, 120);
  }
  fanorona("5x5,sacrifice=off,limit=7", {5, 5, false, 7}, 100);
  fanorona("9x5,limit=3", {9, 5, true, 3}, 40);
  fanorona("9x5,limit=0", {9, 5, true, 0}, 300);

  using Freeze = AbaloneOptions::Freeze;
  const std::vector<std::pair<int, int>> abalone_sizes = {{3, 3},   {4, 4},  {5, 5},  {4, 5}, {5, 4},  {3, 7},
                                                          {7, 3},   {6, 6},  {8, 8},  {9, 7}, {12, 5}, {5, 26},
                                                          {26, 26}, {99, 3}, {3, 26}, {30, 8}};
  for (const auto& [rows, cols] : abalone_sizes) {
    const std::string size = "abalone:" + std::to_string(rows) + "x" + std::to_string(cols);
    const int positions = rows * cols > 200 ? 20 : 300;
    all.push_back({size, make_abalone({rows, cols, 2, false, Freeze::off, false}), positions});
    all.push_back(
        {size + ",captures=3,freeze", make_abalone({rows, cols, 3, false, Freeze::strict, false}), positions});
    all.push_back({size + ",captures=1,misere,freeze=initiator,must",
                   make_abalone({rows, cols, 1, true, Freeze::initiator, true}), positions});
  }
  all.push_back({"abalone:4x4,misere", make_abalone({4, 4, 2, true, Freeze::off, false}), 150});
  all.push_back({"abalone:5x5,must", make_abalone({5, 5, 2, false, Freeze::off, true}), 150});
  all.push_back({"abalone:4x4,freeze,must", make_abalone({4, 4, 2, false, Freeze::strict, true}), 150});
  all.push_back({"abalone:4x4,freeze=initiator", make_abalone({4, 4, 2, false, Freeze::initiator, false}), 150});
  all.push_back({"abalone:99x26", make_abalone({99, 26, 2, false, Freeze::off, false}), 3});

  for (const int size : {6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26}) {
    const std::string text = std::to_string(size);
    all.push_back({"othello:" + text + "x" + text, make_othello({size}), size > 12 ? 100 : 300});
  }
  for (const bool cycle : {false, true}) {
    for (const bool forbid : {false, true}) {
      const std::string spec =
          std::string("wildebeest:pads=") + (cycle ? "cycle" : "diagonal") + ",swarm=" + (forbid ? "forbid" : "enter");
      all.push_back({spec, make_wildebeest({cycle, forbid}), 2000});
    }
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
