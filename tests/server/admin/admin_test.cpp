// What operators do, on a store; and the socket through which a running server hears them.
#include "server/admin/admin.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/admin/admin_socket.hpp"
#include "server/store/classes.hpp"
#include "server/store/operators.hpp"
#include "tests/server/store/fixture.hpp"

namespace paika_tests {

namespace {

using paika::Json;
using server::AdminAnswer;
using server::AdminRequest;
using server::AdminSocket;
using server::OperatorStore;
using server::PersonId;

class AdminTest : public StoreTest {
 protected:
  AdminAnswer act(const std::string& action, const std::string& subject = "", const std::string& reason = "") {
    return server::administer(*store, AdminRequest{action, subject, reason, 100}, "tester (7)", 5000);
  }
  std::string error(const std::string& action, const std::string& subject) {
    return act(action, subject).body.value("error", "");
  }
  void add_session(PersonId person, const std::string& hash) { store->add_session(person, hash, 1000, 9000); }

  PersonId anna = member("Anna");
  PersonId bert = member("Bert");
};

TEST_F(AdminTest, sessions_are_listed_and_ended) {
  add_session(anna, "aaaaaaaaaaaaaaaa1111");
  add_session(anna, "aaaaaaaaaaaaaaaa2222");
  add_session(bert, "bbbbbbbbbbbbbbbb3333");
  static_cast<void>(store->add_token(bert, "bot", "cccccccccccccccc4444", 2000));
  store->add_session(bert, "ddddddddd", 1000, 2000);  // it has ended
  EXPECT_EQ(act("sessions").body["sessions"].size(), 4U);
  const Json of_bert = act("sessions", "bert").body["sessions"];
  ASSERT_EQ(of_bert.size(), 2U);
  EXPECT_EQ(of_bert[0]["id"], "cccccccccccc");
  EXPECT_EQ(of_bert[0]["kind"], "token");
  EXPECT_EQ(of_bert[1]["name"], "Bert");
  EXPECT_NE(error("end-session", "aaaaaaaaaaaa").find("give more digits"), std::string::npos);
  EXPECT_NE(error("end-session", "zzz").find("there is no session"), std::string::npos);
  EXPECT_NE(error("end-session", "*").find("there is no session"), std::string::npos);
  EXPECT_EQ(act("end-session", "cccccccccccc").body["ended"], 1);
  EXPECT_FALSE(store->token_person("cccccccccccccccc4444"));
  EXPECT_EQ(act("end-all", "Anna").body["ended"], 2);
  EXPECT_FALSE(store->session_person("aaaaaaaaaaaaaaaa1111", 1500));
  EXPECT_TRUE(store->session_person("bbbbbbbbbbbbbbbb3333", 1500));
}

TEST_F(AdminTest, people_are_approved_muted_and_banned) {
  EXPECT_FALSE(store->person(anna)->approved);
  EXPECT_EQ(act("approve", "anna").body["approved"], true);
  EXPECT_TRUE(store->person(anna)->approved);
  EXPECT_TRUE(act("mute", "Bert").changed);
  EXPECT_FALSE(act("mute", "Bert").changed) << "once is enough";
  EXPECT_TRUE(store->person(bert)->muted);
  EXPECT_EQ(act("people").body["people"].size(), 2U);
  act("unmute", "Bert");
  act("unapprove", "Anna");
  EXPECT_EQ(act("people").body["people"].size(), 0U);
  EXPECT_EQ(act("people", "Bert").body["people"][0]["muted"], false);
  add_session(bert, "bbbbbbbbbbbbbbbb");
  static_cast<void>(store->add_token(bert, "bot", "cccccccccccc", 2000));
  act("ban", "Bert");
  EXPECT_TRUE(store->person_named("Bert")->banned);
  EXPECT_FALSE(store->session_person("bbbbbbbbbbbbbbbb", 1500));
  EXPECT_FALSE(store->token_person("cccccccccccc"));
  act("unban", "Bert");
  EXPECT_FALSE(store->person_named("Bert")->banned);
  EXPECT_NE(error("ban", "Nobody").find("there is nobody called"), std::string::npos);
}

TEST_F(AdminTest, addresses_are_banned_as_clients_are_counted) {
  EXPECT_EQ(act("ban-address", "192.0.2.7").body["address"], "192.0.2.7");
  EXPECT_EQ(act("ban-address", "2001:db8:0:7::1234").body["address"], "2001:db8:0:7::/64");
  EXPECT_FALSE(act("ban-address", "::ffff:192.0.2.7").changed);
  EXPECT_EQ(act("people").body["addresses"].size(), 2U);
  EXPECT_NE(error("ban-address", "somewhere").find("no address"), std::string::npos);
  EXPECT_TRUE(act("unban-address", "192.0.2.7").changed);
  EXPECT_NE(error("unban-address", "192.0.2.7").find("is not banned"), std::string::npos);
  EXPECT_EQ(OperatorStore(*store).banned_addresses(), std::vector<std::string>{"2001:db8:0:7::/64"});
}

TEST_F(AdminTest, people_rooms_and_classes_are_deleted) {
  store->add_room(row("room"));
  store->add_events("room", events_from(1, {"one", "two"}));
  server::ClassRow made;
  made.id = "class";
  made.name = "a \x1b[2J class";
  made.teacher = anna;
  made.code = "code";
  server::ClassStore(*store).add_class(made);
  const Json classes = act("classes").body["classes"];
  ASSERT_EQ(classes.size(), 1U);
  EXPECT_EQ(classes[0]["name"], "a  class");
  EXPECT_EQ(classes[0]["teacher"], "Anna");
  EXPECT_NE(error("delete-room", "none").find("there is no room"), std::string::npos);
  EXPECT_TRUE(act("delete-room", "room").changed);
  EXPECT_FALSE(store->room("room"));
  EXPECT_TRUE(store->events("room").empty());
  EXPECT_NE(error("delete-class", "none").find("there is no class"), std::string::npos);
  EXPECT_TRUE(act("delete-class", "class").changed);
  EXPECT_FALSE(server::ClassStore(*store).find("class"));
  EXPECT_EQ(act("delete-person", "Bert").person, bert);
  EXPECT_FALSE(store->person(bert));
}

TEST_F(AdminTest, everything_that_changes_something_is_on_record) {
  act("statistics");
  act("sessions");
  act("ban", "Nobody");
  EXPECT_TRUE(act("log").body["log"].empty()) << "looking leaves no trace, nor does what failed";
  act("mute", "Anna", "insults");
  act("ban-address", "192.0.2.7", "floods");
  act("ban", "Bert", "Bert is a bot");
  const Json log = act("log").body["log"];
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[0]["action"], "ban");
  EXPECT_EQ(log[0]["subject"], "Bert");
  EXPECT_EQ(log[0]["reason"], "Bert is a bot");
  EXPECT_EQ(log[0]["by"], "tester (7)");
  EXPECT_EQ(log[0]["at_ms"], 5000);
  EXPECT_EQ(log[1]["subject"], "192.0.2.7");
  // Of somebody who is erased no name is left there either.
  act("delete-person", "Bert", "Bert asked for it");
  const std::string after = act("log").body.dump();
  EXPECT_EQ(after.find("Bert"), std::string::npos) << after;
  EXPECT_NE(after.find("delete-person"), std::string::npos);
  EXPECT_NE(after.find("insults"), std::string::npos);
}

TEST_F(AdminTest, statistics_count_what_there_is) {
  store->add_room(row("a"));
  store->add_room(row("b", server::RoomState::ended));
  static_cast<void>(store->add_guest(1));
  act("ban", "Bert");
  const Json body = act("statistics").body;
  EXPECT_EQ(body["people"]["members"], 2);
  EXPECT_EQ(body["people"]["guests"], 1);
  EXPECT_EQ(body["people"]["banned"], 1);
  EXPECT_EQ(body["rooms"]["running"], 1);
  EXPECT_EQ(body["rooms"]["ended"], 1);
  EXPECT_GT(body["database"]["bytes"].get<std::int64_t>(), 4096);
}

TEST_F(AdminTest, requests_are_read_and_checked) {
  const AdminRequest request{"ban", "Anna", "why \"not\"", 7};
  const auto read = must(server::read_admin_request(server::admin_line(request)), "request");
  EXPECT_EQ(read.action, "ban");
  EXPECT_EQ(read.reason, request.reason);
  EXPECT_EQ(read.most, 7);
  for (const char* bad : {"", "x", "[]", R"({"action":"fly"})", R"({"action":"ban","oops":1})", R"({"action":7})",
                          R"({"action":"log","most":0})"}) {
    EXPECT_FALSE(server::read_admin_request(bad)) << bad;
  }
  EXPECT_FALSE(server::read_admin_request(server::admin_line({"ban", "x", std::string(501, 'x'), 1})));
}

// ---- The socket ----

std::unique_ptr<AdminSocket> open_socket(const std::string& path) {
  return must(AdminSocket::open(path, [](const std::string& line,
                                         unsigned uid) { return "heard " + line + " from " + std::to_string(uid); }),
              path);
}

TEST(AdminSocketTest, answers_its_owner_and_is_gone_afterwards) {
  const TemporaryFolder folder;
  const std::string path = folder / "games.db.admin";
  EXPECT_EQ(must(server::ask_server(path, "x"), path), std::nullopt) << "nobody listens";
  {
    const auto socket = open_socket(path);
    struct stat found = {};
    ASSERT_EQ(stat(path.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0600U);
    EXPECT_EQ(must(server::ask_server(path, "hello"), path), "heard hello from " + std::to_string(geteuid()));
    EXPECT_EQ(must(server::ask_server(path, "again"), path), "heard again from " + std::to_string(geteuid()));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(AdminSocketTest, takes_the_place_of_one_that_a_crash_has_left) {
  const TemporaryFolder folder;
  const std::string path = folder / "games.db.admin";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto socket = open_socket(path);
    _exit(0);  // as a crash: nothing is tidied up
  }
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(std::filesystem::exists(path));
  EXPECT_EQ(must(server::ask_server(path, "x"), path), std::nullopt);
  const auto socket = open_socket(path);
  EXPECT_TRUE(must(server::ask_server(path, "x"), path));
}

TEST(AdminSocketTest, lies_as_deep_as_it_must) {
  const TemporaryFolder folder;
  const std::string deep = folder / (std::string(90, 'a') + "/" + std::string(90, 'b'));
  std::filesystem::create_directories(deep);
  const auto socket = open_socket(deep + "/games.db.admin");
  EXPECT_TRUE(must(server::ask_server(deep + "/games.db.admin", "x"), deep));
}

TEST(AdminSocketTest, strangers_are_not_heard) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become a stranger";
  const TemporaryFolder folder;
  const std::string path = folder / "games.db.admin";
  const auto socket = open_socket(path);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  for (const bool may_open : {false, true}) {
    if (may_open) std::filesystem::permissions(path, std::filesystem::perms::all);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      constexpr uid_t nobody = 65534;
      if (setgid(nobody) != 0 || setuid(nobody) != 0) _exit(2);
      _exit(server::ask_server(path, "x") ? 1 : 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << may_open;
  }
}

}  // namespace

}  // namespace paika_tests
