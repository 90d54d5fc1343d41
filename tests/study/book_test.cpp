// Growing and verifying opening books.
#include <gtest/gtest.h>
#include <thread>

#include "study/book_growth.hpp"
#include "tests/support/session.hpp"

namespace paika::study {
namespace {

using paika_tests::must;
using paika_tests::must_open;

OpeningBook empty_book(const GamePtr& game) { return {game->notation().spec(), {}}; }

BookGrowth small_growth(std::size_t positions) {
  BookGrowth growth;
  growth.moves = 2;
  growth.nodes = 200;
  growth.max_positions = positions;
  growth.hash_mb = 1;
  return growth;
}

OpeningBook grown(const GamePtr& game, const OpeningBook& book, const BookGrowth& growth) {
  BookGraph graph = must(BookGraph::open(game, book), "open");
  grow_book(game, graph, growth, {}, {});
  return graph.book();
}

TEST(BookGrowth, makes_a_sound_book_for_every_game) {
  for (const std::string_view spec : {"othello:6x6", "abalone:4x4", "fanorona:5x3", "wildebeest"}) {
    const GamePtr game = must_open(spec);
    const OpeningBook book = grown(game, empty_book(game), small_growth(25));
    EXPECT_EQ(book.positions().size(), 25U) << spec;
    BookGraph graph = must(BookGraph::open(game, must(OpeningBook::parse(book.bytes()), spec)), spec);
    EXPECT_EQ(graph.contradiction(), std::nullopt) << spec;
    EXPECT_GE(graph.longest_line(), 2) << spec;
    EXPECT_EQ(graph.book().bytes(), book.bytes()) << spec;
  }
}

TEST(BookGrowth, interrupted_and_resumed_gives_the_same_book) {
  const GamePtr game = must_open("othello");
  const OpeningBook whole = grown(game, empty_book(game), small_growth(40));
  OpeningBook parts = empty_book(game);
  for (const std::size_t size : {1U, 7U, 23U, 40U}) {
    parts = must(OpeningBook::parse(grown(game, parts, small_growth(size)).bytes()), "parse");
    EXPECT_EQ(parts.positions().size(), size);
  }
  EXPECT_EQ(parts.bytes(), whole.bytes());
}

TEST(BookGrowth, stopped_in_the_middle_leaves_a_sound_book) {
  const GamePtr game = must_open("othello");
  BookGraph graph = must(BookGraph::open(game, empty_book(game)), "open");
  BookGrowth growth = small_growth(0);
  growth.threads = 3;
  std::stop_source stop;
  int added = 0;
  grow_book(
      game, graph, growth,
      [&](BookGraph&) {
        if (++added == 20) stop.request_stop();
      },
      stop.get_token());
  EXPECT_GE(added, 20);
  BookGraph again = must(BookGraph::open(game, graph.book()), "open");
  EXPECT_EQ(again.contradiction(), std::nullopt);
  EXPECT_EQ(again.size(), graph.size());
}

TEST(BookGrowth, ends_where_the_game_does) {
  // A game of few positions, which come back too: all of them fit.
  const GamePtr game = must_open("fanorona:3x3,sacrifice=off");
  BookGrowth growth = small_growth(0);
  growth.moves = OpeningBook::max_moves;
  growth.loss_weight = 0;
  growth.time = Milliseconds(60'000);
  BookGraph graph = must(BookGraph::open(game, empty_book(game)), "open");
  grow_book(game, graph, growth, {}, {});
  EXPECT_GT(graph.size(), 10U);
  EXPECT_FALSE(graph.next(growth.moves, 0).has_value()) << "nothing is left to be searched";
  BookGraph again = must(BookGraph::open(game, graph.book()), "open");
  EXPECT_EQ(again.contradiction(), std::nullopt);
}

TEST(BookGrowth, follows_good_moves_further_than_bad_ones) {
  const GamePtr game = must_open("othello");
  BookGrowth broad = small_growth(60);
  BookGrowth narrow = broad;
  broad.loss_weight = 0;
  narrow.loss_weight = 50;
  const auto longest = [&](const BookGrowth& growth) {
    return must(BookGraph::open(game, grown(game, empty_book(game), growth)), "open").longest_line();
  };
  EXPECT_GT(longest(narrow), longest(broad));
}

TEST(BookGraph, unlisted_moves_get_their_turn) {
  const GamePtr game = must_open("othello");
  BookGraph graph = must(BookGraph::open(game, empty_book(game)), "open");
  std::size_t widened = 0;
  for (int i = 0; i < 60; ++i) {
    const std::size_t size = graph.size();
    const auto task = graph.next(1, 2);
    ASSERT_TRUE(task);
    SearchSettings settings;
    settings.threads = 0;
    settings.hash_mb = 1;
    settings.lines = task->lines;
    SearchLimits limits;
    limits.nodes = 200;
    const auto session = game->start_from(task->board);
    graph.add(*task, game->engine(settings)->think(*session, limits).info);
    if (graph.size() == size) ++widened;
  }
  EXPECT_GT(widened, 3U) << "where one move is known, another may be better";
}

TEST(BookGraph, a_new_search_loses_nothing_that_the_book_goes_on_with) {
  const GamePtr game = must_open("othello");
  BookGraph graph = must(BookGraph::open(game, empty_book(game)), "open");
  const auto info = [](const Session& session, std::string_view text, int score) {
    InfoLine line;
    line.score = score;
    line.turns = {must(session.read_turn(text), text)};
    line.texts = {std::string(text)};
    SearchInfo found;
    found.depth = 1;
    found.lines = {line};
    return found;
  };
  bool widened = false;
  for (int i = 0; i < 20 && !widened; ++i) {
    const auto task = graph.next(1, 2);
    ASSERT_TRUE(task);
    const auto session = game->start_from(task->board);
    std::vector<std::string> legal;
    session->for_each_turn([&](const ListedTurn& turn) {
      legal.push_back(turn.text);
      return true;
    });
    widened = task->moves > 1;
    // The search of more moves finds another one alone.
    graph.add(*task, info(*session, widened ? legal.back() : legal.front(), 0));
  }
  ASSERT_TRUE(widened);
  BookGraph again = must(BookGraph::open(game, graph.book()), "every position is still reached");
  EXPECT_EQ(again.contradiction(), std::nullopt);
}

TEST(BookGraph, refuses_what_does_not_follow) {
  const GamePtr game = must_open("othello");
  const OpeningBook book = grown(game, empty_book(game), small_growth(12));
  const auto changed = [&](auto change) {
    std::vector<BookPosition> positions = book.positions();
    const auto deepest = std::max_element(positions.begin(), positions.end(), [](const auto& a, const auto& b) {
      return std::pair(a.ply, a.key) < std::pair(b.ply, b.key);
    });
    change(*deepest);
    return OpeningBook(book.spec(), std::move(positions));
  };
  const auto error = [&](const OpeningBook& wrong) -> std::string {
    auto graph = BookGraph::open(game, wrong);
    return graph ? graph->contradiction().value_or("") : graph.error().message;
  };
  EXPECT_EQ(error(book), "");
  EXPECT_NE(error(changed([](BookPosition& p) { p.moves.front().mark ^= 1U; })).find("not legal"), std::string::npos);
  EXPECT_NE(error(changed([](BookPosition& p) { p.value += 1; })).find("its moves give"), std::string::npos);
  EXPECT_NE(error(changed([](BookPosition& p) { p.ply += 1; })).find("no line of the book has it there"),
            std::string::npos);
  EXPECT_NE(error(changed([](BookPosition& p) { p.key += 1; })).find("leads to 1 of the book's 12 positions"),
            std::string::npos);
}

TEST(BookSample, finds_scores_that_no_search_gives) {
  const GamePtr game = must_open("othello");
  const OpeningBook book = grown(game, empty_book(game), small_growth(12));
  const auto sample = [&](const OpeningBook& sampled) {
    return sample_book(game, must(BookGraph::open(game, sampled), "open"), 100, 1, {});
  };
  const BookSample right = sample(book);
  EXPECT_EQ(right.positions, 12U);
  EXPECT_LT(right.largest, 800);
  std::vector<BookPosition> positions = book.positions();
  positions[5].moves.front().score += 1500;
  const BookSample wrong = sample(OpeningBook(book.spec(), positions));
  EXPECT_GT(wrong.largest, 800);
  EXPECT_FALSE(wrong.where.empty());
}

}  // namespace
}  // namespace paika::study
