// People in the store: guests, members, names, sessions and tokens.
#include <set>

#include "tests/server/store/fixture.hpp"

namespace paika::server {
namespace {

using paika_tests::event;
using paika_tests::must;
using paika_tests::row;

class StorePeople : public paika_tests::StoreTest {
 protected:
  std::string refusal(PersonId guest, std::string_view name) const {
    const auto made = store->make_member(guest, name, "hash");
    return made ? "" : made.error().message;
  }
};

TEST_F(StorePeople, guests_have_names_of_their_own) {
  std::set<std::string> names;
  std::set<PersonId> ids;
  for (int i = 0; i < 50; ++i) {
    const Person guest = store->add_guest(1000 + i);
    EXPECT_TRUE(guest.name.starts_with("guest-")) << guest.name;
    EXPECT_FALSE(guest.member);
    EXPECT_GT(guest.id, 0);
    EXPECT_EQ(guest.since, 1000 + i);
    EXPECT_TRUE(names.insert(guest.name).second && ids.insert(guest.id).second);
  }
  reopen();
  for (const PersonId id : ids) EXPECT_TRUE(store->person(id));
}

TEST_F(StorePeople, a_guest_becomes_a_member_once) {
  const Person guest = store->add_guest(1000);
  EXPECT_EQ(store->password_hash(guest.id), std::nullopt);
  EXPECT_THROW(store->set_password_hash(guest.id, "x"), StoreError);
  const Person ann = must(store->make_member(guest.id, "Ann-1", "secret"), "ann");
  EXPECT_EQ(ann.id, guest.id);
  EXPECT_EQ(ann.name, "Ann-1");
  EXPECT_TRUE(ann.member);
  EXPECT_EQ(ann.since, 1000);
  EXPECT_EQ(store->password_hash(ann.id), "secret");
  store->set_password_hash(ann.id, "other");
  EXPECT_EQ(store->password_hash(ann.id), "other");
  EXPECT_EQ(refusal(ann.id, "bob"), "\"Ann-1\" already has an account");
  EXPECT_EQ(refusal(12345, "bob"), "there is no such guest anymore");
  EXPECT_FALSE(store->person_named(guest.name));
}

TEST_F(StorePeople, names_are_taken_in_any_case) {
  const PersonId ann = member("Ann");
  const Person guest = store->add_guest(1000);
  EXPECT_EQ(refusal(guest.id, "aNN"), "the name \"aNN\" is taken");
  EXPECT_EQ(store->person(guest.id)->name, guest.name);
  EXPECT_FALSE(store->person(guest.id)->member);
  EXPECT_EQ(store->person_named("ANN")->id, ann);
  EXPECT_EQ(store->person_named("ann")->name, "Ann");
  EXPECT_FALSE(store->person_named("an"));
  EXPECT_FALSE(store->person_named("ann' OR 1"));
  EXPECT_FALSE(store->person(0));
}

TEST_F(StorePeople, a_name_that_is_not_allowed_is_refused) {
  const Person guest = store->add_guest(1000);
  EXPECT_NE(refusal(guest.id, "a"), "");
  EXPECT_NE(refusal(guest.id, "admin"), "");
  EXPECT_FALSE(store->person(guest.id)->member);
}

TEST(PersonNames, are_short_plain_and_not_the_servers) {
  for (const char* good : {"ab", "Ann", "a-b_c9", "abcdefghijklmnopqrst", "guest", "guests-1", "deleted1", "Z0"}) {
    EXPECT_FALSE(name_fault(good)) << good;
  }
  for (const char* bad : {"",
                          "a",
                          "abcdefghijklmnopqrstu",
                          "9ab",
                          "-ab",
                          "_ab",
                          "a b",
                          "a.b",
                          "a\nb",
                          "\xC3\xA9\xC3\xA9",
                          "guest-x",
                          "GUEST-",
                          "deleted",
                          "Deleted",
                          "paika",
                          "PAIKA",
                          "engine",
                          "admin",
                          "a<b",
                          "a@b"}) {
    const auto fault = name_fault(bad);
    ASSERT_TRUE(fault) << bad;
    EXPECT_FALSE(fault->message.empty());
  }
  EXPECT_TRUE(name_fault(std::string_view("ab\0", 3)));
  EXPECT_TRUE(name_fault(std::string(1'000'000, 'a')));
}

TEST_F(StorePeople, numbers_are_never_given_again) {
  const PersonId first = store->add_guest(1000).id;
  store->erase_person(first);
  EXPECT_GT(store->add_guest(1000).id, first);
}

TEST_F(StorePeople, of_too_many_sessions_the_oldest_end) {
  const PersonId ann = store->add_guest(1000).id;
  const PersonId bob = store->add_guest(1000).id;
  store->add_session(bob, "bob's", 1000, 1500);
  const auto hash = [](std::int64_t i) { return fmt::format("hash{}", i); };
  for (std::int64_t i = 0; i < max_sessions + 10; ++i) store->add_session(ann, hash(i), 1000, 2000 + i);
  for (std::int64_t i = 0; i < max_sessions + 10; ++i) {
    EXPECT_EQ(store->session_person(hash(i), 1100).has_value(), i >= 10) << i;
  }
  store->add_session(ann, "short", 1000, 1200);
  EXPECT_TRUE(store->session_person("short", 1100)) << "the new one stays, however soon it ends";
  EXPECT_FALSE(store->session_person(hash(10), 1100));
  EXPECT_TRUE(store->session_person(hash(11), 1100));
  EXPECT_TRUE(store->session_person("bob's", 1100)) << "others are not concerned";
}

TEST_F(StorePeople, idle_guests_are_dropped_and_nobody_else) {
  const auto guest_with_session = [&](WallTime until) {
    const PersonId guest = store->add_guest(1000).id;
    store->add_session(guest, fmt::format("hash{}", guest), 1000, until);
    return guest;
  };
  const PersonId gone = guest_with_session(2000);
  const PersonId here = guest_with_session(3001);
  const PersonId player = guest_with_session(2000);
  const PersonId opponent = guest_with_session(2000);
  const PersonId program = guest_with_session(2000);
  const PersonId joined = must(store->make_member(guest_with_session(2000), "ann", "hash"), "ann").id;
  auto game = row("a");
  game.persons = {player, opponent};
  store->add_room(game);
  (void)store->add_token(program, "bot", "bot-hash", 1000);

  EXPECT_EQ(store->drop_idle_guests(1999), 0);
  EXPECT_EQ(store->drop_idle_guests(3000), 1);
  EXPECT_FALSE(store->person(gone));
  for (const PersonId kept : {here, player, opponent, program, joined}) EXPECT_TRUE(store->person(kept)) << kept;
  EXPECT_EQ(store->drop_idle_guests(3001), 1);
  EXPECT_FALSE(store->person(here));
}

TEST_F(StorePeople, guests_who_have_not_played_for_a_day_are_dropped) {
  constexpr WallTime day = 86'400'000;
  const auto guest = [&](std::string_view name, bool has_token) {
    const PersonId id = store->add_guest(1000).id;
    if (has_token) {
      (void)store->add_token(id, "bot", name, 1000);
    } else {
      store->add_session(id, name, 1000, 90 * day);
    }
    return id;
  };
  const PersonId browser = guest("browser", false);
  const PersonId program = guest("program", true);
  const PersonId busy_program = guest("busy", true);
  const PersonId player = guest("player", false);
  const PersonId watcher = guest("watcher", false);
  auto game = row("a");
  game.persons = {player, 0};
  store->add_room(game);
  const std::vector<Event> said = {event(1, "{}", watcher)};
  store->add_events("a", said);
  store->token_used("busy", 1001);

  EXPECT_EQ(store->drop_idle_guests(day + 999), 0);
  EXPECT_EQ(store->drop_idle_guests(day + 1000), 2);
  EXPECT_FALSE(store->person(browser));
  EXPECT_FALSE(store->person(program));
  EXPECT_EQ(store->token_person("program"), std::nullopt);
  for (const PersonId kept : {busy_program, player, watcher}) EXPECT_TRUE(store->person(kept)) << kept;
  EXPECT_EQ(store->drop_idle_guests(day + 1001), 1) << "the program's day is over too";
}

TEST_F(StorePeople, many_idle_guests_are_dropped_in_a_few_calls) {
  store->atomically([&] {
    for (int i = 0; i < 2400; ++i) {
      const PersonId guest = store->add_guest(1000).id;
      if (i % 2 == 0) store->add_session(guest, fmt::format("hash{}", guest), 1000, 5000);
    }
  });
  int dropped = 0;
  for (int call = 0; call < 3; ++call) dropped += store->drop_idle_guests(2000);
  EXPECT_EQ(dropped, 1200);
  for (int call = 0; call < 3; ++call) dropped += store->drop_idle_guests(6000);  // from the first one again
  EXPECT_EQ(dropped, 2400);
}

// ---- Sessions and tokens ----

TEST_F(StorePeople, sessions_last_until_their_time_or_until_they_are_ended) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  store->add_session(ann, "a1", 1000, 2000);
  store->add_session(ann, "a2", 1000, 2000);
  store->add_session(ann, "a3", 1000, 2000);
  store->add_session(bob, "b1", 1000, 2000);
  EXPECT_EQ(store->session_person("a1", 1999), ann);
  EXPECT_EQ(store->session_person("a1", 2000), std::nullopt);
  EXPECT_EQ(store->session_person("A1", 1500), std::nullopt);
  EXPECT_EQ(store->session_person("", 1500), std::nullopt);
  EXPECT_THROW(store->add_session(bob, "a1", 1000, 2000), StoreError);
  EXPECT_THROW(store->add_session(999, "x", 1000, 2000), StoreError);
  store->end_session("a1");
  store->end_session("none");
  EXPECT_EQ(store->session_person("a1", 1500), std::nullopt);
  store->end_sessions(ann, "a3");
  EXPECT_EQ(store->session_person("a2", 1500), std::nullopt);
  EXPECT_EQ(store->session_person("a3", 1500), ann);
  EXPECT_EQ(store->session_person("b1", 1500), bob);
  store->end_sessions(ann, "");
  EXPECT_EQ(store->session_person("a3", 1500), std::nullopt);
}

TEST_F(StorePeople, all_tokens_but_one_end) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  for (const char* hash : {"a1", "a2", "a3"}) (void)store->add_token(ann, "bot", hash, 1000);
  (void)store->add_token(bob, "bot", "b1", 1000);
  store->end_tokens(ann, "a2");
  EXPECT_EQ(store->token_person("a1"), std::nullopt);
  EXPECT_EQ(store->token_person("a2"), ann);
  EXPECT_EQ(store->token_person("a3"), std::nullopt);
  EXPECT_EQ(store->token_person("b1"), bob);
  store->end_tokens(ann, "");
  EXPECT_EQ(store->token_person("a2"), std::nullopt);
}

