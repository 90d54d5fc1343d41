// Offers: draws, takebacks and rematches between people and with the engine, and what ends them.
#include <gtest/gtest.h>

#include "tests/server/rooms/room_fixture.hpp"

namespace paika::server {
namespace {

using namespace paika_tests;

constexpr OfferKind draw = OfferKind::draw;
constexpr OfferKind takeback = OfferKind::takeback;
constexpr OfferKind rematch = OfferKind::rematch;

TEST(RoomOffers, a_draw_needs_both) {
  RoomFixture fixture = begun("othello");
  EXPECT_EQ(fixture.agree(ben, draw), "no_offer");
  EXPECT_EQ(fixture.decline(ben, draw), "no_offer");
  EXPECT_EQ(fixture.offer(anna, draw), "done");
  EXPECT_EQ(fixture.offers(), "first:draw");
  EXPECT_EQ(fixture.offer(anna, draw), "again") << "it stands already";
  EXPECT_EQ(fixture.agree(anna, draw), "no_offer") << "nobody agrees with himself";
  EXPECT_EQ(fixture.agree(eve, draw), "not_yours");
  EXPECT_EQ(fixture.decline(eve, draw), "not_yours");
  EXPECT_EQ(fixture.offer(eve, draw), "not_yours");
  EXPECT_EQ(fixture.agree(ben, draw), "done");
  EXPECT_EQ(fixture.last_event()["verdict"], "draw");
  EXPECT_EQ(fixture.last_event()["reason"], "agreed");
  EXPECT_EQ(fixture.offers(), "");
  EXPECT_EQ(fixture.offer(anna, draw), "over");
}

TEST(RoomOffers, offering_the_same_agrees) {
  RoomFixture fixture = begun("othello");
  fixture.offer(anna, draw);
  EXPECT_EQ(kinds_of(fixture.apply(ben, command::Offer{draw}).events), "ended");
}

TEST(RoomOffers, a_declined_draw_is_offered_again_only_after_an_own_turn) {
  RoomFixture fixture = begun("othello");
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  fixture.offer(anna, draw);
  EXPECT_EQ(fixture.decline(ben, draw), "done");
  EXPECT_EQ(fixture.last_event()["event"], "declined");
  EXPECT_EQ(fixture.last_event()["seat"], "second");
  EXPECT_EQ(fixture.offer(anna, draw), "too_often");
  EXPECT_EQ(fixture.offer(ben, draw), "done") << "the other may";
  EXPECT_EQ(fixture.decline(ben, draw), "done");
  EXPECT_EQ(fixture.last_event()["event"], "withdrawn");
  EXPECT_EQ(fixture.offer(ben, draw), "too_often") << "nobody calls and hangs up";
  ASSERT_EQ(fixture.play(ben, "c3"), "done");
  EXPECT_EQ(fixture.offer(anna, draw), "too_often");
  EXPECT_EQ(fixture.offer(ben, draw), "done");
  EXPECT_EQ(fixture.decline(anna, draw), "done");
  ASSERT_EQ(fixture.play(anna, "c4"), "done");
  EXPECT_EQ(fixture.offer(anna, draw), "done");
}

TEST(RoomOffers, a_turn_of_the_opponent_ends_a_draw_offer_and_ones_own_does_not) {
  RoomFixture fixture = begun("othello");
  fixture.offer(anna, draw);
  const Applied own = fixture.apply(anna, command::Play{"d3", "x", std::nullopt});
  EXPECT_EQ(kinds_of(own.events), "move");
  EXPECT_EQ(fixture.offers(), "first:draw");
  const Applied theirs = fixture.apply(ben, command::Play{"c3", "x", std::nullopt});
  EXPECT_EQ(kinds_of(theirs.events), "move withdrawn");
  EXPECT_EQ(json_of(theirs.events[1])["seat"], "first");
  EXPECT_EQ(theirs.answer->number, theirs.events[0].number);
  EXPECT_EQ(fixture.offers(), "");
  EXPECT_EQ(fixture.offer(anna, draw), "too_often");
}

TEST(RoomOffers, a_room_without_takebacks_refuses_them) {
  RoomPlan plan = plan_of("othello");
  plan.takebacks = false;
  RoomFixture fixture = begun(plan);
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  EXPECT_FALSE(fixture.snapshot()["takebacks"].get<bool>());
  EXPECT_EQ(fixture.offer(anna, takeback), "no_takeback");
  EXPECT_EQ(fixture.offer(ben, takeback), "no_takeback");
  EXPECT_EQ(fixture.offer(anna, draw), "done");
}

TEST(RoomOffers, a_takeback_takes_the_offerers_last_turn) {
  RoomFixture fixture = begun("othello");
  EXPECT_EQ(fixture.offer(anna, takeback), "no_move");
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  EXPECT_EQ(fixture.offer(ben, takeback), "no_move");
  const std::string after_one = fixture.snapshot()["position"];
  ASSERT_EQ(fixture.play(ben, "c3"), "done");
  // anna's last turn is under ben's answer: both go.
  fixture.offer(anna, takeback);
  EXPECT_EQ(fixture.agree(ben, takeback), "done");
  EXPECT_EQ(fixture.last_event()["moves"], 2);
  EXPECT_EQ(fixture.last_event()["to_move"], "first");
  EXPECT_EQ(fixture.room->turns_played(), 0);
  EXPECT_TRUE(fixture.snapshot()["last_move"].is_null());
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  ASSERT_EQ(fixture.play(ben, "e3"), "done");
  fixture.offer(ben, takeback);
  EXPECT_EQ(fixture.agree(anna, takeback), "done");
  EXPECT_EQ(fixture.last_event()["moves"], 1);
  EXPECT_EQ(fixture.last_event()["position"], after_one);
  EXPECT_EQ(fixture.snapshot()["last_move"]["text"], "d3");
  EXPECT_EQ(fixture.play(ben, "c5"), "done");
}

TEST(RoomOffers, the_id_of_a_turn_that_was_taken_back_stays_used) {
  RoomFixture fixture = begun("othello");
  const auto first = fixture.apply(anna, command::Play{"d3", "x", std::nullopt});
  fixture.offer(anna, takeback);
  fixture.agree(ben, takeback);
  // The client that did not hear the answer sends it again: it must not be played a second time.
  const auto again = fixture.apply(anna, command::Play{"d3", "x", std::nullopt});
  EXPECT_EQ(word_of(again), "again");
  EXPECT_EQ(again.answer->number, first.answer->number);
  EXPECT_EQ(fixture.room->turns_played(), 0);
}

TEST(RoomOffers, any_turn_ends_a_takeback_offer) {
  RoomFixture fixture = begun("othello");
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  fixture.offer(anna, takeback);
  EXPECT_EQ(kinds_of(fixture.apply(ben, command::Play{"c3", "x", std::nullopt}).events), "move withdrawn");
  EXPECT_EQ(fixture.offer(anna, takeback), "too_often");
  EXPECT_EQ(fixture.offer(ben, takeback), "done");
  ASSERT_EQ(fixture.play(anna, "c4"), "done");
  EXPECT_EQ(fixture.offers(), "");
  ASSERT_EQ(fixture.play(ben, fixture.any_turn()), "done");
  EXPECT_EQ(fixture.offer(anna, takeback), "done");
  EXPECT_EQ(kinds_of(fixture.apply(anna, command::Play{fixture.any_turn(), "y", std::nullopt}).events),
            "move withdrawn");
}

TEST(RoomOffers, a_takeback_ends_the_other_offers) {
  RoomFixture fixture = begun("othello");
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  fixture.offer(anna, draw);
  fixture.offer(anna, takeback);
  EXPECT_EQ(fixture.offers(), "first:draw first:takeback");
  fixture.agree(ben, takeback);
  EXPECT_EQ(fixture.offers(), "");
  EXPECT_EQ(fixture.agree(ben, draw), "no_offer");
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
  RoomFixture fixture(plan);
  EXPECT_EQ(kinds_of(fixture.apply(anna, command::Offer{draw}).events), "offered declined");
  EXPECT_EQ(fixture.offer(anna, draw), "too_often");
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  // It is still thinking: only the person's own turn goes.
  const Applied thinking = fixture.apply(anna, command::Offer{takeback});
  EXPECT_EQ(kinds_of(thinking.events), "offered taken_back");
  EXPECT_EQ(json_of(thinking.events[1])["moves"], 1);
  EXPECT_FALSE(fixture.room->engine_task(fixture.now));
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  ASSERT_EQ(fixture.engine_plays(*fixture.room->engine_task(fixture.now), "c3"), "move");
  EXPECT_EQ(json_of(fixture.apply(anna, command::Offer{takeback}).events[1])["moves"], 2);
  EXPECT_EQ(fixture.offer(anna, takeback), "no_move");
  EXPECT_EQ(fixture.offer(anna, rematch), "not_over");
  fixture.resign(anna);
  EXPECT_EQ(kinds_of(fixture.apply(anna, command::Offer{rematch}).events), "offered offered");
  ASSERT_TRUE(fixture.room->rematch_agreed());
  const RoomPlan next = fixture.room->rematch_plan();
  EXPECT_EQ(next.engine_level, 2);
  EXPECT_EQ(next.side, Side::second);
  EXPECT_FALSE(next.seated);
  EXPECT_EQ(fixture.decline(anna, rematch), "no_offer") << "it is agreed";
}

TEST(RoomOffers, a_rematch_has_the_sides_exchanged_and_is_opened_once) {
  RoomPlan plan = plan_of("abalone");
  plan.clock = GameClock{5min, 3s};
  plan.listed = true;
  plan.rated = true;
  RoomFixture fixture = begun(plan);
  EXPECT_EQ(fixture.offer(anna, rematch), "not_over");
  fixture.resign(anna);
  EXPECT_EQ(fixture.offer(eve, rematch), "not_yours");
  EXPECT_EQ(fixture.offer(ben, rematch), "done");
  EXPECT_EQ(fixture.offer(ben, rematch), "again");
  EXPECT_FALSE(fixture.room->rematch_agreed());
  EXPECT_EQ(fixture.agree(anna, rematch), "done");
  EXPECT_EQ(fixture.agree(anna, rematch), "again");
  ASSERT_TRUE(fixture.room->rematch_agreed());
  const RoomPlan next = fixture.room->rematch_plan();
  EXPECT_EQ(next.seated->at(0), ben);
  EXPECT_EQ(next.seated->at(1), anna);
  EXPECT_EQ(next.clock->left, 5min);
  EXPECT_EQ(next.clock->increment, 3s);
  EXPECT_TRUE(next.rated && next.listed);
  EXPECT_EQ(next.game->notation().spec(), plan.game->notation().spec());
  const Event told = fixture.room->rematch_opened("room2", fixture.now);
  EXPECT_EQ(json_of(told)["room"], "room2");
  EXPECT_FALSE(fixture.room->rematch_agreed());
  EXPECT_EQ(fixture.snapshot()["rematch"], "room2");
  expect_same(*fixture.room, *restored(*fixture.room, fixture.room->last_number()), fixture.now);
  const auto applied = fixture.room->apply(anna, command::Play{"x", "y", std::nullopt}, fixture.now);
  EXPECT_EQ(applied.answer.error().details["rematch"], "room2");
  EXPECT_EQ(fixture.offers(), "");
  const auto offered = fixture.room->apply(ben, command::Offer{rematch}, fixture.now);
  EXPECT_EQ(word_of(offered), "over");
  EXPECT_EQ(offered.answer.error().details["rematch"], "room2");
}

TEST(RoomOffers, a_declined_rematch_is_not_offered_again_by_the_same_player) {
  RoomFixture fixture = begun("othello");
  fixture.resign(anna);
  fixture.offer(ben, rematch);
  EXPECT_EQ(fixture.decline(anna, rematch), "done");
  EXPECT_EQ(fixture.offer(ben, rematch), "too_often");
  EXPECT_EQ(fixture.offer(anna, rematch), "done");
  EXPECT_EQ(fixture.offer(ben, rematch), "done") << "that agrees";
  EXPECT_TRUE(fixture.room->rematch_agreed());
}

TEST(RoomOffers, an_end_by_the_rules_ends_offers) {
  RoomFixture fixture = begun("othello:6x6");
  while (fixture.room->state() == RoomState::running) {
    const Identity& mover = fixture.snapshot()["to_move"] == "first" ? anna : ben;
    fixture.offer(anna, draw);
    ASSERT_EQ(fixture.play(mover, fixture.any_turn()), "done");
  }
  EXPECT_EQ(fixture.offers(), "");
  EXPECT_TRUE(fixture.kinds().ends_with("move ended"));
}

}  // namespace
}  // namespace paika::server
