// Erasing a person: nothing of him is left anywhere in the file, and the games of others stay whole.
#include "engine/json.hpp"
#include "tests/server/store/fixture.hpp"
#include "tests/support/files.hpp"

namespace paika::server {
namespace {

using paika_tests::event;
using paika_tests::row;
using paika_tests::texts_of;

class StoreErase : public paika_tests::StoreTest {
 protected:
  void play(const RoomId& id, const std::array<PersonId, 2>& persons, const std::array<std::string, 2>& names,
            const std::vector<std::pair<std::string, PersonId>>& acts) {
    auto game = row(id);
    game.persons = persons;
    game.names = names;
    store->add_room(game);
    std::uint64_t number = 0;
    for (const auto& [text, person] : acts) {
      const Event one = event(++number, text, person);
      store->add_events(id, std::span(&one, 1));
    }
  }
  std::vector<std::string> texts(const RoomId& id) { return texts_of(store->events(id)); }
  using Texts = std::vector<std::string>;
};

TEST_F(StoreErase, takes_conditional_moves_and_leaves_those_of_the_opponent) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  play("a", {ann, bob}, {"ann", "bob"}, {});
  play("b", {bob, ann}, {"bob", "ann"}, {});
  for (const char* const room : {"a", "b"}) {
    for (const char* const seat : {"first", "second"}) store->save_conditional_moves(room, seat, "[]");
  }
  store->erase_person(ann);
  reopen();
  EXPECT_EQ(store->conditional_moves("a", "first"), "");
  EXPECT_EQ(store->conditional_moves("a", "second"), "[]");
  EXPECT_EQ(store->conditional_moves("b", "first"), "[]");
  EXPECT_EQ(store->conditional_moves("b", "second"), "");
}

TEST_F(StoreErase, takes_account_sessions_tokens_and_ratings) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  store->add_session(ann, "s", 1000, 9000);
  store->add_session(bob, "t", 1000, 9000);
  (void)store->add_token(ann, "bot", "h", 1000);
  play("a", {ann, bob}, {"ann", "bob"}, {});
  (void)store->rate("a", "othello", {ann, bob}, 1);
  store->erase_person(ann);
  reopen();
  EXPECT_FALSE(store->person(ann));
  EXPECT_FALSE(store->person_named("ann"));
  EXPECT_FALSE(store->session_person("s", 2000));
  EXPECT_FALSE(store->token_person("h"));
  EXPECT_TRUE(store->ratings(ann).empty());
  EXPECT_EQ(store->session_person("t", 2000), bob);
  EXPECT_EQ(store->ratings(bob).size(), 1U);
  EXPECT_EQ(store->rooms_of(bob, {}, 9).size(), 1U);
  EXPECT_TRUE(store->rooms_of(ann, {}, 9).empty());
  const auto game = *store->room("a");
  EXPECT_EQ(game.persons, (std::array<PersonId, 2>{0, bob}));
  EXPECT_EQ(game.names, (std::array<std::string, 2>{"deleted", "bob"}));
  EXPECT_TRUE(game.ratings[0] && game.ratings[1]);
  store->erase_person(ann);
  store->erase_person(777);
}

TEST_F(StoreErase, rewrites_names_and_removes_chat) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  play("a", {bob, ann}, {"bob", "ann"},
       {{R"({"number":1,"event":"created","seats":[{"name":"bob","member":true},null]})", bob},
        {R"({"number":2,"event":"joined","seat":1,"who":{"name":"ann","member":true}})", ann},
        {R"({"number":3,"event":"move","seat":0,"text":"ann","left":[1.5,null]})", bob},
        {R"({"number":4,"event":"move","seat":1,"text":"e6"})", ann},
        {R"({"number":5,"event":"chat","who":{"name":"ann"},"text":"my secret \u00e9"})", ann},
        {R"({"number":6,"event":"chat","who":{"name":"ann"},"preset":"hello"})", ann},
        {R"({"number":7,"event":"chat","who":{"name":"bob"},"text":"hi ann"})", bob}});
  const auto before = texts("a");
  store->erase_person(ann);
  EXPECT_EQ(texts("a"),
            (Texts{before[0], R"({"number":2,"event":"joined","seat":1,"who":{"name":"deleted","member":true}})",
                   before[2], before[3], R"({"number":5,"event":"chat","who":{"name":"deleted"},"text":""})",
                   R"({"number":6,"event":"chat","who":{"name":"deleted"},"preset":"hello"})", before[6]}));
  const auto events = store->events("a");
  EXPECT_EQ(events[0].person, bob);
  for (const std::size_t own : {1U, 3U, 4U, 5U}) EXPECT_EQ(events[own].person, 0) << own;
  EXPECT_EQ(events[4].number, 5U);
  EXPECT_EQ(events[4].at, ServerTime(50));
  store->add_events("a", std::vector{event(8, "{}", bob)});
}

