// Opening books: their bytes, damage, looking positions up, and engines that play from them.
#include "engine/opening_book.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "base/random.hpp"
#include "engine/book_engine.hpp"
#include "engine/engine.hpp"
#include "tests/support/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

using paika_tests::must;
using paika_tests::must_open;
using paika_tests::TemporaryFolder;

std::uint64_t key_of(const Session& session) { return CanonicalKeys(session.notation()).key(session.board()); }

std::unique_ptr<Session> after(std::string_view spec, const std::vector<std::string>& turns) {
  auto session = must_open(spec)->start();
  for (const std::string& turn : turns) EXPECT_TRUE(session->try_play(turn)) << turn;
  return session;
}

BookMove move_to(const std::vector<std::string>& turns, int score) {
  return {mark_of(key_of(*after("othello", turns))), score};
}

/// The start, with its one move up to symmetry, and the three replies to it: two of them nearly equal, one of which the
/// book goes on with.
OpeningBook small_book() {
  const BookPosition start{key_of(*after("othello", {})), 40, 0, 9, {move_to({"e6"}, 10)}};
  const BookPosition replies{key_of(*after("othello", {"e6"})),
                             -40,
                             1,
                             8,
                             {move_to({"e6", "f6"}, -50), move_to({"e6", "f4"}, -60), move_to({"e6", "d6"}, -400)}};
  const BookPosition third{key_of(*after("othello", {"e6", "f6"})), 40, 2, 7, {move_to({"e6", "f6", "f5"}, 40)}};
  return {"othello:8x8", {third, start, replies}};
}

