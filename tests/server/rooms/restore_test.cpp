// Restoring: a room is its events. Whatever people do, at whatever times, the room that is built again from what was
// kept is the same and goes on in the same way; and events that are none of a room's are refused, whatever they are.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "base/random.hpp"
#include "tests/server/rooms/room_fixture.hpp"

namespace paika::server {
namespace {

using namespace paika_tests;
using paika::Random;

template <class T>
const T& pick(Random& random, const std::vector<T>& from) {
  return from[random.index(from.size())];
}

RoomPlan random_plan(Random& random) {
  static const std::vector<std::string> specs = {"fanorona:5x5", "fanorona",    "fanorona:13x13", "abalone",
                                                 "fanorona:3x3", "othello:6x6", "othello",        "wildebeest"};
  RoomPlan plan = plan_of(pick(random, specs), pick<Side>(random, {Side::first, Side::second, Side::random}));
  switch (random.below(4)) {
    case 0: plan.turn_time = 3s; break;
    case 1: plan.clock = GameClock{20s, 500ms}; break;
    case 2: plan.clock = GameClock{5s, 0ms}; break;
    default: break;
  }
  plan.rated = random.one_in(2);
  plan.listed = random.one_in(2);
  if (random.one_in(3)) {
    plan.engine_level = 3;
  } else if (random.one_in(4)) {
    plan.seated = {ben, anna};
  }
  if (random.one_in(5)) {
    auto session = plan.game->start();
    std::string text;
    session->for_each_turn([&](const ListedTurn& turn) {
      text = turn.text;
      return random.one_in(3);
    });
    EXPECT_TRUE(session->try_play(text));
    if (!session->outcome().over()) plan.start = session->position_text();
  }
  return plan;
}

/// One of the first legal turns; on a large board there are too many to list.
std::string random_turn(const Room& room, Random& random) {
  std::vector<std::string> turns;
  room.session_copy()->for_each_turn([&](const ListedTurn& turn) {
    turns.push_back(turn.text);
    return turns.size() < 30;
  });
  return turns.empty() ? "pass" : pick(random, turns);
}

Command random_command(const Room& room, Random& random) {
  const OfferKind kind = all_offers[random.index(all_offers.size())];
  switch (random.below(24)) {
    case 0: return command::Join{};
    case 1:
    case 2: return command::Offer{kind};
    case 3: return command::Agree{kind};
    case 4: return command::Decline{kind};
    case 5: return random.one_in(8) ? Command(command::Resign{}) : Command(command::Join{});
    case 6: return random.one_in(8) ? Command(command::Abort{}) : Command(command::Offer{OfferKind::takeback});
    case 7: return command::Say{pick<std::string>(random, {"hi", "", "a\nb", "\xff", "ok ✓"}), ""};
    case 8: return command::Say{"", pick<std::string>(random, {"hello", "nonsense"})};
    case 9: return command::Play{pick<std::string>(random, {"", "rubbish", "a1", "\xff", "d3d4d5"}), "r", 1};
    case 10: return command::Play{random_turn(room, random), "same", std::nullopt};
    case 11: return command::Play{random_turn(room, random), std::to_string(random.below(9)), int(random.below(9))};
    default: return command::Play{random_turn(room, random), std::to_string(random.next()), std::nullopt};
  }
}

void pass_time(RoomFixture& fixture, Random& random) {
  const auto deadline = fixture.room->next_deadline();
  switch (random.below(12)) {
    case 0: fixture.now += 1us; break;
    case 1:
      if (deadline && random.one_in(3)) fixture.now = std::max(fixture.now, *deadline - 1us);
      break;
    case 2:
      if (deadline && random.one_in(6)) fixture.now = std::max(fixture.now, *deadline);
      break;
    case 3: fixture.now += std::chrono::microseconds(random.below(3'000'000)); break;
    case 4: fixture.now -= std::min<ServerTime>(fixture.now, 50ms); break;  // as after a crash
    default: fixture.now += std::chrono::microseconds(random.below(100'000)); break;
  }
}

/// The person whose turn it is, else anybody.
const Identity& random_person(const RoomFixture& fixture, Random& random) {
  static const Identity nobody;
  if (random.one_in(5)) return pick<Identity>(random, {anna, ben, eve, guest, nobody}) == anna ? anna : eve;
  const auto& mover = fixture.room->seat(fixture.room->session_copy()->board().to_move);
  for (const Identity* who : {&anna, &ben, &guest}) {
    if (mover && mover->person == who->person) return *who;
  }
  return random.one_in(2) ? anna : random.one_in(2) ? ben : guest;
}

std::vector<std::string> texts_of(std::span<const Event> events) {
  std::vector<std::string> texts;
  for (const Event& event : events) texts.push_back(*event.text);
  return texts;
}

/// Every beginning of the events is a room; what its last event leads to is told again in the same words.
void expect_every_beginning_goes_on(const Room& room) {
  const auto events = room.events_after(0);
  for (std::size_t count = 1; count <= events.size(); ++count) {
    const auto part = restored(room, count);
    const ServerTime at = events[count - 1].at;
    if (part->next_deadline() != at) continue;
    const auto told = part->tick(at);
    ASSERT_FALSE(told.empty());
    ASSERT_LE(count + told.size(), events.size());
    ASSERT_EQ(texts_of(told), texts_of(events.subspan(count, told.size())));
    ASSERT_NE(part->next_deadline(), at);
  }
}

/// Does one thing at the table and the same in a room that is restored just before.
void do_something(RoomFixture& fixture, Random& random) {
  pass_time(fixture, random);
  const auto twin = restored(*fixture.room, fixture.room->last_number());
  const auto task = fixture.room->engine_task(fixture.now);
  if (task && !random.one_in(4)) {
    const std::string turn = random.one_in(60) ? "rubbish" : random_turn(*fixture.room, random);
    const auto told = twin->engine_played(*task, turn, fixture.now);
    ASSERT_EQ(fixture.engine_plays(*task, turn), kinds_of(told));
    return;
  }
  if (random.one_in(10)) {
    const auto told = twin->tick(fixture.now);
    ASSERT_EQ(fixture.tick(), kinds_of(told));
    return;
  }
  const Identity who = random_person(fixture, random);
  const Command command = random_command(*fixture.room, random);
  const Applied applied = fixture.apply(who, command);
  const Applied by_twin = twin->apply(who, command, fixture.now);
  // How fast somebody has chatted is forgotten.
  if (std::holds_alternative<command::Say>(command) && word_of(applied) == "too_often") return;
  ASSERT_EQ(word_of(applied), word_of(by_twin));
  ASSERT_EQ(texts_of(applied.events), texts_of(by_twin.events));
  if (applied.answer) {
    ASSERT_EQ(applied.answer->number, by_twin.answer->number);
  } else {
    ASSERT_EQ(applied.answer.error().details.dump(), by_twin.answer.error().details.dump());
  }
}

TEST(RoomRestore, the_same_room_whatever_people_do) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    RoomFixture fixture(random_plan(random), anna, seed);
    for (int i = 0; i < 60 && !HasFatalFailure(); ++i) do_something(fixture, random);
    if (HasFatalFailure()) return;
    if (fixture.room->awaits_rating()) (void)fixture.room->rated({{{1500, 1510}, {1500, 1490}}}, fixture.now);
    if (fixture.room->rematch_agreed()) (void)fixture.room->rematch_opened("next", fixture.now);
    expect_same(*fixture.room, *restored(*fixture.room, fixture.room->last_number()), fixture.now);
    expect_every_beginning_goes_on(*fixture.room);
    for (const Event& event : fixture.room->events_after(0)) seen.insert(json_of(event)["event"]);
  }
  // The test is worth something only if everything has happened.
  EXPECT_EQ(seen.size(), 12U);
}

// ---- What is not a room ----

std::vector<Event> lively_events(std::uint64_t seed) {
  Random random(seed);
  RoomPlan plan = plan_of(seed % 2 == 0 ? "othello:6x6" : "fanorona:5x5");
  plan.clock = GameClock{20s, 0s};
  plan.rated = true;
  RoomFixture fixture = begun(plan);
  for (int i = 0; i < 12; ++i) do_something(fixture, random);
  fixture.play(anna, fixture.any_turn());
  fixture.offer(anna, OfferKind::takeback);
  fixture.agree(ben, OfferKind::takeback);
  fixture.play(anna, fixture.any_turn());
  fixture.resign(ben);
  fixture.offer(ben, OfferKind::rematch);
  fixture.agree(anna, OfferKind::rematch);
  if (fixture.room->awaits_rating()) (void)fixture.room->rated({{{1500, 1510}, {1500, 1490}}}, fixture.now);
  if (fixture.room->rematch_agreed()) (void)fixture.room->rematch_opened("next", fixture.now);
  const auto all = fixture.room->events_after(0);
  return {all.begin(), all.end()};
}

Event with_text(const Event& event, const std::string& text) {
  return {event.number, event.at, std::make_shared<const std::string>(text)};
}

std::string error_of(const std::vector<Event>& events) {
  const auto room = Room::restore("room1", events, {anna.person, ben.person});
  return room ? "" : room.error().message;
}

TEST(RoomRestore, says_which_event_is_wrong) {
  const std::vector<Event> good = lively_events(0);
  ASSERT_EQ(error_of(good), "");
  EXPECT_EQ(error_of({}), "event 1: there is none");
  std::vector<Event> gap = good;
  gap.erase(gap.begin() + 2);
  EXPECT_EQ(error_of(gap), "event 3: it has the number 4");
  std::vector<Event> twice = good;
  twice.insert(twice.begin() + 2, good[2]);
  EXPECT_EQ(error_of(twice), "event 4: it has the number 3");
  const auto with = [&](std::size_t index, const std::string& text) {
    std::vector<Event> events = good;
    events[index] = with_text(good[index], text);
    return error_of(events);
  };
  EXPECT_EQ(with(1, "{"), "event 2: its text is not JSON");
  EXPECT_EQ(with(1, "[]"), "event 2: it is not a JSON object");
  EXPECT_EQ(with(1, "\xff"), "event 2: its text is not JSON");
  EXPECT_EQ(with(1, "{}"), "event 2: \"number\" is missing");
  EXPECT_EQ(with(1, R"({"number":2,"at_us":1000001,"event":"joined"})"), "event 2: its text has another time");
  EXPECT_EQ(with(1, R"({"number":2,"at_us":1000000,"event":"created"})"),
            "event 2: the first event is \"created\", and no other");
  EXPECT_EQ(with(0, R"({"number":1,"at_us":1000000,"event":"chat"})"),
            "event 1: the first event is \"created\", and no other");
  EXPECT_EQ(with(1, R"({"number":2,"at_us":1000000,"event":"rain"})"), "event 2: there is no event \"rain\"");
  EXPECT_EQ(with(1, R"({"number":2,"at_us":1000000,"event":"begun","rated":false})"),
            "event 2: no game can begin here");
  EXPECT_TRUE(with(0, R"({"number":1,"at_us":1000000,"event":"created","room":"room1","spec":"chess"})")
                  .starts_with("event 1: "));
  std::vector<Event> no_text = good;
  no_text[1].text = nullptr;
  EXPECT_EQ(error_of(no_text), "event 2: it has no text");
  std::vector<Event> backwards = good;
  backwards[1].at -= 1us;
  EXPECT_EQ(error_of(backwards), "event 2: it happened at 999999 us");
  EXPECT_FALSE(Room::restore("another", good, {1, 2}));
  EXPECT_FALSE(Room::restore("room1", good, {1, 1}));
  EXPECT_TRUE(Room::restore("room1", good, {0, 0})) << "people who are gone leave their games";
}

TEST(RoomRestore, ratings_are_those_of_two) {
  const std::vector<Event> good = lively_events(0);
  const auto rated =
      std::find_if(good.begin(), good.end(), [](const Event& e) { return json_of(e)["event"] == "rated"; });
  ASSERT_NE(rated, good.end());
  for (const char* seats :
       {"[]", R"([{"before":1,"after":2}])", R"({"a":{"before":1,"after":2},"b":{"before":1,"after":2}})", "2",
        R"([{"before":1,"after":2},{"before":1,"after":2},{"before":1,"after":2}])"}) {
    auto text = json_of(*rated);
    text["seats"] = Json::parse(seats);
    std::vector<Event> events = good;
    events[static_cast<std::size_t>(rated - good.begin())] = with_text(*rated, text.dump());
    EXPECT_NE(error_of(events).find("\"seats\" must be a list of two"), std::string::npos) << seats;
  }
}

TEST(RoomRestore, refuses_a_turn_that_the_rules_or_the_clock_forbid) {
  RoomPlan plan = plan_of("othello");
  plan.turn_time = 2s;
  RoomFixture fixture = begun(plan);
  fixture.now += 1s;
  ASSERT_EQ(fixture.play(anna, "d3"), "done");
  const auto all = fixture.room->events_after(0);
  std::vector<Event> events(all.begin(), all.end());
  ASSERT_EQ(error_of(events), "");
  const auto with = [&](const char* key, const Json& value, ServerTime at) {
    Json json = json_of(all.back());
    json[key] = value;
    json["at_us"] = at.count();
    events.back() = {all.back().number, at, std::make_shared<const std::string>(json.dump())};
    return error_of(events);
  };
  EXPECT_TRUE(with("text", "a1", 2s).starts_with("event 4: \"a1\": ")) << with("text", "a1", 2s);
  EXPECT_EQ(with("seat", "second", 2s), "event 4: the other player is to move");
  EXPECT_EQ(with("move", 2, 2s), "event 4: it is another move's time");
  EXPECT_EQ(with("text", "d3", 3s), "");
  EXPECT_EQ(with("text", "d3", 3s + 1us), "event 4: the move comes too late");
}

/// Something else in the place of a value.
Json rubbish(Random& random) {
  switch (random.below(12)) {
    case 0: return nullptr;
    case 1: return true;
    case 2: return -1;
    case 3: return random.next();
    case 4: return 1e300;
    case 5: return "first";
    case 6: return "second";
    case 7: return Json::array({Json::object(), 3});
    case 8: return Json::object({{"engine", 3}, {"name", "x"}, {"member", false}});
    case 9: return "time";
    case 10: return std::int64_t(random.below(20));
    default: return "takeback";
  }
}

void change_event(Event& event, const std::vector<Event>& all, Random& random) {
  Json json = Json::parse(*event.text, nullptr, false);
  if (json.is_object() && !json.empty()) {
    auto field = json.begin();
    std::advance(field, static_cast<std::ptrdiff_t>(random.index(json.size())));
    if (random.one_in(4)) {
      json.erase(field);
    } else {
      *field = rubbish(random);
    }
    if (random.one_in(3)) json["event"] = json_of(all[random.index(all.size())])["event"];
  }
  std::string text = json.dump();
  if (random.one_in(6) && !text.empty()) text[random.index(text.size())] = static_cast<char>(random.below(256));
  event.text = std::make_shared<const std::string>(text);
}

/// Numbers and times that fit again, so that more than the first check is tried.
void put_in_order(std::vector<Event>& events) {
  ServerTime at{0};
  for (std::size_t i = 0; i < events.size(); ++i) {
    at = std::max(at, events[i].at);
    Json json = Json::parse(*events[i].text, nullptr, false);
    events[i].number = i + 1;
    events[i].at = at;
    if (!json.is_object()) continue;
    json["number"] = i + 1;
    json["at_us"] = at.count();
    events[i].text = std::make_shared<const std::string>(json.dump());
  }
}

/// A room that came out of strange events must be usable all the same.
void use(Room& room, Random& random) {
  const ServerTime now = room.events_after(0).back().at + std::chrono::microseconds(random.below(10'000'000));
  (void)room.snapshot(now);
  (void)room.tick(now);
  for (int i = 0; i < 4; ++i) {
    (void)room.apply(random.one_in(2) ? anna : ben, random_command(room, random), now);
    if (const auto task = room.engine_task(now)) (void)room.engine_played(*task, random_turn(room, random), now);
  }
  if (room.rematch_agreed()) (void)room.rematch_plan();
  if (room.has_begun()) (void)room.record(now);
  const auto again = restored(room, room.last_number());
  expect_same(room, *again, now);
}

TEST(RoomRestore, survives_whatever_the_store_holds) {
  const std::vector<std::vector<Event>> sources = {lively_events(0), lively_events(1), lively_events(3)};
  Random random(99);
  int rooms = 0;
  for (int trial = 0; trial < 3000 && !HasFatalFailure(); ++trial) {
    SCOPED_TRACE(trial);
    const std::vector<Event>& source = pick(random, sources);
    std::vector<Event> events(source.begin(),
                              source.begin() + static_cast<std::ptrdiff_t>(1 + random.index(source.size())));
    for (std::uint64_t i = random.below(3); i > 0; --i)
      change_event(events[random.index(events.size())], source, random);
    if (random.one_in(3)) events.erase(events.begin() + static_cast<std::ptrdiff_t>(random.index(events.size())));
    if (random.one_in(3)) events.push_back(source[random.index(source.size())]);
    if (!events.empty() && random.one_in(3)) std::swap(events[random.index(events.size())], events.back());
    if (!random.one_in(8)) put_in_order(events);
    const auto room = Room::restore("room1", events, {anna.person, ben.person});
    if (room) {
      ++rooms;
      use(**room, random);
      continue;
    }
    ASSERT_TRUE(room.error().message.starts_with("event ")) << room.error().message;
    ASSERT_LT(room.error().message.size(), 1500U);
  }
  EXPECT_GT(rooms, 100);
  EXPECT_LT(rooms, 2900);
}

}  // namespace
}  // namespace paika::server
