// Rooms in the store: rows as they were, events without gaps, and the lists.

#include "tests/server/store/fixture.hpp"

namespace paika::server {
namespace {

using paika_tests::event;
using paika_tests::events_from;
using paika_tests::Ids;
using paika_tests::ids_of;
using paika_tests::row;
using paika_tests::tamper;
using paika_tests::texts_of;

class StoreRooms : public paika_tests::StoreTest {};

void expect_same(const RoomRow& a, const RoomRow& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.spec, b.spec);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.persons, b.persons);
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.rated, b.rated);
  EXPECT_EQ(a.listed, b.listed);
  EXPECT_EQ(a.turns, b.turns);
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.reason, b.reason);
  EXPECT_EQ(a.ratings, b.ratings);
  EXPECT_EQ(a.created, b.created);
  EXPECT_EQ(a.changed, b.changed);
}

TEST_F(StoreRooms, come_back_as_they_were) {
  const PersonId ann = member("ann");
  RoomRow a = row("a", RoomState::open);
  a.persons = {0, ann};
  a.names = {"Paika, level 7", "ann \"'; DROP TABLE rooms; --"};
  a.listed = true;
  a.rated = true;
  store->add_room(a);
  expect_same(*store->room("a"), a);

  RoomRow changed = a;
  changed.state = RoomState::ended;
  changed.persons = {ann, 0};
  changed.names = {"ann", ""};
  changed.turns = 61;
  changed.verdict = "first_wins";
  changed.reason = "majority";
  changed.ratings = {std::pair(1500.0, 1512.25), std::pair(1600.5, 1588.25)};
  changed.changed = 9999;
  RoomRow given = changed;  // these do not change
  given.spec = "other";
  given.rated = false;
  given.listed = false;
  given.created = 5;
  store->change_room(given);
  reopen();
  expect_same(*store->room("a"), changed);
  EXPECT_FALSE(store->room("A"));
  EXPECT_FALSE(store->room(""));
}

TEST_F(StoreRooms, that_do_not_exist_or_exist_twice_are_errors) {
  EXPECT_THROW(store->change_room(row("none")), StoreError);
  store->add_room(row("a"));
  EXPECT_THROW(store->add_room(row("a")), StoreError);
  const auto events = events_from(1, {"x"});
  EXPECT_THROW(store->add_events("none", events), StoreError);
  EXPECT_TRUE(store->events("none").empty());
}

TEST_F(StoreRooms, events_come_back_in_order_from_where_one_asks) {
  store->add_room(row("a"));
  store->add_room(row("b"));
  const PersonId ann = member("ann");
  store->add_events("a", events_from(1, {"one", "two"}));
  const Event third = event(3, "three \xC3\xA9", ann);
  store->add_events("a", std::span(&third, 1));
  store->add_events("b", events_from(1, {"other"}));
  store->add_events("a", {});
  reopen();
  const auto events = store->events("a");
  ASSERT_EQ(texts_of(events), (Ids{"one", "two", "three \xC3\xA9"}));
  EXPECT_EQ(events[1].number, 2U);
  EXPECT_EQ(events[1].at, ServerTime(20));
  EXPECT_EQ(events[1].person, 0);
  EXPECT_EQ(events[2].person, ann);
  EXPECT_EQ(texts_of(store->events("a", 2)), (Ids{"three \xC3\xA9"}));
  EXPECT_TRUE(store->events("a", 3).empty());
  EXPECT_TRUE(store->events("a", ~std::uint64_t{0}).empty());
}

TEST_F(StoreRooms, events_come_in_pages) {
  store->add_room(row("a"));
  for (std::uint64_t n = 1; n <= 10; ++n) {
    const Event one = event(n, std::string(100, 'x'));
    store->add_events("a", std::span(&one, 1));
  }
  EXPECT_EQ(store->events("a", 0, 1).size(), 1U) << "one at least";
  EXPECT_EQ(store->events("a", 0, 250).size(), 3U);
  EXPECT_EQ(store->events("a", 3, 250).front().number, 4U);
  EXPECT_EQ(store->events("a", 8, 250).size(), 2U);
  EXPECT_TRUE(store->events("a", 10, 250).empty());
}

/// What is wrong with a room's events; "" if nothing is.
std::string fault_of(Store& store, const RoomId& room) {
  try {
    static_cast<void>(store.events(room));
    return "";
  } catch (const DamagedRoom& error) {
    return error.what();
  }
}