TEST(BookScores, fit_16_bits_and_keep_their_order) {
  std::vector<int> scores = {loss_in(1), loss_in(2), loss_in(900), -20'000,     -1,       0,
                             1,          6400,       30'000,       win_in(900), win_in(3)};
  for (const int score : scores) EXPECT_EQ(bookable(score), score);
  EXPECT_TRUE(is_win(bookable(win_in(9'000))) && bookable(win_in(9'000)) < win_in(900)) << "distant wins are cut";
  EXPECT_TRUE(is_win(bookable(table_win_score)) && is_loss(bookable(-table_win_score)));
  EXPECT_EQ(bookable(400'000), 30'000);
  EXPECT_EQ(score_before(25), -25);
  EXPECT_EQ(score_before(win_in(3)), loss_in(4));
  EXPECT_EQ(score_before(loss_in(3)), win_in(4));
}

TEST(OpeningBook, its_bytes_give_it_back) {
  const OpeningBook book = small_book();
  const auto bytes = book.bytes();
  const OpeningBook read = must(OpeningBook::parse(bytes), "parse");
  EXPECT_EQ(read.spec(), "othello:8x8");
  EXPECT_EQ(read.positions(), book.positions());
  EXPECT_EQ(read.bytes(), bytes);
  EXPECT_TRUE(must(OpeningBook::parse(OpeningBook("abalone:4x4", {}).bytes()), "an empty one").positions().empty());
}

TEST(OpeningBook, any_damage_is_noticed) {
  const auto bytes = small_book().bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto damaged = bytes;
    damaged[i] ^= static_cast<std::uint8_t>(1U << (i % 8));
    EXPECT_FALSE(OpeningBook::parse(damaged)) << i;
    EXPECT_FALSE(OpeningBook::parse(Bytes(bytes).first(i))) << i;
  }
  auto longer = bytes;
  longer.push_back(0);
  EXPECT_FALSE(OpeningBook::parse(longer));
}

TEST(OpeningBook, errors_say_what_is_wrong) {
  const auto error = [](auto change) {
    auto bytes = small_book().bytes();
    change(bytes);
    put_little_endian(bytes.data() + bytes.size() - 8, checksum64(Bytes(bytes).first(bytes.size() - 8)));
    const auto parsed = OpeningBook::parse(bytes);
    return parsed ? "" : parsed.error().message;
  };
  EXPECT_EQ(error([](auto&) {}), "");
  EXPECT_EQ(error([](auto& bytes) { bytes[0] = 'X'; }),
            "this is no opening book: one begins with PAIKABOK and ends with a checksum");
  EXPECT_EQ(error([](auto& bytes) { bytes[8] = 9; }),
            "this book has version 9 of the format, and this program reads version 1");
  EXPECT_EQ(error([](auto& bytes) { bytes[12] = 0; }), "the book names no game");
  constexpr std::size_t first = 8 + 4 + 4 + 11 + 8;
  EXPECT_EQ(error([](auto& bytes) { bytes[first + 13] = 0; }), "position 1 of the book has no moves");
  EXPECT_EQ(error([](auto& bytes) { bytes[first + 8] = 0, bytes[first + 9] = 0x80; }),
            "position 1 of the book has an impossible value");
  EXPECT_EQ(error([](auto& bytes) { bytes[first + 7] = 0xff; }), "position 2 of the book is out of order");
  EXPECT_EQ(error([](auto& bytes) { bytes[27] = 2; }), "the book goes on for 20 bytes after its last position");
  EXPECT_EQ(error([](auto& bytes) { bytes[27] = 4; }), "position 4 of the book is cut off");
}

TEST(OpeningBook, files_are_read_and_refused) {
  const TemporaryFolder folder;
  const std::string path = folder / "small.book";
  ASSERT_TRUE(write_book(small_book(), path));
  EXPECT_EQ(must(read_book("othello:8x8", path), "read")->positions(), small_book().positions());
  const auto other = read_book("othello:6x6", path);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("is a book for \"othello:8x8\", not for othello:6x6"), std::string::npos);
  EXPECT_FALSE(read_book("othello:8x8", folder / "none.book"));
  EXPECT_EQ(must(choose_book("othello:8x8", "off"), "off"), nullptr);
  EXPECT_EQ(must(choose_book("othello:8x8", path), "a file")->spec(), "othello:8x8");
  EXPECT_EQ(must(choose_book("othello:6x6,inverse", "on"), "none is built in"), nullptr);
}

TEST(BookReader, knows_positions_up_to_symmetry) {
  BookReader reader(std::make_shared<const OpeningBook>(small_book()), must_open("othello")->notation());
  const auto first = reader.moves(*after("othello", {}));
  ASSERT_EQ(first.size(), 4U) << "the four first moves are one";
  for (const KnownMove& move : first) {
    EXPECT_EQ(move.score, 40) << "by the book, not as it was searched";
    const auto replies = reader.moves(*after("othello", {move.text}));
    ASSERT_EQ(replies.size(), 3U) << move.text;
    EXPECT_EQ(replies[0].score, -40);
    EXPECT_EQ(replies[1].score, -60);
    EXPECT_EQ(replies[2].score, -400);
  }
  EXPECT_TRUE(reader.moves(*after("othello", {"e6", "f4"})).empty());
  std::vector<std::string> line;
  for (const KnownMove& move : reader.line(*after("othello", {"e6"}), 10)) line.push_back(move.text);
  EXPECT_EQ(line, (std::vector<std::string>{"f6", "f5"}));
  EXPECT_EQ(reader.line(*after("othello", {"e6"}), 1).size(), 1U);
}

class BookEngineTest : public testing::Test {
 protected:
  BookEngineTest() {
    EXPECT_TRUE(write_book(small_book(), path_));
    settings_.hash_mb = 1;
    settings_.book = path_;
    limits_.move_time = Milliseconds(20);
  }
  [[nodiscard]] Decision think(const std::vector<std::string>& turns) const {
    const auto session = after("othello", turns);
    return session->game().engine(settings_)->think(*session, limits_);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "small.book";
  SearchSettings settings_;
  SearchLimits limits_;
};

TEST_F(BookEngineTest, plays_from_the_book_under_a_limit_of_time) {
  std::set<std::string> played;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    settings_.seed = seed;
    const Decision decision = think({"e6"});
    EXPECT_TRUE(decision.book);
    EXPECT_EQ(decision.info.depth, 8);
    EXPECT_EQ(decision.info.lines.front().texts.front(), decision.text);
    EXPECT_EQ(decision.text, think({"e6"}).text) << "the same seed, the same move";
    played.insert(decision.text);
  }
  EXPECT_EQ(played, (std::set<std::string>{"f6", "f4"})) << "nearly equal moves, never the bad one";
  EXPECT_FALSE(think({"e6", "f4"}).book) << "it does not hold this position";
  settings_.lines = 3;
  EXPECT_EQ(think({"e6"}).info.lines.size(), 3U);
}

TEST_F(BookEngineTest, searches_where_it_is_asked_to_analyse) {
  limits_ = {};
  limits_.nodes = 500;
  settings_.lines = 3;
  const auto check = [&] {
    const Decision decision = think({"e6"});
    EXPECT_FALSE(decision.book);
    ASSERT_EQ(decision.info.lines.size(), 3U);
    for (const InfoLine& line : decision.info.lines) {
      EXPECT_EQ(line.book, line.texts.front() == "f6" ? -40 : line.texts.front() == "f4" ? -60 : -400);
    }
  };
  check();
  settings_.book_shown_only = true;
  limits_.move_time = Milliseconds(20);
  check();
  EXPECT_FALSE(think({"e6", "f4"}).info.lines.front().book);
}

TEST_F(BookEngineTest, weaker_levels_play_without) {
  for (int level = weakest_level; level <= full_level; ++level) {
    settings_.level = level;
    EXPECT_EQ(think({"e6"}).book, level >= first_book_level) << level;
  }
  settings_.level = full_level;
  settings_.book = "off";
  EXPECT_FALSE(think({"e6"}).book);
  settings_.book.reset();
  EXPECT_FALSE(think({"e6"}).book);
  settings_.book = folder_ / "none.book";
  EXPECT_FALSE(think({"e6"}).book) << "a book that cannot be read is as good as none";
}

TEST(BuiltinBook, of_othello_is_sound) {
  const BookPtr book = builtin_book("othello:8x8");
  ASSERT_NE(book, nullptr);
  EXPECT_GE(book->positions().size(), 1000U);
  EXPECT_LE(book->bytes().size(), std::size_t{1} << 20);
  EXPECT_EQ(book, builtin_book("othello:8x8")) << "read once";
  BookReader reader(book, must_open("othello")->notation());
  EXPECT_EQ(reader.moves(*after("othello", {})).size(), 4U);
  EXPECT_GE(reader.moves(*after("othello", {"e6"})).size(), 2U);
}

}  // namespace
}  // namespace paika
