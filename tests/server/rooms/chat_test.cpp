// Chat: who may say what, and how fast.
#include "server/rooms/chat.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/rooms/room_fixture.hpp"

namespace paika::server {
namespace {

using namespace paika_tests;

TEST(RoomChat, players_and_watchers_speak_at_any_time) {
  RoomFixture fixture(plan_of("othello"));
  EXPECT_EQ(fixture.say(anna, "hello?"), "done");
  EXPECT_EQ(fixture.last_event()["who"].dump(), R"({"name":"anna","member":true,"seat":"first"})");
  EXPECT_EQ(fixture.say(guest, "  I only watch\n"), "done");
  EXPECT_EQ(fixture.last_event()["who"].dump(), R"({"name":"guest-x7k2p","member":false,"seat":null})");
  EXPECT_EQ(fixture.last_event()["text"], "I only watch");
  fixture.join(ben);
  fixture.resign(ben);
  EXPECT_EQ(fixture.say(ben, "good game"), "done") << "also after the end";
  EXPECT_EQ(fixture.snapshot()["chat"].size(), 3U);
  EXPECT_EQ(fixture.snapshot()["chat"][0]["text"], "hello?");
  EXPECT_EQ(fixture.say(Identity{}, "boo"), "not_yours");
}

TEST(RoomChat, presets_are_known_words) {
  RoomFixture fixture(plan_of("othello"));
  ASSERT_EQ(chat_presets().size(), 10U);
  for (const std::string_view preset : chat_presets()) {
    fixture.now += 10s;
    EXPECT_EQ(word_of(fixture.apply(anna, command::Say{"", std::string(preset)})), "done");
    EXPECT_EQ(fixture.last_event()["preset"], preset);
    EXPECT_FALSE(fixture.last_event().contains("text"));
  }
  fixture.now += 10s;
  EXPECT_EQ(word_of(fixture.apply(anna, command::Say{"", "insult"})), "bad_request");
  EXPECT_EQ(word_of(fixture.apply(anna, command::Say{"", ""})), "bad_request");
  EXPECT_EQ(word_of(fixture.apply(anna, command::Say{"hello", "hello"})), "bad_request");
}

TEST(RoomChat, a_line_is_a_line_of_text) {
  EXPECT_EQ(*chat_text(" \t hi \r\n"), "hi");
  EXPECT_EQ(*chat_text("<b>&\"'</b>"), "<b>&\"'</b>") << "pages escape, not we";
  EXPECT_EQ(*chat_text("sàlàma 👋🏽 👩‍👩‍👧 ❤️ שלום"),
            "sàlàma 👋🏽 👩‍👩‍👧 ❤️ שלום");
  EXPECT_TRUE(chat_text(std::string(max_chat, 'x')));
  for (const std::string& bad : {std::string(),
                                 std::string("   "),
                                 std::string(max_chat + 1, 'x'),
                                 std::string("a\nb"),
                                 std::string("a\tb"),
                                 std::string("a\0b", 3),
                                 std::string("\x7f"),
                                 std::string("a\u0085b"),
                                 std::string("a\u2028b"),
                                 std::string("\u202egnirts"),
                                 std::string("\u2066x"),
                                 std::string("\ufeffx"),
                                 std::string("\u200b\u200d"),
                                 std::string("\u00a0"),
                                 std::string("\xff"),
                                 std::string("\xc3"),
                                 std::string("\xed\xa0\x80"),
                                 std::string("\xc0\xaf"),
                                 std::string("\xf5\x80\x80\x80"),
                                 std::string("\x1b[31m")}) {
    EXPECT_FALSE(chat_text(bad)) << Json(bad).dump(-1, ' ', true, Json::error_handler_t::replace);
  }
}

TEST(RoomChat, nobody_speaks_faster_than_others_read) {
  RoomFixture fixture(plan_of("othello"));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(fixture.say(anna, "more"), "done");
    fixture.now += 1s;
  }
  const Applied refused = fixture.apply(anna, command::Say{"more", ""});
  EXPECT_EQ(word_of(refused), "too_often");
  EXPECT_EQ(refused.answer.error().details["retry_after_ms"], 5000);
  EXPECT_TRUE(refused.events.empty());
  EXPECT_EQ(fixture.say(eve, "I have said nothing yet"), "done");
  fixture.now += 5s - 1us;
  EXPECT_EQ(fixture.say(anna, "more"), "too_often");
  fixture.now += 1us;
  EXPECT_EQ(fixture.say(anna, "more"), "done");
  EXPECT_EQ(fixture.say(anna, "more"), "too_often") << "the window slides";
  fixture.now += 1s;
  EXPECT_EQ(fixture.say(anna, "more"), "done");
}

TEST(RoomChat, a_bad_text_does_not_count) {
  RoomFixture fixture(plan_of("othello"));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(fixture.say(anna, "a\nb"), "bad_request");
  EXPECT_EQ(fixture.say(anna, "fine"), "done");
}

TEST(RoomChat, a_room_holds_so_much_and_shows_the_last) {
  auto opened = must(Room::open("r", plan_of("othello"), anna, 1s, 1), "open");
  Room& room = *opened.first;
  ServerTime now = 1s;
  for (std::size_t i = 0; i < max_player_chats; ++i) {
    now += 3s;
    ASSERT_TRUE(room.apply(anna, command::Say{std::to_string(i), ""}, now).answer);
  }
  now += 1h;
  EXPECT_EQ(word_of(room.apply(anna, command::Say{"x", ""}, now)), "too_often");
  const Json chat = room.snapshot(now)["chat"];
  ASSERT_EQ(chat.size(), 50U);
  EXPECT_EQ(chat[49]["text"], std::to_string(max_player_chats - 1));
  const auto again = restored(room, room.last_number());
  EXPECT_EQ(word_of(again->apply(anna, command::Say{"x", ""}, now)), "too_often");
  // What one has said takes nothing from the others.
  EXPECT_EQ(word_of(again->apply(ben, command::Join{}, now)), "done");
  EXPECT_EQ(word_of(again->apply(ben, command::Say{"x", ""}, now)), "done");
  EXPECT_EQ(word_of(again->apply(eve, command::Say{"x", ""}, now)), "done");
}

/// A stranger; each number is another one.
Identity stranger(int number) { return {1000 + number, "guest-" + std::to_string(number), false}; }

TEST(RoomChat, strangers_cannot_use_up_what_players_may_say) {
  auto opened = must(Room::open("r", plan_of("othello"), anna, 1s, 1), "open");
  Room& room = *opened.first;
  ServerTime now = 1s;
  // Three seconds of two hundred guests, as fast as each may speak.
  int said = 0;
  for (int round = 0; round < 5; ++round, now += 600ms) {
    for (int i = 0; i < 200; ++i) said += room.apply(stranger(i), command::Say{"x", ""}, now).answer ? 1 : 0;
  }
  EXPECT_GE(said, watcher_chats_at_once);
  EXPECT_LE(said, watcher_chats_at_once + 2) << "one more every two seconds";
  EXPECT_EQ(word_of(room.apply(anna, command::Say{"please be quiet", ""}, now)), "done");
  // And after a night of it.
  for (int i = 0; i < 5000; ++i, now += 2s) {
    said += room.apply(stranger(i % 200), command::Say{"x", ""}, now).answer ? 1 : 0;
  }
  EXPECT_EQ(said, max_watcher_chats);
  EXPECT_EQ(word_of(room.apply(stranger(7), command::Say{"x", ""}, now)), "too_often");
  EXPECT_EQ(word_of(room.apply(anna, command::Say{"still here", ""}, now)), "done");
  const auto again = restored(room, room.last_number());
  EXPECT_EQ(word_of(again->apply(stranger(999), command::Say{"x", ""}, now)), "too_often");
  EXPECT_EQ(word_of(again->apply(anna, command::Say{"still here", ""}, now)), "done");
}

TEST(RoomChat, one_watcher_cannot_use_up_what_all_may_say) {
  auto opened = must(Room::open("r", plan_of("othello"), anna, 1s, 1), "open");
  Room& room = *opened.first;
  ServerTime now = 1s;
  std::size_t said = 0;
  for (int i = 0; i < 200; ++i, now += 5s) said += room.apply(eve, command::Say{"x", ""}, now).answer ? 1 : 0;
  EXPECT_EQ(said, max_chats_of_watcher);
  const Applied refused = room.apply(eve, command::Say{"x", ""}, now);
  EXPECT_FALSE(refused.answer.error().details.contains("retry_after_ms")) << "waiting does not help";
  EXPECT_EQ(word_of(room.apply(guest, command::Say{"x", ""}, now)), "done");
  const Applied quick = [&] {
    for (int i = 0; i < watcher_chats_at_once; ++i) {
      static_cast<void>(room.apply(stranger(i), command::Say{"x", ""}, now));
    }
    return room.apply(stranger(99), command::Say{"x", ""}, now);
  }();
  EXPECT_EQ(word_of(quick), "too_often");
  EXPECT_EQ(quick.answer.error().details["retry_after_ms"], 2000);
}

TEST(RoomChat, names_that_are_no_text_stop_nothing) {
  RoomFixture fixture(plan_of("othello"), Identity{5, "\xff\xfe\"<script>", false});
  EXPECT_EQ(fixture.say(Identity{6, "\xc3", false}, "hi"), "done");
}

}  // namespace
}  // namespace paika::server