TEST_F(StoreRooms, an_event_that_was_changed_is_known_by_its_checksum) {
  for (const char* change : {"text = 'tvo'", "at_us = 21", "text = 'two '", "checksum = checksum + 1"}) {
    store->add_room(row("a"));
    store->add_room(row("b"));
    store->add_events("a", events_from(1, {"one", "two", "three"}));
    store->add_events("b", events_from(1, {"one"}));
    store.reset();
    tamper(path, fmt::format("UPDATE events SET {} WHERE room = 'a' AND number = 2", change));
    open();
    const std::string fault = fault_of(*store, "a");
    EXPECT_NE(fault.find("room \"a\""), std::string::npos) << fault;
    EXPECT_NE(fault.find("event 2 does not have its checksum"), std::string::npos) << change << ": " << fault;
    EXPECT_EQ(fault_of(*store, "b"), "") << "other rooms are not concerned";
    EXPECT_EQ(store->events("a", 2).size(), 1U) << "nor are the events after it";
    tamper(path, "DELETE FROM rooms");
    tamper(path, "DELETE FROM events");
  }
}

TEST_F(StoreRooms, events_that_changed_places_or_are_missing_are_damage) {
  store->add_room(row("a"));
  store->add_events("a", events_from(1, {"one", "two", "three"}));
  store.reset();
  tamper(path, "DELETE FROM events WHERE number = 2");
  open();
  EXPECT_NE(fault_of(*store, "a").find("event 2 is missing"), std::string::npos);
  store.reset();
  tamper(path, "UPDATE events SET number = 2 WHERE number = 3");
  open();
  EXPECT_NE(fault_of(*store, "a").find("event 2 does not have its checksum"), std::string::npos);
}

TEST_F(StoreRooms, that_are_damaged_are_marked_in_their_rows) {
  RoomRow shown = row("a", RoomState::open);
  shown.listed = true;
  store->add_room(shown);
  EXPECT_FALSE(store->room("a")->damaged);
  store->set_damaged("a", true);
  store->set_damaged("none", true);
  EXPECT_TRUE(store->listed_rooms(RoomState::open, 9).front().damaged);
  store->change_room(shown);
  EXPECT_TRUE(store->room("a")->damaged) << "a change does not mend it";
  store->set_damaged("a", false);
  EXPECT_FALSE(store->room("a")->damaged);
}

TEST_F(StoreRooms, snapshots_grow_and_one_that_was_changed_counts_for_nothing) {
  store->add_room(row("a"));
  EXPECT_EQ(store->snapshot("a").number, 0U);
  store->save_snapshot("a", {7, "seven"}, store->erasures());
  store->save_snapshot("a", {5, "five"}, store->erasures());
  store->save_snapshot("none", {5, "five"}, store->erasures());
  EXPECT_EQ(store->snapshot("a").number, 7U);
  EXPECT_EQ(store->snapshot("a").text, "seven");
  EXPECT_EQ(store->snapshot("none").number, 0U);
  store.reset();
  tamper(path, "UPDATE snapshots SET text = 'sevem'");
  open();
  EXPECT_EQ(store->snapshot("a").number, 0U);
  store->save_snapshot("a", {6, "six"}, store->erasures());
  EXPECT_EQ(store->snapshot("a").text, "six") << "a damaged one is replaced by any";
  store->add_room(row("old", RoomState::open));
  store->save_snapshot("old", {1, "one"}, store->erasures());
  EXPECT_EQ(store->drop_open_rooms(5000), (Ids{"old"}));
  EXPECT_EQ(store->snapshot("old").number, 0U);
}

TEST_F(StoreRooms, a_snapshot_brings_no_erased_name_back) {
  const PersonId ann = member("ann");
  RoomRow played = row("a");
  played.persons = {ann, 0};
  played.names = {"ann", "bob"};
  store->add_room(played);
  const Event said = event(1, R"({"event":"chat","who":{"name":"ann"},"text":"secret"})", ann);
  store->add_events("a", std::span(&said, 1));
  const std::int64_t before = store->erasures();
  store->save_snapshot("a", {1, "ann said: secret"}, before);
  store->erase_person(ann);
  EXPECT_EQ(store->snapshot("a").number, 0U);
  store->save_snapshot("a", {1, "ann said: secret"}, before);
  EXPECT_EQ(store->snapshot("a").number, 0U) << "it was made before";
  EXPECT_EQ(fault_of(*store, "a"), "") << "what was erased has a checksum again";
  store->save_snapshot("a", {1, "deleted said"}, store->erasures());
  EXPECT_EQ(store->snapshot("a").number, 1U);
}

