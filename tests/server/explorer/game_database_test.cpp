// Databases of games: what is added is found again in every orientation, once, and counted for the right player.
#include "server/explorer/game_database.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>
#include <unistd.h>

#include "base/random.hpp"
#include "engine/canonical_keys.hpp"
#include "engine/registry.hpp"
#include "server/explorer/postings.hpp"
#include "study/formats.hpp"
#include "study/self_play.hpp"

namespace paika::server {
namespace {

namespace fs = std::filesystem;

class GameDatabaseTest : public testing::Test {
 protected:
  GameDatabaseTest() {
    folder_ = fs::temp_directory_path() / ("paika-games-" + std::to_string(::getpid()) + "-" +
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~GameDatabaseTest() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return (folder_ / "games.db").string(); }
  [[nodiscard]] std::unique_ptr<GameDatabase> open(GameDatabase::Mode mode = GameDatabase::Mode::writer) const {
    auto database = GameDatabase::open(path(), mode);
    EXPECT_TRUE(database.has_value()) << database.error().message;
    return std::move(*database);
  }

 private:
  fs::path folder_;
};

std::vector<NewGame> games_of(std::string_view text, const study::ReadRequest& request = {}) {
  std::vector<NewGame> games;
  const auto trees = study::read_games(text, request);
  EXPECT_TRUE(trees.has_value()) << trees.error().message;
  for (const study::GameTree& tree : *trees) games.push_back(new_game(tree, "test"));
  return games;
}

std::unique_ptr<Session> after(std::string_view spec, std::initializer_list<std::string_view> moves) {
  auto session = (*open_game(spec))->start();
  for (const std::string_view move : moves) EXPECT_TRUE(session->try_play(move).has_value()) << move;
  return session;
}

const ExploredMove* find_move(const Exploration& found, std::string_view move) {
  for (const ExploredMove& m : found.moves) {
    if (m.move == move || std::find(m.same.begin(), m.same.end(), move) != m.same.end()) return &m;
  }
  return nullptr;
}

TEST_F(GameDatabaseTest, finds_moves_in_every_orientation) {
  const auto database = open();
  // The same game in the four orientations that the start of Othello has.
  database->add(games_of("f5d6\nd3c5\nc4e3\ne6f4\n"));
  const Exploration start = database->explore(*after("othello", {}));
  EXPECT_EQ(start.results.games(), 4U);
  ASSERT_EQ(start.moves.size(), 1U);
  EXPECT_EQ(start.moves[0].same.size(), 3U);
  for (const std::string_view first : {"f5", "d3", "c4", "e6"}) {
    const Exploration found = database->explore(*after("othello", {first}));
    ASSERT_EQ(found.moves.size(), 1U) << first;
    EXPECT_EQ(found.moves[0].results.games(), 4U);
  }
  EXPECT_NE(find_move(database->explore(*after("othello", {"f5"})), "d6"), nullptr);
  EXPECT_NE(find_move(database->explore(*after("othello", {"c4"})), "e3"), nullptr);
  const Exploration end = database->explore(*after("othello", {"f5", "d6"}));
  ASSERT_EQ(end.moves.size(), 1U);
  EXPECT_EQ(end.moves[0].move, "");
  EXPECT_EQ(end.results.unfinished, 4U);
  EXPECT_EQ(database->explore(*after("othello", {"f5", "f6"})).results.games(), 0U);
  EXPECT_EQ(database->explore(*after("othello:6x6", {})).results.games(), 0U);
}

constexpr std::string_view two_games =
    "[Game \"othello\"]\n[First \"Ann\"]\n[Second \"Bob\"]\n[Result \"1-0\"]\n[Date \"2026-03-01\"]\n"
    "[FirstRating \"1600\"]\n[SecondRating \"1500\"]\n\n1. f5 d6 1-0\n\n"
    "[Game \"othello\"]\n[First \"Bob\"]\n[Second \"Ann\"]\n[Result \"0-1\"]\n[Date \"2025.12.31\"]\n"
    "[FirstRating \"1400\"]\n\n1. f5 f6 0-1\n";

TEST_F(GameDatabaseTest, counts_results_ratings_and_days) {
  const auto database = open();
  database->add(games_of(two_games));
  const Exploration found = database->explore(*after("othello", {}));
  ASSERT_EQ(found.moves.size(), 1U);
  EXPECT_EQ(found.moves[0].results, (ResultCounts{1, 0, 1, 0}));
  EXPECT_EQ(found.moves[0].rating, 1500);
  EXPECT_EQ(day_text(found.moves[0].last), "2026-03-01");
  ASSERT_EQ(found.recent.size(), 2U);
  EXPECT_EQ(found.recent[0].players[0], "Ann");
  EXPECT_EQ(found.recent[1].verdict, Verdict::second_wins);
}

TEST_F(GameDatabaseTest, filters_by_player_colour_and_day) {
  const auto database = open();
  database->add(games_of(two_games));
  const auto start = after("othello", {});
  const auto games = [&](const GameFilter& filter) { return database->explore(*start, filter).results.games(); };
  EXPECT_EQ(games({.player = "ann"}), 2U);
  EXPECT_EQ(games({.player = "Ann", .colour = Player::first}), 1U);
  EXPECT_EQ(games({.player = "Ann", .colour = Player::second}), 1U);
  EXPECT_EQ(games({.player = "Carol"}), 0U);
  EXPECT_EQ(games({.since = *read_day("2026")}), 1U);
  EXPECT_EQ(games({.until = *read_day("2025-12-31")}), 1U);
  EXPECT_EQ(games({.until = *read_day("2025-12-30")}), 0U);
}

TEST_F(GameDatabaseTest, keeps_unlisted_games_from_others) {
  const auto database = open();
  auto games = games_of(two_games);
  games[0].listed = false;
  database->add(games);
  const auto start = after("othello", {});
  EXPECT_EQ(database->explore(*start, {.listed_only = true}).results.games(), 1U);
  EXPECT_EQ(database->explore(*start).results.games(), 2U);
}

TEST_F(GameDatabaseTest, adds_a_game_once) {
  const auto database = open();
  const auto games = games_of(two_games);
  EXPECT_EQ(database->add(games).added, 2U);
  const AddCounts again = database->add(games, "a place");
  EXPECT_EQ(again.added, 0U);
  EXPECT_EQ(again.known, 2U);
  EXPECT_EQ(database->explore(*after("othello", {})).results.games(), 2U);
  EXPECT_EQ(database->mark(), "a place");
  EXPECT_EQ(database->stats().games, 2U);
}

/// Where a symmetry exchanges the players, the results are counted for the other side: the start of Abalone with the
/// second player to move is the start of the game with the colours exchanged.
TEST_F(GameDatabaseTest, counts_for_the_side_to_move_where_colours_are_exchanged) {
  const auto database = open();
  const auto game = *open_game("abalone:5x5");
  const auto symmetries = game->notation().symmetries();
  const auto swaps = std::find_if(symmetries.begin(), symmetries.end(), [](Symmetry s) { return s.swap_players; });
  ASSERT_NE(swaps, symmetries.end());
  Random random(1);
  auto tree = study::self_play(game, nullptr, random, {.random_plies = 0, .max_turns = 20}, {});
  NewGame added = new_game(*tree, "test");
  added.verdict = Verdict::first_wins;
  added.ratings = {1700, 1200};
  database->add(std::vector{added});
  const auto start = game->start();
  EXPECT_EQ(database->explore(*start).results, (ResultCounts{1, 0, 0, 0}));
  EXPECT_EQ(database->explore(*start).moves.at(0).rating, 1700);
  const auto turned = game->start_from(transformed(start->board(), *swaps));
  EXPECT_EQ(database->explore(*turned).results, (ResultCounts{0, 0, 1, 0}));
  EXPECT_EQ(database->explore(*turned).moves.at(0).rating, 1700);
}

TEST(CanonicalKeysTest, are_the_same_for_all_symmetric_positions) {
  for (const std::string_view spec : {"othello:6x6", "fanorona:5x5", "abalone:5x5", "wildebeest"}) {
    const auto game = *open_game(spec);
    CanonicalKeys keys(game->notation());
    Random random(7);
    for (int i = 0; i < 3; ++i) {
      const auto tree = study::self_play(game, nullptr, random, {.random_plies = 0, .max_turns = 30}, {});
      const auto session = tree->session();
      for (const std::size_t node : tree->main_line()) {
        const Board board = session->board();
        for (const Symmetry symmetry : game->notation().symmetries())
          ASSERT_EQ(keys.key(transformed(board, symmetry)), keys.key(board)) << spec;
        session->play(tree->node(node).turn);
        ASSERT_NE(keys.key(session->board()), keys.key(board)) << spec;
      }
    }
  }
}

/// Every position of many games of all kinds, through several segments and merges, against counting by hand.
TEST_F(GameDatabaseTest, agrees_with_counting_by_hand) {
  for (const std::string_view spec : {"othello:6x6", "fanorona:3x3", "abalone:4x4", "wildebeest"}) {
    fs::remove(path());
    const auto database = open();
    const auto game = *open_game(spec);
    CanonicalKeys keys(game->notation());
    Random random(3);
    // What was played at a position: game, side to move, next position. A game that comes to a position again with the
    // colours exchanged counts for both sides.
    std::map<std::uint64_t, std::set<std::tuple<int, Player, std::uint64_t>>> by_hand;
    std::vector<std::unique_ptr<Session>> places;
    for (int number = 0; number < 70; ++number) {
      auto tree = study::self_play(game, nullptr, random, {.random_plies = 0, .max_turns = 40}, {});
      tree->set_player(0, std::to_string(number));
      const auto session = tree->session();
      std::uint64_t key = keys.key(session->board());
      for (const std::size_t node : tree->main_line()) {
        if (number % 10 == 0) places.push_back(session->clone());
        const Player side = session->board().to_move;
        session->play(tree->node(node).turn);
        const std::uint64_t next = keys.key(session->board());
        by_hand[key].emplace(number, side, next);
        key = next;
      }
      by_hand[key].emplace(number, session->board().to_move, 0);
      EXPECT_EQ(database->add(std::vector{new_game(*tree, "self-play")}).added, 1U);
    }
    for (const auto& place : places) {
      EXPECT_EQ(database->explore(*place).results.games(), by_hand[keys.key(place->board())].size()) << spec;
    }
  }
}

TEST_F(GameDatabaseTest, refuses_what_is_no_database_of_games) {
  const auto refusal = [&](GameDatabase::Mode mode) {
    const auto opened = GameDatabase::open(path(), mode);
    return opened ? std::string() : opened.error().message;
  };
  EXPECT_NE(refusal(GameDatabase::Mode::reader).find("there is no file"), std::string::npos);
  std::ofstream(path()) << "not a database, but a text that is long enough to be taken for one";
  EXPECT_NE(refusal(GameDatabase::Mode::reader), "");
  EXPECT_NE(refusal(GameDatabase::Mode::writer), "");
}

TEST_F(GameDatabaseTest, reader_sees_what_a_writer_adds) {
  const auto writer = open();
  writer->add(games_of("f5d6\n"));
  const auto reader = open(GameDatabase::Mode::reader);
  EXPECT_EQ(reader->explore(*after("othello", {})).results.games(), 1U);
  writer->add(games_of("f5f6\nf5f4\n"));
  EXPECT_EQ(reader->explore(*after("othello", {})).results.games(), 3U);
}

TEST(Postings, blocks_are_read_back_and_damage_is_found) {
  Random random(1);
  std::vector<Posting> postings;
  for (int i = 0; i < 500; ++i) {
    postings.push_back({random.below(50), static_cast<std::uint32_t>(random.below(4)),
                        static_cast<std::uint32_t>(random.below(1'000'000))});
  }
  std::sort(postings.begin(), postings.end());
  postings.erase(std::unique(postings.begin(), postings.end()), postings.end());
  const std::string bytes = block_bytes(postings);
  std::vector<Posting> read;
  ASSERT_TRUE(read_block(bytes, [&](const Posting& p) { read.push_back(p); }).has_value());
  EXPECT_EQ(read, postings);
  for (std::size_t cut = 1; cut < bytes.size(); cut += 7) {
    std::size_t seen = 0;
    const bool good = read_block(std::string_view(bytes).substr(0, cut), [&](const Posting&) { ++seen; }).has_value();
    EXPECT_TRUE(!good || seen < postings.size());
  }
}

TEST(Days, are_read_and_written) {
  EXPECT_EQ(day_text(*read_day("2026-11-18")), "2026-11-18");
  EXPECT_EQ(day_text(*read_day("2026.02.??")), "2026-02-01");
  EXPECT_EQ(day_text(*read_day("1999")), "1999-01-01");
  for (const std::string_view bad : {"", "yesterday", "2026-13-01", "2026-02-30", "26-01-01", "2026-1-1-1"})
    EXPECT_FALSE(read_day(bad).has_value()) << bad;
}

}  // namespace
}  // namespace paika::server
