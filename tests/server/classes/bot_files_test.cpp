// The files of a bot: what is taken, what is not, and that what was taken comes back as it was.
#include "server/classes/bot_files.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/classes/class_requests.hpp"
#include "tests/support/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/must.hpp"

namespace paika_tests {

namespace {

using paika::Json;
using paika::server::bot_files_json;
using paika::server::BotFile;
using paika::server::check_bot_path;
using paika::server::read_bot_files;

TEST(BotFiles, paths_that_are_taken) {
  for (const char* path : {"bot.py", "src/bot.cpp", "a/b/c/d.txt", "my bot.py", "x+y@z-1_2", "a"}) {
    EXPECT_TRUE(check_bot_path(path)) << path;
  }
}

TEST(BotFiles, paths_that_are_not) {
  for (const std::string path : {"", "/etc/passwd", "../x", "a/../b", "a//b", "a/", "./a", ".hidden", "a/.git/config",
                                 "a\\b", "a\nb", "a:b", "caf\xc3\xa9", "a/ b", "a /b", "1/2/3/4/5/6/7/8/9", "$HOME"}) {
    EXPECT_FALSE(check_bot_path(path)) << path;
  }
  EXPECT_FALSE(check_bot_path(std::string(81, 'a')));
  EXPECT_FALSE(check_bot_path(std::string("a\0b", 3)));
}

TEST(BotFiles, come_back_as_they_were) {
  const std::vector<BotFile> files = {
      {"a.txt", "plain\n\xc3\xa9"}, {"b/c.bin", std::string("\0\xff\x80", 3)}, {"d", ""}};
  const Json json = bot_files_json(files);
  EXPECT_TRUE(json[0].contains("text"));
  EXPECT_TRUE(json[1].contains("base64"));
  EXPECT_EQ(must(read_bot_files(Json::parse(json.dump())), "files"), files);
  const TemporaryFolder folder;
  ASSERT_TRUE(paika::server::write_bot_files(folder.path().string(), files));
  EXPECT_EQ(read_whole(folder.path() / "b/c.bin"), files[1].content);
}

TEST(BotFiles, scripts_can_be_run) {
  const TemporaryFolder folder;
  ASSERT_TRUE(paika::server::write_bot_files(folder.path().string(), {{"bot.sh", "#!/bin/sh\n"}, {"data", "x"}}));
  const auto runs = [&](const char* name) {
    return (std::filesystem::status(folder.path() / name).permissions() & std::filesystem::perms::owner_exec) !=
           std::filesystem::perms::none;
  };
  EXPECT_TRUE(runs("bot.sh"));
  EXPECT_FALSE(runs("data"));
}

TEST(BotFiles, lists_that_are_refused) {
  const auto refused = [](const char* text) { return !read_bot_files(Json::parse(text)); };
  EXPECT_TRUE(refused("[]"));
  EXPECT_TRUE(refused("null"));
  EXPECT_TRUE(refused(R"([{"path": "a"}])"));
  EXPECT_TRUE(refused(R"([{"path": "a", "text": "x", "base64": "eA=="}])"));
  EXPECT_TRUE(refused(R"([{"path": "a", "text": "x"}, {"path": "a", "text": "y"}])"));
  EXPECT_TRUE(refused(R"([{"path": "a", "text": "x"}, {"path": "a/b", "text": "y"}])"));
  EXPECT_TRUE(refused(R"([{"path": "a", "text": 5}])"));
  EXPECT_TRUE(refused(R"([{"path": "a", "text": "x", "mode": 7}])"));
  EXPECT_TRUE(refused(R"(["a"])"));
  Json many = Json::array();
  for (std::size_t i = 0; i <= paika::server::max_bot_files; ++i) {
    many.push_back({{"path", "f" + std::to_string(i)}, {"text", ""}});
  }
  EXPECT_FALSE(read_bot_files(many));
  many.erase(0);
  EXPECT_TRUE(read_bot_files(many));
  const std::string half(paika::server::max_bot_bytes / 2, 'x');
  Json large = Json::array({{{"path", "a"}, {"text", half}}, {{"path", "b"}, {"text", half}}});
  EXPECT_TRUE(read_bot_files(large));
  large.push_back({{"path", "c"}, {"text", "x"}});
  EXPECT_FALSE(read_bot_files(large));
}

TEST(ClassRequests, bots) {
  using paika::server::read_bot;
  Json body = {{"name", " Shark "}, {"run", "python3 bot.py"}, {"files", {{{"path", "bot.py"}, {"text", "x"}}}}};
  const auto bot = must(read_bot(body), "bot");
  EXPECT_EQ(bot.row.name, "Shark");
  EXPECT_EQ(bot.row.protocol, "ugi");
  const auto refused = [&](const char* key, const Json& value) {
    Json changed = body;
    changed[key] = value;
    return !read_bot(changed);
  };
  EXPECT_TRUE(refused("name", ""));
  EXPECT_TRUE(refused("name", "two\nlines"));
  EXPECT_TRUE(refused("run", " "));
  EXPECT_TRUE(refused("run", "a\nb"));
  EXPECT_TRUE(refused("build", std::string(501, 'x')));
  EXPECT_TRUE(refused("protocol", "telepathy"));
  EXPECT_TRUE(refused("files", Json::array()));
  EXPECT_TRUE(refused("languag", "python"));
}

TEST(ClassRequests, classes) {
  using paika::server::read_changed_class;
  using paika::server::read_new_class;
  const auto row = must(read_new_class({{"name", "A"}, {"spec", "othello"}, {"move_ms", 200}}), "class");
  EXPECT_EQ(row.spec, "othello:8x8");
  EXPECT_EQ(row.turn_ms, 200);
  EXPECT_FALSE(read_new_class({{"name", "A"}, {"spec", "chess"}}));
  EXPECT_FALSE(read_new_class({{"spec", "othello"}}));
  EXPECT_FALSE(read_new_class({{"name", "A"}, {"spec", "othello"}, {"memory_mb", 1}}));
  auto changed = must(read_changed_class(row, {{"deadline_ms", 5000}, {"state", "locked"}}), "changed");
  EXPECT_EQ(changed.deadline, 5000);
  EXPECT_EQ(changed.name, "A");
  changed = must(read_changed_class(changed, {{"deadline_ms", nullptr}}), "changed");
  EXPECT_EQ(changed.deadline, 0);
  EXPECT_EQ(changed.state, paika::server::ClassState::locked);
  EXPECT_FALSE(read_changed_class(row, {{"state", "asleep"}}));
  EXPECT_FALSE(read_changed_class(row, {{"spec", "abalone"}}));
  EXPECT_EQ(must(paika::server::read_join({{"code", "AB cd-23"}}), "join").code, "abcd23");
}

}  // namespace

}  // namespace paika_tests