TEST_F(StoreRooms, erasing_does_not_hide_damage) {
  const PersonId ann = member("ann");
  RoomRow played = row("a");
  played.persons = {ann, 0};
  store->add_room(played);
  const Event said = event(1, R"({"event":"chat","who":{"name":"ann"},"text":"x"})", ann);
  store->add_events("a", std::span(&said, 1));
  store.reset();
  tamper(path, "UPDATE events SET at_us = 77");
  open();
  store->erase_person(ann);
  EXPECT_NE(fault_of(*store, "a"), "");
}

TEST_F(StoreRooms, a_gap_or_a_repetition_adds_nothing) {
  store->add_room(row("a"));
  EXPECT_THROW(store->add_events("a", events_from(2, {"gap"})), StoreError);
  EXPECT_THROW(store->add_events("a", events_from(0, {"zero"})), StoreError);
  store->add_events("a", events_from(1, {"one", "two"}));
  EXPECT_THROW(store->add_events("a", events_from(2, {"again", "three"})), StoreError);
  EXPECT_THROW(store->add_events("a", events_from(4, {"gap"})), StoreError);
  auto holed = events_from(3, {"three", "four"});
  holed[1].number = 5;
  EXPECT_THROW(store->add_events("a", holed), StoreError);
  EXPECT_EQ(texts_of(store->events("a")), (Ids{"one", "two"}));
}

TEST_F(StoreRooms, what_fails_together_is_undone_together) {
  EXPECT_THROW(store->atomically([&] {
    store->add_room(row("a"));
    store->atomically([&] { store->add_events("a", events_from(1, {"one"})); });
    store->add_events("a", events_from(1, {"one"}));
  }),
               StoreError);
  EXPECT_FALSE(store->room("a"));
  store->atomically([&] {
    store->add_room(row("a"));
    EXPECT_THROW(store->atomically([&] {
      store->add_events("a", events_from(1, {"one"}));
      throw 7;
    }),
                 int);
    store->add_events("a", events_from(1, {"uno"}));
  });
  EXPECT_EQ(texts_of(store->events("a")), (Ids{"uno"}));
}

TEST_F(StoreRooms, unfinished_are_those_that_run_and_those_whose_ratings_were_not_told) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  store->add_room(row("open", RoomState::open));
  store->add_room(row("running"));
  store->add_room(row("ended", RoomState::ended));
  RoomRow rated = row("rated", RoomState::ended);
  rated.persons = {ann, bob};
  rated.rated = true;
  rated.verdict = "draw";
  store->add_room(rated);
  RoomRow aborted = rated;
  aborted.id = "aborted";
  aborted.verdict = "ongoing";
  store->add_room(aborted);
  EXPECT_EQ(store->unfinished_rooms(), (Ids{"open", "rated", "running"}));

  // Counted but not told: a crash between the two must not lose the telling.
  const auto told = store->rate("rated", "othello", {ann, bob}, 1);
  EXPECT_EQ(store->unfinished_rooms(), (Ids{"open", "rated", "running"}));
  rated.ratings = {told[0], told[1]};
  store->change_room(rated);
  EXPECT_EQ(store->unfinished_rooms(), (Ids{"open", "running"}));
  rated.ratings = {};
  store->change_room(rated);  // who does not know of them does not undo them
  EXPECT_EQ(store->unfinished_rooms(), (Ids{"open", "running"}));
  EXPECT_EQ(store->room("rated")->ratings[0], told[0]);
}

TEST_F(StoreRooms, lists_show_the_newest_listed_ones_first) {
  for (int i = 0; i < 5; ++i) {
    RoomRow open = row(fmt::format("open{}", i), RoomState::open);
    open.listed = i != 2;
    open.created = 100 + i;
    store->add_room(open);
  }
  RoomRow running = row("running");
  running.listed = true;
  store->add_room(running);
  EXPECT_EQ(ids_of(store->listed_rooms(RoomState::open, 3)), (Ids{"open4", "open3", "open1"}));
  EXPECT_EQ(ids_of(store->listed_rooms(RoomState::open, ~std::size_t{0})), (Ids{"open4", "open3", "open1", "open0"}));
  EXPECT_EQ(ids_of(store->listed_rooms(RoomState::running, 9)), (Ids{"running"}));
  EXPECT_TRUE(store->listed_rooms(RoomState::ended, 9).empty());
  EXPECT_TRUE(store->listed_rooms(RoomState::open, 0).empty());
}

