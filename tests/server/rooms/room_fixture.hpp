// A room with people around it and a clock in the test's hand.
//
// Whatever is done at the table is checked for what must hold of every command: the events go on by number and time,
// are JSON that says the same, tell nobody's account, and the room that is restored from them is the same room.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/rooms/room.hpp"
#include "tests/support/session.hpp"

namespace paika_tests {

using namespace std::chrono_literals;
using paika::Json;
using paika::Player;
using paika::server::Applied;
using paika::server::Command;
using paika::server::Event;
using paika::server::Identity;
using paika::server::OfferKind;
using paika::server::Room;
using paika::server::RoomPlan;
using paika::server::RoomState;
using paika::server::ServerTime;
using paika::server::Side;
namespace command = paika::server::command;

inline const Identity anna{918273641, "anna", true};
inline const Identity ben{918273642, "ben", true};
inline const Identity guest{918273643, "guest-x7k2p", false};
inline const Identity eve{918273644, "eve", true};

inline RoomPlan plan_of(std::string_view spec, Side side = Side::first) {
  RoomPlan plan;
  plan.game = must_open(spec);
  plan.side = side;
  return plan;
}

/// What a command came to, in a word: the code of its refusal, "done" or "again".
inline std::string word_of(const Applied& applied) {
  if (!applied.answer) return applied.answer.error().code;
  return applied.answer->repeated ? "again" : "done";
}

inline Json json_of(const Event& event) { return Json::parse(*event.text); }

/// The kinds of events in order: "move ended".
inline std::string kinds_of(const std::vector<Event>& events) {
  std::string kinds;
  for (const Event& event : events) kinds += (kinds.empty() ? "" : " ") + json_of(event)["event"].get<std::string>();
  return kinds;
}

inline std::array<paika::server::PersonId, 2> persons_of(const Room& room) {
  const auto person = [&](Player p) { return room.seat(p) ? room.seat(p)->person : 0; };
  return {person(Player::first), person(Player::second)};
}

inline std::unique_ptr<Room> restored(const Room& room, std::size_t events) {
  return must(Room::restore(room.id(), room.events_after(0).first(events), persons_of(room)), "restore");
}

/// Everything that can be asked of both is the same.
inline void expect_same(const Room& a, const Room& b, ServerTime now) {
  ASSERT_EQ(a.snapshot(now).dump(), b.snapshot(now).dump());
  ASSERT_EQ(a.state(), b.state());
  ASSERT_EQ(a.next_deadline(), b.next_deadline());
  ASSERT_EQ(a.awaits_rating(), b.awaits_rating());
  ASSERT_EQ(a.rematch_agreed(), b.rematch_agreed());
  ASSERT_EQ(a.result(), b.result());
  for (const Player player : {Player::first, Player::second}) {
    ASSERT_EQ(a.seat(player), b.seat(player));
    ASSERT_EQ(a.engine_at(player), b.engine_at(player));
  }
  const auto task = a.engine_task(now);
  const auto other = b.engine_task(now);
  ASSERT_EQ(task.has_value(), other.has_value());
  if (task) {
    ASSERT_EQ(task->position, other->position);
    ASSERT_EQ(task->turns, other->turns);
    ASSERT_EQ(task->limits.move_time, other->limits.move_time);
  }
  ASSERT_EQ(a.session_copy()->position_text(), b.session_copy()->position_text());
  ASSERT_EQ(a.last_number(), b.last_number());
}

class RoomFixture {
 public:
  explicit RoomFixture(const RoomPlan& plan, const Identity& opener = anna, std::uint64_t seed = 1) {
    auto opened = must(Room::open("room1", plan, opener, now, seed), "open");
    room = std::move(opened.first);
    check(opened.second);
  }

