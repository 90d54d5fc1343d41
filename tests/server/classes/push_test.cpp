// What is pushed becomes a bot: references, trees, descriptions and guesses, and what git is told of a request.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "server/classes/git_api.hpp"
#include "server/classes/hand_in.hpp"
#include "server/classes/push_hook.hpp"
#include "server/git/git_exchange.hpp"

namespace paika_tests {

namespace {

using paika::server::BotFile;
using paika::server::cgi_variables;
using paika::server::guessed_commands;
using paika::server::read_cgi_head;
using paika::server::read_pushed_bot;
using paika::server::read_tree;
using paika::server::read_updates;
using paika::server::Request;

const std::string zeros(40, '0');
const std::string one(40, '1');
const std::string two(40, '2');

std::string entry(std::string_view mode, std::string_view kind, std::string_view size, std::string_view path) {
  return fmt::format("{} {} {} {:>7}\t{}", mode, kind, one, size, path) + '\0';
}
std::string file(std::string_view path, std::string_view size = "3") { return entry("100644", "blob", size, path); }

std::string fault_of(const std::string& list) {
  const auto tree = read_tree(list);
  return tree ? "" : tree.error().message;
}

TEST(Push, takes_main_alone_and_only_forward) {
  const auto update = read_updates(fmt::format("{} {} refs/heads/main\n", one, two));
  ASSERT_TRUE(update);
  EXPECT_EQ(update->before, one);
  EXPECT_EQ(update->after, two);
  EXPECT_TRUE(read_updates(fmt::format("{} {} refs/heads/main\n", zeros, two)));
  const std::string main = fmt::format("{} {} refs/heads/main\n", one, two);
  for (const std::string& text :
       {std::string(), main + main, main + fmt::format("{} {} refs/tags/v1\n", zeros, two),
        fmt::format("{} {} refs/heads/master\n", one, two), fmt::format("{} {} refs/heads/main/x\n", one, two)}) {
    const auto refused = read_updates(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_NE(refused.error().message.find("only the branch main"), std::string::npos);
  }
  const auto deleted = read_updates(fmt::format("{} {} refs/heads/main\n", one, zeros));
  ASSERT_FALSE(deleted);
  EXPECT_EQ(deleted.error().message, "main cannot be deleted");
}

TEST(Push, reads_the_files_of_a_tree) {
  const auto tree = read_tree(file("bot.py") + file(".gitignore") + file("src/.hidden/x") + file("src/a b.txt"));
  ASSERT_TRUE(tree);
  ASSERT_EQ(tree->size(), 2U);
  EXPECT_EQ(tree->at(0).path, "bot.py");
  EXPECT_EQ(tree->at(0).object, one);
  EXPECT_EQ(tree->at(1).path, "src/a b.txt");
}

TEST(Push, refuses_what_is_no_plain_file) {
  EXPECT_EQ(fault_of(entry("120000", "blob", "5", "link")), R"("link" is a symbolic link: add the file itself)");
  EXPECT_EQ(fault_of(entry("160000", "commit", "-", "sub")), R"("sub" is a submodule: add its files instead)");
  EXPECT_EQ(fault_of(entry("120000", "blob", "5", ".link")), R"(".link" is a symbolic link: add the file itself)");
  EXPECT_NE(fault_of("nonsense"), "");
  EXPECT_EQ(fault_of(""), "the commit has no files");
  EXPECT_EQ(fault_of(file(".only/hidden")), "the commit has no files");
  EXPECT_NE(fault_of(file("a;b")), "");
  EXPECT_NE(fault_of(file("a/../b")), "");
}

TEST(Push, bounds_number_and_size) {
  std::string many;
  for (int i = 0; i < 200; ++i) many += file(fmt::format("f{}", i));
  EXPECT_EQ(fault_of(many), "");
  EXPECT_EQ(fault_of(many + file("x")), "a bot has at most 200 files");
  EXPECT_EQ(fault_of(file("x", "1048576")), "");
  EXPECT_EQ(fault_of(file("x", "1048576") + file("y", "1")), "the files have more than 1048576 bytes in all");
  EXPECT_NE(fault_of(file("x", "99999999999999999999")), "");
}

TEST(Push, is_described_by_bot_json_or_guessed) {
  const auto described =
      read_pushed_bot({{"bot.json", R"({"name": "Shark", "run": "./x", "build": "make x"})"}}, "Ada");
  ASSERT_TRUE(described);
  EXPECT_EQ(described->row.name, "Shark");
  EXPECT_EQ(described->row.run, "./x");
  EXPECT_EQ(described->row.build, "make x");
  const auto guessed = read_pushed_bot({{"bot.py", "x"}}, "Ada");
  ASSERT_TRUE(guessed);
  EXPECT_EQ(guessed->row.name, "Ada");
  EXPECT_EQ(guessed->row.run, "python3 bot.py");
  EXPECT_EQ(guessed->row.protocol, "ugi");
  for (const char* text : {"{", "[]", R"({"runs": "x"})", R"({"run": 1})", R"({"protocol": "x", "run": "x"})"}) {
    EXPECT_FALSE(read_pushed_bot({{"bot.json", text}, {"bot.py", "x"}}, "Ada")) << text;
  }
  const auto unknown = read_pushed_bot({{"readme.txt", "x"}}, "Ada");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("how is the bot started?"), std::string::npos);
}

TEST(Push, guesses_as_the_page_does) {
  const auto guess = [](std::vector<std::string> paths) {
    const auto commands = guessed_commands(paths);
    return commands.build + " | " + commands.run;
  };
  EXPECT_EQ(guess({"a.py", "bot.py"}), " | python3 bot.py");
  EXPECT_EQ(guess({"src/my bot.py"}), " | python3 'src/my bot.py'");
  EXPECT_EQ(guess({"bot.js"}), " | node 'bot.js'");
  EXPECT_EQ(guess({"src/Bot.java"}), "javac -d . 'src/Bot.java' | java Bot");
  EXPECT_EQ(guess({"Makefile", "bot.cpp"}), "make | ./bot");
  EXPECT_EQ(guess({"a.cpp", "b.cc"}), "g++ -O2 -std=c++20 -o bot 'a.cpp' 'b.cc' | ./bot");
  EXPECT_EQ(guess({"bot.sh"}), " | sh 'bot.sh'");
  EXPECT_EQ(guess({"readme.txt"}), " | ");
}

TEST(Push, tells_git_only_what_it_may_know) {
  Request request;
  request.path = "/git/x/../../etc/info/refs";
  request.headers = {{"git-protocol", "version=2:evil"}, {"content-encoding", "br"}, {"host", "x"}};
  const auto list = cgi_variables(request, "/root", "class/7.git", "git-upload-pack", true);
  const auto has = [&](std::string_view text) { return std::find(list.begin(), list.end(), text) != list.end(); };
  EXPECT_TRUE(has("PATH_INFO=/class/7.git/info/refs"));
  EXPECT_TRUE(has("QUERY_STRING=service=git-upload-pack"));
  for (const std::string& variable : list) {
    EXPECT_EQ(variable.find("evil"), std::string::npos);
    EXPECT_EQ(variable.find("etc"), std::string::npos);
    EXPECT_FALSE(variable.starts_with("HTTP_")) << variable;
  }
  request.headers["git-protocol"] = "version=2";
  const auto again = cgi_variables(request, "/root", "class/7.git", "git-receive-pack", false);
  EXPECT_NE(std::find(again.begin(), again.end(), "GIT_PROTOCOL=version=2"), again.end());
  EXPECT_NE(std::find(again.begin(), again.end(), "PATH_INFO=/class/7.git/git-receive-pack"), again.end());
}

TEST(Push, reads_the_head_of_gits_answer) {
  EXPECT_FALSE(read_cgi_head("Content-Type: x\r\n"));
  const std::string_view said = "Status: 404 Not Found\r\nContent-Type: a/b\r\nX: y\r\n\r\nbody\n\n";
  const auto head = read_cgi_head(said);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->response.status, 404);
  EXPECT_EQ(head->response.type, "a/b");
  EXPECT_TRUE(head->response.headers.empty());
  EXPECT_EQ(said.substr(head->bytes), "body\n\n");
  EXPECT_EQ(read_cgi_head("Content-Type: a/b\n\nbody")->response.status, 200);
  EXPECT_EQ(read_cgi_head("Status: 99999\n\n")->response.status, 500);
}

}  // namespace

}  // namespace paika_tests
