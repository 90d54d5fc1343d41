// Offers: draws, takebacks and rematches between people and with the engine, and what ends them.
#include <gtest/gtest.h>

#include "tests/server/rooms/table.hpp"

namespace paika::server {
namespace {

using namespace paika_tests;

constexpr OfferKind draw = OfferKind::draw;
constexpr OfferKind takeback = OfferKind::takeback;
constexpr OfferKind rematch = OfferKind::rematch;

TEST(RoomOffers, a_draw_needs_both) {
  Table table = begun("othello");
  EXPECT_EQ(table.agree(ben, draw), "no_offer");
  EXPECT_EQ(table.decline(ben, draw), "no_offer");
  EXPECT_EQ(table.offer(anna, draw), "done");
  EXPECT_EQ(table.offers(), "first:draw");
  EXPECT_EQ(table.offer(anna, draw), "again") << "it stands already";
  EXPECT_EQ(table.agree(anna, draw), "no_offer") << "nobody agrees with himself";
  EXPECT_EQ(table.agree(eve, draw), "not_yours");
  EXPECT_EQ(table.decline(eve, draw), "not_yours");
  EXPECT_EQ(table.offer(eve, draw), "not_yours");
  EXPECT_EQ(table.agree(ben, draw), "done");
  EXPECT_EQ(table.last_event()["verdict"], "draw");
  EXPECT_EQ(table.last_event()["reason"], "agreed");
  EXPECT_EQ(table.offers(), "");
  EXPECT_EQ(table.offer(anna, draw), "over");
}

TEST(RoomOffers, offering_the_same_agrees) {
  Table table = begun("othello");
  table.offer(anna, draw);
  EXPECT_EQ(kinds_of(table.apply(ben, command::Offer{draw}).events), "ended");
}

TEST(RoomOffers, a_declined_draw_is_offered_again_only_after_an_own_turn) {
  Table table = begun("othello");
  ASSERT_EQ(table.play(anna, "d3"), "done");
  table.offer(anna, draw);
  EXPECT_EQ(table.decline(ben, draw), "done");
  EXPECT_EQ(table.last_event()["event"], "declined");
  EXPECT_EQ(table.last_event()["seat"], "second");
  EXPECT_EQ(table.offer(anna, draw), "too_often");
  EXPECT_EQ(table.offer(ben, draw), "done") << "the other may";
  EXPECT_EQ(table.decline(ben, draw), "done");
  EXPECT_EQ(table.last_event()["event"], "withdrawn");
  EXPECT_EQ(table.offer(ben, draw), "too_often") << "nobody calls and hangs up";
  ASSERT_EQ(table.play(ben, "c3"), "done");
  EXPECT_EQ(table.offer(anna, draw), "too_often");
  EXPECT_EQ(table.offer(ben, draw), "done");
  EXPECT_EQ(table.decline(anna, draw), "done");
  ASSERT_EQ(table.play(anna, "c4"), "done");
  EXPECT_EQ(table.offer(anna, draw), "done");
}

TEST(RoomOffers, a_turn_of_the_opponent_ends_a_draw_offer_and_ones_own_does_not) {
  Table table = begun("othello");
  table.offer(anna, draw);
  const Applied own = table.apply(anna, command::Play{"d3", "x", std::nullopt});
  EXPECT_EQ(kinds_of(own.events), "turn");
  EXPECT_EQ(table.offers(), "first:draw");
  const Applied theirs = table.apply(ben, command::Play{"c3", "x", std::nullopt});
  EXPECT_EQ(kinds_of(theirs.events), "turn withdrawn");
  EXPECT_EQ(json_of(theirs.events[1])["seat"], "first");
  EXPECT_EQ(theirs.answer->number, theirs.events[0].number);
  EXPECT_EQ(table.offers(), "");
  EXPECT_EQ(table.offer(anna, draw), "too_often");
}

TEST(RoomOffers, a_takeback_takes_the_offerers_last_turn) {
  Table table = begun("othello");
  EXPECT_EQ(table.offer(anna, takeback), "no_turn");
  ASSERT_EQ(table.play(anna, "d3"), "done");
  EXPECT_EQ(table.offer(ben, takeback), "no_turn");
  const std::string after_one = table.snapshot()["position"];
  ASSERT_EQ(table.play(ben, "c3"), "done");
  // anna's last turn is under ben's answer: both go.
  table.offer(anna, takeback);
  EXPECT_EQ(table.agree(ben, takeback), "done");
  EXPECT_EQ(table.last_event()["turns"], 2);
  EXPECT_EQ(table.last_event()["to_move"], "first");
  EXPECT_EQ(table.room->turns_played(), 0);
  EXPECT_TRUE(table.snapshot()["last_turn"].is_null());
  ASSERT_EQ(table.play(anna, "d3"), "done");
  ASSERT_EQ(table.play(ben, "e3"), "done");
  table.offer(ben, takeback);
  EXPECT_EQ(table.agree(anna, takeback), "done");
  EXPECT_EQ(table.last_event()["turns"], 1);
  EXPECT_EQ(table.last_event()["position"], after_one);
  EXPECT_EQ(table.snapshot()["last_turn"]["text"], "d3");
  EXPECT_EQ(table.play(ben, "c5"), "done");
}

TEST(RoomOffers, the_id_of_a_turn_that_was_taken_back_stays_used) {
  Table table = begun("othello");
  const auto first = table.apply(anna, command::Play{"d3", "x", std::nullopt});
  table.offer(anna, takeback);
  table.agree(ben, takeback);
  // The client that did not hear the answer sends it again: it must not be played a second time.
  const auto again = table.apply(anna, command::Play{"d3", "x", std::nullopt});
  EXPECT_EQ(word_of(again), "again");
  EXPECT_EQ(again.answer->number, first.answer->number);
  EXPECT_EQ(table.room->turns_played(), 0);
}

TEST(RoomOffers, any_turn_ends_a_takeback_offer) {
  Table table = begun("othello");
  ASSERT_EQ(table.play(anna, "d3"), "done");
  table.offer(anna, takeback);
  EXPECT_EQ(kinds_of(table.apply(ben, command::Play{"c3", "x", std::nullopt}).events), "turn withdrawn");
  EXPECT_EQ(table.offer(anna, takeback), "too_often");
  EXPECT_EQ(table.offer(ben, takeback), "done");
  ASSERT_EQ(table.play(anna, "c4"), "done");
  EXPECT_EQ(table.offers(), "");
  ASSERT_EQ(table.play(ben, table.any_turn()), "done");
  EXPECT_EQ(table.offer(anna, takeback), "done");
  EXPECT_EQ(kinds_of(table.apply(anna, command::Play{table.any_turn(), "y", std::nullopt}).events), "turn withdrawn");
}

TEST(RoomOffers, a_takeback_ends_the_other_offers) {
  Table table = begun("othello");
  ASSERT_EQ(table.play(anna, "d3"), "done");
  table.offer(anna, draw);
  table.offer(anna, takeback);
  EXPECT_EQ(table.offers(), "first:draw first:takeback");
  table.agree(ben, takeback);
  EXPECT_EQ(table.offers(), "");
  EXPECT_EQ(table.agree(ben, draw), "no_offer");
}

TEST(RoomOffers, takebacks_have_an_end) {
  RoomPlan plan = plan_of("othello");
  plan.engine_level = 1;
  auto opened = must(Room::open("r", plan, anna, 1s, 1), "open");
  Room& room = *opened.first;
  for (int i = 0; i < max_takebacks; ++i) {
    ASSERT_TRUE(room.apply(anna, command::Play{"d3", std::to_string(i), std::nullopt}, 1s).answer);
    ASSERT_TRUE(room.apply(anna, command::Offer{takeback}, 1s).answer);
  }
  ASSERT_TRUE(room.apply(anna, command::Play{"d3", "last", std::nullopt}, 1s).answer);
  EXPECT_EQ(word_of(room.apply(anna, command::Offer{takeback}, 1s)), "too_often");
  EXPECT_EQ(word_of(restored(room, room.last_number())->apply(anna, command::Offer{takeback}, 1s)), "too_often");
}

TEST(RoomOffers, the_engine_answers_at_once) {
  RoomPlan plan = plan_of("othello");
  plan.engine_level = 2;
  Table table(plan);
  EXPECT_EQ(kinds_of(table.apply(anna, command::Offer{draw}).events), "offered declined");
  EXPECT_EQ(table.offer(anna, draw), "too_often");
  ASSERT_EQ(table.play(anna, "d3"), "done");
  // It is still thinking: only the person's own turn goes.
  const Applied thinking = table.apply(anna, command::Offer{takeback});
  EXPECT_EQ(kinds_of(thinking.events), "offered taken_back");
  EXPECT_EQ(json_of(thinking.events[1])["turns"], 1);
  EXPECT_FALSE(table.room->engine_task(table.now));
  ASSERT_EQ(table.play(anna, "d3"), "done");
  ASSERT_EQ(table.engine_plays(*table.room->engine_task(table.now), "c3"), "turn");
  EXPECT_EQ(json_of(table.apply(anna, command::Offer{takeback}).events[1])["turns"], 2);
  EXPECT_EQ(table.offer(anna, takeback), "no_turn");
  EXPECT_EQ(table.offer(anna, rematch), "not_over");
  table.resign(anna);
  EXPECT_EQ(kinds_of(table.apply(anna, command::Offer{rematch}).events), "offered offered");
  ASSERT_TRUE(table.room->rematch_agreed());
  const RoomPlan next = table.room->rematch_plan();
  EXPECT_EQ(next.engine_level, 2);
  EXPECT_EQ(next.side, Side::second);
  EXPECT_FALSE(next.seated);
  EXPECT_EQ(table.decline(anna, rematch), "no_offer") << "it is agreed";
}

TEST(RoomOffers, a_rematch_has_the_sides_exchanged_and_is_opened_once) {
  RoomPlan plan = plan_of("abalone");
  plan.clock = GameClock{5min, 3s};
  plan.listed = true;
  plan.rated = true;
  Table table = begun(plan);
  EXPECT_EQ(table.offer(anna, rematch), "not_over");
  table.resign(anna);
  EXPECT_EQ(table.offer(eve, rematch), "not_yours");
  EXPECT_EQ(table.offer(ben, rematch), "done");
  EXPECT_EQ(table.offer(ben, rematch), "again");
  EXPECT_FALSE(table.room->rematch_agreed());
  EXPECT_EQ(table.agree(anna, rematch), "done");
  EXPECT_EQ(table.agree(anna, rematch), "again");
  ASSERT_TRUE(table.room->rematch_agreed());
  const RoomPlan next = table.room->rematch_plan();
  EXPECT_EQ(next.seated->at(0), ben);
  EXPECT_EQ(next.seated->at(1), anna);
  EXPECT_EQ(next.clock->left, 5min);
  EXPECT_EQ(next.clock->increment, 3s);
  EXPECT_TRUE(next.rated && next.listed);
  EXPECT_EQ(next.game->notation().spec(), plan.game->notation().spec());
  const Event told = table.room->rematch_opened("room2", table.now);
  EXPECT_EQ(json_of(told)["room"], "room2");
  EXPECT_FALSE(table.room->rematch_agreed());
  EXPECT_EQ(table.snapshot()["rematch"], "room2");
  expect_same(*table.room, *restored(*table.room, table.room->last_number()), table.now);
  const auto applied = table.room->apply(anna, command::Play{"x", "y", std::nullopt}, table.now);
  EXPECT_EQ(applied.answer.error().details["rematch"], "room2");
  EXPECT_EQ(table.offers(), "");
  const auto offered = table.room->apply(ben, command::Offer{rematch}, table.now);
  EXPECT_EQ(word_of(offered), "over");
  EXPECT_EQ(offered.answer.error().details["rematch"], "room2");
}

TEST(RoomOffers, a_declined_rematch_is_not_offered_again_by_the_same_player) {
  Table table = begun("othello");
  table.resign(anna);
  table.offer(ben, rematch);
  EXPECT_EQ(table.decline(anna, rematch), "done");
  EXPECT_EQ(table.offer(ben, rematch), "too_often");
  EXPECT_EQ(table.offer(anna, rematch), "done");
  EXPECT_EQ(table.offer(ben, rematch), "done") << "that agrees";
  EXPECT_TRUE(table.room->rematch_agreed());
}

TEST(RoomOffers, an_end_by_the_rules_ends_offers) {
  Table table = begun("othello:6x6");
  while (table.room->state() == RoomState::running) {
    const Identity& mover = table.snapshot()["to_move"] == "first" ? anna : ben;
    table.offer(anna, draw);
    ASSERT_EQ(table.play(mover, table.any_turn()), "done");
  }
  EXPECT_EQ(table.offers(), "");
  EXPECT_TRUE(table.kinds().ends_with("turn ended"));
}

}  // namespace
}  // namespace paika::server