TEST_F(StoreRooms, of_a_person_come_page_by_page) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  for (int i = 0; i < 7; ++i) {
    RoomRow played = row(fmt::format("r{}", i), RoomState::ended);
    played.persons = i % 2 == 0 ? std::array{ann, bob} : std::array<PersonId, 2>{0, ann};
    played.changed = 100 + i;
    store->add_room(played);
  }
  EXPECT_EQ(ids_of(store->rooms_of(ann, {}, 3)), (Ids{"r6", "r5", "r4"}));
  EXPECT_EQ(ids_of(store->rooms_of(ann, RoomPlace{104, "r4"}, 3)), (Ids{"r3", "r2", "r1"}));
  EXPECT_EQ(ids_of(store->rooms_of(ann, RoomPlace{101, "r1"}, 3)), (Ids{"r0"}));
  EXPECT_EQ(ids_of(store->rooms_of(bob, {}, 9)), (Ids{"r6", "r4", "r2", "r0"}));
  EXPECT_TRUE(store->rooms_of(0, {}, 9).empty());
}

TEST_F(StoreRooms, open_ones_that_nobody_joined_are_dropped_with_their_events) {
  for (const auto& [id, state, changed] :
       {std::tuple("old", RoomState::open, 10), std::tuple("new", RoomState::open, 20),
        std::tuple("run", RoomState::running, 10), std::tuple("end", RoomState::ended, 10)}) {
    RoomRow some = row(id, state);
    some.changed = changed;
    store->add_room(some);
    store->add_events(id, events_from(1, {"one"}));
  }
  EXPECT_EQ(store->drop_open_rooms(20), (Ids{"old"}));
  EXPECT_EQ(store->drop_open_rooms(20), (Ids{}));
  EXPECT_FALSE(store->room("old"));
  EXPECT_TRUE(store->events("old").empty());
  EXPECT_TRUE(store->room("new") && store->room("run") && store->room("end"));
  store->add_room(row("old"));  // nothing is left of it
  store->add_events("old", events_from(1, {"uno"}));
}

TEST_F(StoreRooms, the_clock_never_goes_back) {
  EXPECT_EQ(store->server_time(), ServerTime(0));
  store->save_server_time(ServerTime(5'000'000'000'000));
  store->save_server_time(ServerTime(4));
  EXPECT_EQ(store->server_time(), ServerTime(5'000'000'000'000));
  reopen();
  EXPECT_EQ(store->server_time(), ServerTime(5'000'000'000'000));
  store->save_server_time(ServerTime(5'000'000'000'001));
  EXPECT_EQ(store->server_time(), ServerTime(5'000'000'000'001));
}

TEST_F(StoreRooms, running_games_come_with_those_that_wait_first) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  const auto add = [&](const RoomId& id, std::array<PersonId, 2> persons, RoomState state, std::string to_move,
                       std::int64_t due_us) {
    RoomRow game = row(id);
    game.persons = persons;
    game.state = state;
    game.to_move = std::move(to_move);
    game.due = ServerTime(due_us);
    game.clock = R"({"move_ms":5})";
    store->add_room(game);
  };
  add("theirs", {ann, bob}, RoomState::running, "second", 10);
  add("later", {bob, ann}, RoomState::running, "second", 200);
  add("ever", {ann, bob}, RoomState::running, "first", 0);
  add("soon", {ann, bob}, RoomState::running, "first", 100);
  add("engine", {ann, 0}, RoomState::running, "first", 1);
  add("over", {ann, bob}, RoomState::ended, "", 0);
  std::string order;
  for (const RoomRow& game : store->running_games_of(ann, 10)) order += game.id + " ";
  EXPECT_EQ(order, "soon later ever theirs ");
  EXPECT_EQ(store->running_games_of(ann, 2).size(), 2U);
  EXPECT_EQ(store->running_games_of(ann, 10)[0].clock, R"({"move_ms":5})");
}

}  // namespace
}  // namespace paika::server
