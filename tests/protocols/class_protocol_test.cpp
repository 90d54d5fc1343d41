// The class protocol as text: messages however they are cut, glued and padded (rules 6.1 to 6.4).
#include "protocols/class_protocol.hpp"

#include <gtest/gtest.h>
#include <vector>

#include "play/class_move.hpp"
#include "tests/support/session.hpp"

namespace paika::protocols {
namespace {

using Kind = ClassMessage::Kind;

struct Heard {
  Kind kind;
  std::string text;
  friend bool operator==(const Heard&, const Heard&) = default;
};

// NOLINTNEXTLINE(readability-identifier-naming): the name that gtest looks for
void PrintTo(const Heard& heard, std::ostream* out) {
  *out << static_cast<int>(heard.kind) << " \"" << heard.text << '"';
}

/// What comes out of `bytes` in packets of `size`, with a silence at the end.
std::vector<Heard> heard(std::string_view bytes, std::size_t size = 100'000) {
  ClassFramer framer;
  std::vector<Heard> all;
  const auto drain = [&](bool silent) {
    while (const auto message = framer.next(silent)) all.push_back({message->kind, message->text});
  };
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    framer.add(bytes.substr(at, size));
    drain(false);
  }
  drain(true);
  return all;
}

const std::vector<Heard> short_game = {{Kind::welcome, "WELCOME"}, {Kind::info, ""},
                                       {Kind::begin, "BEGIN"},     {Kind::move, "A 4 2 5 3 + W 5 3 6 3"},
                                       {Kind::ok, "OK"},           {Kind::move, "S 13 12"},
                                       {Kind::move, "P 1 1 1 2"},  {Kind::time, "TIME"},
                                       {Kind::loser, "LOSER"}};

std::string join(const std::vector<std::string>& messages, std::string_view end) {
  std::string bytes;
  for (const std::string& message : messages) bytes += message + std::string(end);
  return bytes;
}

const std::vector<std::string> short_texts = {
    "WELCOME", "INFO 9 5 B 5000", "BEGIN", "A 4 2 5 3 + W 5 3 6 3", "OK", "S 13 12", "P 1 1 1 2", "TIME", "LOSER"};

TEST(ClassFramer, every_end_and_every_cut) {
  using namespace std::string_view_literals;
  for (const std::string_view end : {"\n"sv, "\r"sv, "\r\n"sv, "\0"sv, " "sv, ""sv, "\n\n\0\0"sv, " \0"sv}) {
    for (const std::size_t size : {1U, 2U, 3U, 7U, 100U, 10'000U}) {
      EXPECT_EQ(heard(join(short_texts, end), size), short_game)
          << "end " << testing::PrintToString(end) << " size " << size;
    }
  }
}

TEST(ClassFramer, padded_blocks) {
  std::string bytes;
  for (std::string block : short_texts) {
    block.resize(1024, '\0');
    bytes += block;
  }
  for (const std::size_t size : {1U, 100U, 1000U, 1024U, 1500U}) EXPECT_EQ(heard(bytes, size), short_game);
}

TEST(ClassFramer, other_words_for_the_same) {
  EXPECT_EQ(heard("DRAW\nTIME EXPIRED\nLOSER\n"),
            (std::vector<Heard>{{Kind::tie, "DRAW"}, {Kind::time, "TIME"}, {Kind::loser, "LOSER"}}));
  EXPECT_EQ(heard("TIME EXPIREDLOSER"), (std::vector<Heard>{{Kind::time, "TIME"}, {Kind::loser, "LOSER"}}));
  EXPECT_EQ(heard("R 5 3 5 2\n"), (std::vector<Heard>{{Kind::move, "R 5 3 5 2"}}));
  EXPECT_EQ(heard("ok a 5  3 5 2+r 5 2 4 2\n"),
            (std::vector<Heard>{{Kind::ok, "OK"}, {Kind::move, "A 5 3 5 2 + R 5 2 4 2"}}));
}

TEST(ClassFramer, info_has_its_numbers) {
  ClassFramer framer;
  framer.add("WELCOMEINFO 13 3 W 250");
  EXPECT_EQ(framer.next()->kind, Kind::welcome);
  EXPECT_FALSE(framer.next()) << "another digit may come";
  framer.add("0\n");
  const auto info = framer.next();
  ASSERT_TRUE(info);
  EXPECT_EQ(info->game, (ClassGame{13, 3, Player::first, 2500}));
  EXPECT_EQ(info_text(info->game), "INFO 13 3 W 2500");
}

TEST(ClassFramer, a_chain_waits_for_a_silence_only_where_it_may_go_on) {
  ClassFramer framer;
  framer.add("A 4 2 5 3 ");
  EXPECT_FALSE(framer.next());
  framer.add("+");
  EXPECT_FALSE(framer.next(true)) << "a step has to follow";
  framer.add(" W 5 3 6 3");
  EXPECT_FALSE(framer.next()) << "63 is no row, but numbers are numbers";
  EXPECT_EQ(framer.next(true)->text, "A 4 2 5 3 + W 5 3 6 3");
  framer.add("A 4 2 5 3\n");
  EXPECT_TRUE(framer.next()) << "a line end is an end";
  framer.add("A 4 2 5 3 OK");
  EXPECT_TRUE(framer.next()) << "what follows cannot belong to it";
}

TEST(ClassFramer, nonsense_is_told_as_such) {
  EXPECT_EQ(heard("WELCOME to my server\nREADY"),
            (std::vector<Heard>{{Kind::welcome, "WELCOME"}, {Kind::unknown, "to my server"}, {Kind::ready, "READY"}}));
  EXPECT_EQ(heard("INFO nine\n"), (std::vector<Heard>{{Kind::unknown, "INFO nine"}}));
  // A bad move is a move: somebody has to refuse it.
  EXPECT_EQ(heard("A 1 2 3 4 5\n"), (std::vector<Heard>{{Kind::move, "A 1 2 3 4 5"}}));
  EXPECT_EQ(heard("A x y\n"), (std::vector<Heard>{{Kind::move, "A x y"}}));
  EXPECT_EQ(heard("P 1 1 1 2 + A 1 2 1 3\n"), (std::vector<Heard>{{Kind::move, "P 1 1 1 2 + A 1 2 1 3"}}));
  EXPECT_EQ(heard("\xff\xfe\n"), (std::vector<Heard>{{Kind::unknown, "\xff\xfe"}}));
}

TEST(ClassFramer, a_flood_ends_it) {
  ClassFramer framer;
  framer.add(std::string(ClassFramer::max_message, 'x'));
  EXPECT_FALSE(framer.next());
  EXPECT_FALSE(framer.flooded());
  framer.add("x");
  EXPECT_FALSE(framer.next());
  EXPECT_TRUE(framer.flooded());
  framer.add("\nOK\n");
  EXPECT_FALSE(framer.next(true));
  ClassFramer padded;
  for (int i = 0; i < 1000; ++i) padded.add(std::string(1024, '\0'));
  EXPECT_FALSE(padded.next(true));
  EXPECT_FALSE(padded.flooded()) << "padding is nothing";
}

/// Every turn of a position is written and read back as the same.
void check_moves(std::string_view spec, std::string_view position) {
  const auto session = paika_tests::session_at(spec, position);
  int turns = 0;
  session->for_each_turn([&](const ListedTurn& turn) {
    const std::string text = play::class_move(turn.steps, session->notation().coordinates());
    const auto messages = heard(text + "\n");
    EXPECT_EQ(messages.size(), 1U);
    const auto read = session->read_turn(messages[0].text);
    EXPECT_TRUE(read && *read == turn.steps) << turn.text << " is " << text;
    return ++turns < 3000;
  });
  EXPECT_GT(turns, 0);
}

TEST(ClassMove, both_ways) {
  check_moves("fanorona", "start");
  check_moves("fanorona:3x3", "start");
  check_moves("fanorona:13x13", "start");
  check_moves("fanorona:9x5", "bbb.bbbbb/b.bb..bbb/..b...bw./ww.wwwwww/wwwwwwwww w 7");
  const auto session = paika_tests::session_at("fanorona");
  const auto text = [&](std::string_view turn) {
    return play::class_move(*session->read_turn(turn), session->notation().coordinates());
  };
  EXPECT_EQ(text("e2e3A"), "A 5 2 5 3");
  EXPECT_EQ(text("Sa1"), "S 1 1");
}

}  // namespace
}  // namespace paika::protocols
