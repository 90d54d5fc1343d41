// Conditional moves: left while the opponent thinks, played when they are due, and nobody else's business.
#include "server/rooms/conditional.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/rooms/room_fixture.hpp"

namespace paika::server {
namespace {

using namespace paika_tests;

RoomPlan by_mail() {
  RoomPlan plan = plan_of("othello:6x6");
  plan.turn_time = std::chrono::hours(48);
  return plan;
}

std::string leave(RoomFixture& fixture, const Identity& who, ConditionalLines lines) {
  return word_of(fixture.apply(who, command::Conditional{std::move(lines)}));
}

/// The legal moves of the position as it stands.
std::vector<std::string> legal(const RoomFixture& fixture) {
  std::vector<std::string> texts;
  fixture.room->session_copy()->for_each_turn([&](const ListedTurn& turn) {
    texts.push_back(turn.text);
    return true;
  });
  return texts;
}

/// Lines for ben, who is to move second: for each of anna's first two moves an answer, and one more pair after the
/// first.
struct Lines {
  ConditionalLines all;
  std::vector<std::string> first;  // of anna
};
Lines some_lines(const RoomFixture& fixture) {
  Lines lines;
  lines.first = legal(fixture);
  const auto any = [](const Session& session) {
    std::string text;
    session.for_each_turn([&](const ListedTurn& turn) {
      text = turn.text;
      return false;
    });
    return text;
  };
  for (std::size_t i = 0; i < 2; ++i) {
    const auto session = fixture.room->session_copy();
    std::vector<std::string> line = {lines.first[i]};
    EXPECT_TRUE(session->try_play(line[0]));
    for (int more = i == 0 ? 3 : 1; more > 0; --more) {
      line.push_back(any(*session));
      EXPECT_TRUE(session->try_play(line.back()));
    }
    lines.all.push_back(std::move(line));
  }
  return lines;
}

TEST(ConditionalMoves, are_played_at_once_and_go_on_as_long_as_they_fit) {
  RoomFixture fixture = begun(by_mail());
  const auto [lines, first] = some_lines(fixture);
  EXPECT_EQ(leave(fixture, ben, lines), "again") << "there is no event of it";
  EXPECT_EQ(fixture.room->conditional(Player::second).size(), 2U);
  fixture.now += 3h;
  const Applied applied = fixture.apply(anna, command::Play{first[0], "x", std::nullopt});
  EXPECT_EQ(kinds_of(applied.events), "move move");
  EXPECT_EQ(json_of(applied.events[1])["text"], lines[0][1]);
  EXPECT_EQ(json_of(applied.events[1])["seat"], "second");
  EXPECT_EQ(json_of(applied.events[1])["time_us"], 0);
  EXPECT_EQ(fixture.room->conditional(Player::second), (ConditionalLines{{lines[0][2], lines[0][3]}}));
  EXPECT_EQ(fixture.play(anna, lines[0][2]), "done");
  EXPECT_EQ(fixture.last_event()["text"], lines[0][3]);
  EXPECT_TRUE(fixture.room->conditional(Player::second).empty());
}

TEST(ConditionalMoves, fall_with_another_move_a_takeback_and_the_end) {
  RoomFixture fixture = begun(by_mail());
  const auto [lines, first] = some_lines(fixture);
  EXPECT_EQ(leave(fixture, ben, {lines[0]}), "again");
  EXPECT_EQ(fixture.play(anna, first[1]), "done");
  EXPECT_EQ(fixture.room->turns_played(), 1);
  EXPECT_TRUE(fixture.room->conditional(Player::second).empty());

  RoomFixture back = begun(by_mail());
  EXPECT_EQ(back.play(anna, first[0]), "done");
  EXPECT_EQ(back.play(ben, lines[0][1]), "done");
  EXPECT_EQ(leave(back, ben, {{lines[0][2], lines[0][3]}}), "again");
  EXPECT_EQ(back.offer(ben, OfferKind::takeback), "done");
  EXPECT_EQ(back.agree(anna, OfferKind::takeback), "done");
  EXPECT_TRUE(back.room->conditional(Player::second).empty());

  RoomFixture ended = begun(by_mail());
  EXPECT_EQ(leave(ended, ben, lines), "again");
  EXPECT_EQ(ended.resign(anna), "done");
  EXPECT_TRUE(ended.room->conditional(Player::second).empty());
  EXPECT_EQ(leave(ended, ben, lines), "over");
}

TEST(ConditionalMoves, are_left_only_while_the_opponent_is_to_move) {
  RoomFixture fixture = begun(by_mail());
  const auto [lines, first] = some_lines(fixture);
  EXPECT_EQ(leave(fixture, ben, {lines[0]}), "again");
  EXPECT_EQ(leave(fixture, anna, {{lines[0][1], lines[0][2]}}), "not_yours") << "anna is to move";
  EXPECT_EQ(kinds_of(fixture.apply(anna, command::Play{first[0], "x", std::nullopt}).events), "move move");
}

TEST(ConditionalMoves, are_refused_where_they_make_no_sense) {
  RoomFixture fixture = begun(by_mail());
  const auto [lines, first] = some_lines(fixture);
  const auto error = [&](ConditionalLines left) {
    const Applied applied = fixture.apply(ben, command::Conditional{std::move(left)});
    return applied.answer ? std::string() : applied.answer.error().message;
  };
  EXPECT_NE(error({{first[0]}}).find("line 1 must end with a move of yours"), std::string::npos);
  EXPECT_NE(error({{}}).find("line 1"), std::string::npos);
  EXPECT_NE(error({lines[0], {first[1], "a1"}}).find("line 2, move 2, \"a1\": "), std::string::npos);
  EXPECT_NE(error(ConditionalLines(max_conditional_lines + 1, lines[0])).find("at most 50"), std::string::npos);
  const auto session = fixture.room->session_copy();
  ASSERT_TRUE(session->try_play(first[0]));
  std::vector<std::string> answers;
  session->for_each_turn([&](const ListedTurn& turn) {
    answers.push_back(turn.text);
    return true;
  });
  ASSERT_GE(answers.size(), 2U);
  EXPECT_NE(error({{first[0], answers[0]}, {first[0], answers[1]}}).find("another line answers"), std::string::npos);
  EXPECT_TRUE(fixture.room->conditional(Player::second).empty()) << "what is refused changes nothing";
  EXPECT_EQ(leave(fixture, eve, {}), "not_yours");
  RoomPlan fast = by_mail();
  fast.turn_time = 30s;
  RoomFixture quick = begun(fast);
  EXPECT_EQ(leave(quick, ben, {lines[0]}), "too_fast");
}

TEST(ConditionalMoves, are_told_nobody_and_come_back_after_a_restart) {
  RoomFixture fixture = begun(by_mail());
  const auto [lines, first] = some_lines(fixture);
  const std::string before = fixture.room->snapshot_text(fixture.now, anna.person);
  EXPECT_EQ(leave(fixture, ben, lines), "again");
  EXPECT_EQ(fixture.room->snapshot_text(fixture.now, anna.person), before);
  const auto again = restored(*fixture.room, fixture.room->last_number());
  again->restore_conditional(Player::second,
                             read_conditional(conditional_text(fixture.room->conditional(Player::second))));
  EXPECT_EQ(again->conditional(Player::second), fixture.room->conditional(Player::second));
  EXPECT_EQ(kinds_of(again->apply(anna, command::Play{first[1], "x", std::nullopt}, fixture.now).events), "move move");
  again->restore_conditional(Player::second, {{"a1", "a1"}});
  EXPECT_TRUE(again->conditional(Player::second).empty()) << "what cannot be played is dropped";
  EXPECT_TRUE(read_conditional("rubbish").empty());
  EXPECT_TRUE(read_conditional(R"([["a"],7])").empty());
}

}  // namespace
}  // namespace paika::server
