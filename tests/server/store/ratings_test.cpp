// Ratings in the store: counted once, both at a time, never too sure to move.
#include "tests/server/store/fixture.hpp"

namespace paika::server {
namespace {

using paika_tests::row;

class StoreRatings : public paika_tests::StoreTest {
 protected:
  std::array<std::pair<double, double>, 2> game(const RoomId& id, PersonId first, PersonId second, double score) {
    auto played = row(id, RoomState::ended);
    played.persons = {first, second};
    store->add_room(played);
    return store->rate(id, "othello", {first, second}, score);
  }
};

TEST_F(StoreRatings, of_a_new_person_are_those_of_glicko) {
  const PersonId ann = member("ann");
  EXPECT_EQ(store->rating(ann, "othello"), play::Rating{});
  EXPECT_EQ(store->rating(999, "othello"), play::Rating{});
  EXPECT_TRUE(store->ratings(ann).empty());
}

TEST_F(StoreRatings, move_for_both_from_what_both_had_before) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  const auto told = game("a", ann, bob, 1);
  const std::array<play::RatedGame, 1> won = {play::RatedGame{play::Rating{}, 1}};
  const std::array<play::RatedGame, 1> lost = {play::RatedGame{play::Rating{}, 0}};
  EXPECT_EQ(store->rating(ann, "othello"), play::after_games({}, won));
  EXPECT_EQ(store->rating(bob, "othello"), play::after_games({}, lost));
  EXPECT_EQ(told[0], std::pair(1500.0, store->rating(ann, "othello").value));
  EXPECT_EQ(told[1], std::pair(1500.0, store->rating(bob, "othello").value));
  EXPECT_GT(told[0].second, 1500);
  EXPECT_LT(told[1].second, 1500);
  EXPECT_EQ(store->room("a")->ratings[0], told[0]);
  EXPECT_EQ(store->room("a")->ratings[1], told[1]);
  EXPECT_EQ(store->rating(ann, "abalone"), play::Rating{});
}

TEST_F(StoreRatings, count_a_room_once) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  const auto told = game("a", ann, bob, 1);
  const auto rating = store->rating(ann, "othello");
  reopen();
  EXPECT_EQ(store->rate("a", "othello", {ann, bob}, 0), told);
  EXPECT_EQ(store->rate("a", "abalone", {bob, ann}, 1), told);
  EXPECT_EQ(store->rating(ann, "othello"), rating);
  EXPECT_EQ(store->ratings(ann).size(), 1U);
  EXPECT_EQ(store->ratings(ann)[0].games, 1);
  EXPECT_THROW((void)store->rate("none", "othello", {ann, bob}, 1), StoreError);
}

TEST_F(StoreRatings, never_become_too_sure_to_move) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  store->atomically([&] {
    for (int i = 0; i < 300; ++i) (void)game(fmt::format("r{}", i), ann, bob, i % 2 == 0 ? 1 : 0);
  });
  EXPECT_GE(store->rating(ann, "othello").deviation, 45);
  EXPECT_LT(store->rating(ann, "othello").deviation, 110);
  EXPECT_EQ(store->ratings(bob)[0].games, 300);
  const auto told = game("last", ann, bob, 1);
  EXPECT_GT(told[0].second, told[0].first + 2);
}

TEST_F(StoreRatings, the_best_are_those_who_are_known_well) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  const PersonId lucky = member("lucky");
  store->atomically([&] {
    for (int i = 0; i < 60; ++i) (void)game(fmt::format("r{}", i), ann, bob, i % 3 == 0 ? 0 : 1);
  });
  (void)game("once", lucky, bob, 1);
  const auto best = store->best_rated("othello", 9);
  ASSERT_EQ(best.size(), 2U);
  EXPECT_EQ(best[0].first.id, ann);
  EXPECT_EQ(best[0].first.name, "ann");
  EXPECT_TRUE(best[0].first.member);
  EXPECT_EQ(best[0].second.game, "othello");
  EXPECT_EQ(best[0].second.games, 60);
  EXPECT_EQ(best[0].second.rating, store->rating(ann, "othello"));
  EXPECT_EQ(best[1].first.id, bob);
  EXPECT_EQ(store->best_rated("othello", 1).size(), 1U);
  EXPECT_TRUE(store->best_rated("othello", 0).empty());
  EXPECT_TRUE(store->best_rated("abalone", 9).empty());
}

TEST_F(StoreRatings, of_puzzles_count_the_first_try_alone) {
  const PersonId ann = member("ann");
  const play::Rating puzzle{1200, 60, 0.06};
  EXPECT_EQ(store->puzzle_rating(ann, "othello").rating, play::Rating{});
  EXPECT_TRUE(store->rate_puzzle(ann, "othello", "othello-1", puzzle, true));
  const double solved = store->puzzle_rating(ann, "othello").rating.value;
  EXPECT_GT(solved, 1500);
  reopen();
  EXPECT_FALSE(store->rate_puzzle(ann, "othello", "othello-1", puzzle, false));
  EXPECT_EQ(store->puzzle_rating(ann, "othello").rating.value, solved);
  EXPECT_TRUE(store->rate_puzzle(ann, "othello", "othello-2", puzzle, false));
  const PuzzleRating now = store->puzzle_rating(ann, "othello");
  EXPECT_LT(now.rating.value, solved);
  EXPECT_EQ(now.puzzles, 2);
  EXPECT_EQ(now.solved, 1);
  EXPECT_EQ(store->puzzles_tried(ann, "othello"), (std::set<std::string>{"othello-1", "othello-2"}));
  EXPECT_TRUE(store->puzzles_tried(ann, "abalone").empty());
  EXPECT_EQ(store->puzzle_ratings(ann).size(), 1U);
  // Ratings of games are others.
  EXPECT_EQ(store->rating(ann, "othello"), play::Rating{});
}

TEST_F(StoreRatings, of_puzzles_go_with_their_person) {
  const PersonId ann = member("ann");
  EXPECT_TRUE(store->rate_puzzle(ann, "othello", "othello-1", {}, true));
  store->erase_person(ann);
  EXPECT_TRUE(store->puzzle_ratings(ann).empty());
  EXPECT_TRUE(store->puzzles_tried(ann, "othello").empty());
  EXPECT_FALSE(store->rate_puzzle(ann, "othello", "othello-1", {}, true));
  EXPECT_FALSE(store->rate_puzzle(999, "othello", "othello-1", {}, true));
}

}  // namespace
}  // namespace paika::server