  Applied apply(const Identity& who, const Command& what) {
    Applied applied = room->apply(who, what, now);
    check(applied.events);
    if (applied.answer) {
      const auto number = applied.answer->number;
      EXPECT_TRUE(number >= 1 && number <= room->last_number());
      EXPECT_TRUE(applied.answer->repeated || (!applied.events.empty() && number >= applied.events.front().number));
    } else {
      EXPECT_FALSE(applied.answer.error().message.empty());
      EXPECT_TRUE(applied.answer.error().details.is_object());
    }
    return applied;
  }
  std::string play(const Identity& who, const std::string& text, std::optional<int> number = std::nullopt) {
    return word_of(apply(who, command::Play{text, "id" + std::to_string(++ids_), number}));
  }
  std::string offer(const Identity& who, OfferKind what) { return word_of(apply(who, command::Offer{what})); }
  std::string agree(const Identity& who, OfferKind what) { return word_of(apply(who, command::Agree{what})); }
  std::string decline(const Identity& who, OfferKind what) { return word_of(apply(who, command::Decline{what})); }
  std::string say(const Identity& who, const std::string& text) { return word_of(apply(who, command::Say{text, ""})); }
  std::string resign(const Identity& who) { return word_of(apply(who, command::Resign{})); }
  std::string abort(const Identity& who) { return word_of(apply(who, command::Abort{})); }
  std::string join(const Identity& who) { return word_of(apply(who, command::Join{})); }
  std::string tick() { return told(room->tick(now)); }
  std::string engine_plays(const paika::server::EngineTask& task, const std::string& turn) {
    return told(room->engine_played(task, turn, now));
  }

  [[nodiscard]] Json snapshot() const { return room->snapshot(now); }
  [[nodiscard]] std::string offers() const {
    const Json shown = snapshot();
    std::string all;
    for (const Json& offer : shown["offers"]) {
      all += (all.empty() ? "" : " ") + offer["seat"].get<std::string>() + ":" + offer["what"].get<std::string>();
    }
    return all;
  }
  [[nodiscard]] Json last_event() const { return json_of(room->events_after(0).back()); }
  /// The kinds of all events.
  [[nodiscard]] std::string kinds() const {
    const auto all = room->events_after(0);
    return kinds_of({all.begin(), all.end()});
  }
  /// A legal turn of the position as it stands, one that does not end the game if there is such a one.
  [[nodiscard]] std::string any_turn() const {
    std::string text;
    const auto session = room->session_copy();
    const auto trial = room->session_copy();
    session->for_each_turn([&](const paika::ListedTurn& turn) {
      text = turn.text;
      trial->play(turn.steps);
      const bool over = trial->outcome().over();
      trial->undo();
      return over;
    });
    return text;
  }

  std::unique_ptr<Room> room;
  ServerTime now = 1s;

 private:
  std::string told(const std::vector<Event>& events) {
    check(events);
    return kinds_of(events);
  }

  void check(const std::vector<Event>& events) {
    for (const Event& event : events) {
      EXPECT_EQ(event.number, ++last_number_);
      EXPECT_GE(event.at, last_at_);
      last_at_ = event.at;
      const Json json = json_of(event);
      EXPECT_EQ(json["number"], event.number);
      EXPECT_EQ(json["at_us"], event.at.count());
      EXPECT_EQ(event.text->find("91827364"), std::string::npos) << "a person's number: " << *event.text;
    }
    EXPECT_EQ(room->last_number(), last_number_);
    EXPECT_EQ(room->events_after(last_number_ - events.size()).size(), events.size());
    const ServerTime later = std::max(now, last_at_) + 1234567us;
    for (const ServerTime when : {now, later}) expect_same(*room, *restored(*room, last_number_), when);
  }

  std::uint64_t last_number_ = 0;
  ServerTime last_at_{0};
  int ids_ = 0;
};

/// A game between anna, who is first, and ben.
inline RoomFixture begun(const RoomPlan& plan) {
  RoomFixture fixture(plan);
  EXPECT_EQ(fixture.join(ben), "done");
  return fixture;
}
inline RoomFixture begun(std::string_view spec) { return begun(plan_of(spec)); }

}  // namespace paika_tests