TEST_F(StorePeople, tokens_belong_to_one_person) {
  const PersonId ann = member("ann");
  const PersonId bob = member("bob");
  const TokenRow one = store->add_token(ann, "my <bot>", "hash1", 1000);
  const TokenRow two = store->add_token(ann, "", "hash2", 2000);
  EXPECT_NE(one.id, two.id);
  EXPECT_THROW((void)store->add_token(bob, "x", "hash1", 1000), StoreError);
  EXPECT_EQ(store->token_person("hash1"), ann);
  EXPECT_EQ(store->token_person("hash3"), std::nullopt);
  store->token_used("hash2", 5000);
  store->token_used("hash2", 4000);
  store->token_used("none", 4000);
  const auto tokens = store->tokens(ann);
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[0].id, one.id);
  EXPECT_EQ(tokens[0].label, "my <bot>");
  EXPECT_EQ(tokens[0].created, 1000);
  EXPECT_EQ(tokens[0].used, 0);
  EXPECT_EQ(tokens[1].used, 5000);
  EXPECT_TRUE(store->tokens(bob).empty());
  EXPECT_FALSE(store->drop_token(bob, one.id));
  EXPECT_EQ(store->token_person("hash1"), ann);
  EXPECT_TRUE(store->drop_token(ann, one.id));
  EXPECT_FALSE(store->drop_token(ann, one.id));
  EXPECT_EQ(store->token_person("hash1"), std::nullopt);
  EXPECT_EQ(store->tokens(ann).size(), 1U);
}

TEST(WallTime, is_this_century) {
  EXPECT_GT(wall_now(), 1'600'000'000'000);
  EXPECT_LT(wall_now(), 4'100'000'000'000);
}

}  // namespace
}  // namespace paika::server
