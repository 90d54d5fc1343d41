// The engine with a table plays perfectly, and what people read off tables is right.
#include <filesystem>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "engine/registry.hpp"
#include "engine/solver.hpp"
#include "engine/tables.hpp"

namespace paika {
namespace {

/// A folder with the table of the default Abalone, made once.
class PerfectPlay : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new std::string(
        (std::filesystem::path(testing::TempDir()) / fmt::format("paika-perfect-{}", ::getpid())).string());
    std::filesystem::create_directories(*folder_);
    const auto solver = *open_solver("abalone");
    const auto done = solver->solve({.table = table_path(*folder_, solver->label()), .threads = 2});
    ASSERT_TRUE(done) << done.error().message;
  }
  static void TearDownTestSuite() {
    std::filesystem::remove_all(*folder_);
    delete folder_;
  }
  static std::string* folder_;
};

std::string* PerfectPlay::folder_ = nullptr;

/// A position after some random turns; nothing if the game ended on the way.
std::unique_ptr<Session> random_position(const Game& game, Random& random) {
  auto session = game.start();
  const std::size_t turns = random.index(40);
  for (std::size_t i = 0; i < turns; ++i) {
    std::vector<Turn> legal;
    session->for_each_turn([&](const ListedTurn& turn) {
      legal.push_back(turn.steps);
      return true;
    });
    if (legal.empty()) return nullptr;
    session->play(legal[random.index(legal.size())]);
  }
  return session->outcome().over() ? nullptr : std::move(session);
}

TEST_F(PerfectPlay, KeepsValueAndDistanceFromAThousandPositions) {
  const auto game = *open_game("abalone");
  SearchSettings settings;
  settings.hash_mb = 1;
  settings.tables = *folder_;
  const auto engine = game->engine(settings);
  auto book = *TableBook::open("abalone", *folder_);
  ASSERT_NE(book, nullptr);
  SearchLimits limits;
  limits.nodes = 50;
  Random random(11);
  int wins = 0;
  int losses = 0;
  for (int seen = 0; seen < 1000;) {
    const auto session = random_position(*game, random);
    if (!session) continue;
    ++seen;
    const Value here = **book->value(*session);
    wins += here.is_win() ? 1 : 0;
    losses += here.is_loss() ? 1 : 0;
    const Decision decision = engine->think(*session, limits);
    EXPECT_EQ(decision.table, book->path());
    const auto after = game->start_from(session->board());
    after->play(decision.turn);
    ASSERT_EQ(before(**book->value(*after)), here) << session->position_text() << " " << decision.text;
  }
  EXPECT_GT(wins, 100);
  EXPECT_GT(losses, 100);
}

TEST_F(PerfectPlay, WinsInAsManyTurnsAsItSaid) {
  const auto game = *open_game("abalone");
  SearchSettings settings;
  settings.hash_mb = 1;
  settings.tables = *folder_;
  const auto engine = game->engine(settings);
  const auto session = game->start();
  SearchLimits limits;
  limits.nodes = 50;
  int turns = 0;
  for (; !session->outcome().over(); ++turns) session->play(engine->think(*session, limits).turn);
  EXPECT_EQ(turns, 23);
  EXPECT_TRUE(session->outcome().won_by(Player::first));
}

TEST_F(PerfectPlay, LevelsBelowTheFullOneSearch) {
  const auto game = *open_game("abalone");
  SearchSettings settings;
  settings.hash_mb = 1;
  settings.level = 3;
  settings.tables = *folder_;
  SearchLimits limits;
  limits.nodes = 50;
  EXPECT_TRUE(game->engine(settings)->think(*game->start(), limits).table.empty());
  settings.level = full_level;
  settings.tables = *folder_ + "/none";
  EXPECT_TRUE(game->engine(settings)->think(*game->start(), limits).table.empty());
}

TEST_F(PerfectPlay, EqualForBothColoursMeansTheSameWithTheOtherToMove) {
  const auto game = *open_game("abalone");
  auto book = *TableBook::open("abalone", *folder_);
  Random random(3);
  int equal = 0;
  int decided = 0;
  for (int seen = 0; seen < 500;) {
    const auto session = random_position(*game, random);
    if (!session) continue;
    ++seen;
    Board swapped = session->board();
    swapped.to_move = other(swapped.to_move);
    const auto theirs = game->start_from(swapped);
    if (theirs->outcome().over()) continue;
    const Value mine = **book->value(*session);
    const bool same = mine == **book->value(*theirs);
    const auto found = value_for_either(*book, *session);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->has_value(), same) << session->position_text();
    if (!same) continue;
    EXPECT_EQ(**found, mine);
    ++equal;
    decided += mine.is_draw() ? 0 : 1;
  }
  EXPECT_GT(equal, 0);
  EXPECT_GT(decided, 0) << "a position need not be drawn for that";
  EXPECT_LT(equal, 250);
}

}  // namespace
}  // namespace paika