TEST_F(StoreErase, finds_the_name_where_others_told_it) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  play("b", {ann, bob}, {"ann", "bob"},
       {{R"({"event":"created","seats":[{"name":"ann"},{"name":"bob"}],"name":"ann"})", bob}});
  store->erase_person(ann);
  EXPECT_EQ(texts("b"), (Texts{R"({"event":"created","seats":[{"name":"deleted"},{"name":"bob"}],"name":"deleted"})"}));
}

TEST_F(StoreErase, finds_the_names_a_guest_had_before) {
  const Person guest = store->add_guest(1000);
  const PersonId bob = member("bob");
  play("a", {guest.id, bob}, {guest.name, "bob"},
       {{fmt::format(R"({{"event":"created","seats":[{{"name":"{}"}},{{"name":"bob"}}]}})", guest.name), bob}});
  play("b", {bob, 0}, {"bob", "Paika, level 3"},
       {{fmt::format(R"({{"event":"chat","who":{{"name":"{}"}},"text":"hi"}})", guest.name), guest.id}});
  ASSERT_TRUE(store->make_member(guest.id, "ann", "hash"));
  store->erase_person(guest.id);
  EXPECT_EQ(texts("a"), (Texts{R"({"event":"created","seats":[{"name":"deleted"},{"name":"bob"}]})"}));
  EXPECT_EQ(texts("b"), (Texts{R"({"event":"chat","who":{"name":"deleted"},"text":""})"}));
  EXPECT_EQ(store->room("a")->names[0], "deleted");
  EXPECT_EQ(store->room("b")->names, (std::array<std::string, 2>{"bob", "Paika, level 3"}));
}

TEST_F(StoreErase, leaves_other_rooms_and_odd_texts_alone) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  play("theirs", {bob, 0}, {"bob", "x"},
       {{R"({"event":"chat","who":{"name":"ann"},"text":"ann of another day"})", bob}});
  const Texts odd = {"",
                     "rubbish \"name\" {",
                     "[]",
                     R"({"who":7,"name":[{"name":8}]})",
                     R"({"event":["chat"],"text":"x"})",
                     R"({"who":{"name":null},"event":"chat"})"};
  std::vector<std::pair<std::string, PersonId>> acts;
  for (const auto& text : odd) acts.emplace_back(text, ann);
  play("odd", {ann, 0}, {"ann", ""}, acts);
  store->erase_person(ann);
  EXPECT_EQ(texts("odd"), odd);
  EXPECT_EQ(texts("theirs"), (Texts{R"({"event":"chat","who":{"name":"ann"},"text":"ann of another day"})"}));
}

TEST_F(StoreErase, what_a_room_still_knows_of_the_person_does_not_come_back) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  play("a", {ann, bob}, {"ann", "bob"}, {});
  auto known = *store->room("a");
  store->erase_person(ann);
  known.turns = 5;
  store->change_room(known);
  EXPECT_EQ(store->room("a")->turns, 5);
  EXPECT_EQ(store->room("a")->persons, (std::array<PersonId, 2>{0, bob}));
  EXPECT_EQ(store->room("a")->names[0], "deleted");
  known.id = "b";
  store->add_room(known);
  EXPECT_EQ(store->room("b")->names[0], "deleted");
  store->add_events("a", std::vector{event(1, R"({"event":"chat","who":{"name":"ann"},"text":"late"})", ann)});
  EXPECT_EQ(texts("a"), (Texts{R"({"event":"chat","who":{"name":"deleted"},"text":""})"}));
  EXPECT_EQ(store->events("a")[0].person, 0);
  // Nor do the ratings, and the opponent's still count.
  const auto told = store->rate("a", "othello", {ann, bob}, 0);
  EXPECT_EQ(told[0].first, 1500);
  EXPECT_TRUE(store->ratings(ann).empty());
  EXPECT_EQ(store->ratings(bob).size(), 1U);
}

TEST_F(StoreErase, leaves_no_trace_in_the_file) {
  if (paika_tests::on_postgresql()) GTEST_SKIP() << "about files of SQLite";
  const Person guest = store->add_guest(1000);
  ASSERT_TRUE(store->make_member(guest.id, "annabellaannabella", "passwordpasswordhash"));
  store->add_session(guest.id, "sessionsessionhash", 1, 2);
  play("a", {guest.id, 0}, {"annabellaannabella", ""},
       {{R"({"event":"chat","who":{"name":"annabellaannabella"},"text":"whisperwhisper"})", guest.id}});
  store.reset();
  const Texts words = {"annabellaannabella", "passwordpasswordhash", "sessionsessionhash", "whisperwhisper"};
  const std::string before = paika_tests::read_whole(path);
  for (const auto& word : words) EXPECT_NE(before.find(word), std::string::npos) << word;
  open();
  store->erase_person(guest.id);
  store.reset();
  const std::string after = paika_tests::read_whole(path);
  for (const auto& word : words) EXPECT_EQ(after.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace paika::server
