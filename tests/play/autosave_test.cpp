// The files of running games: whole at any time, found again, never taken from a process that plays.
#include "play/autosave.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/files.hpp"
#include "tests/support/must.hpp"

namespace paika::play {
namespace {

namespace fs = std::filesystem;
using paika_tests::must;

class AutosaveTest : public testing::Test {
 protected:
  AutosaveTest() {
    std::string name = (fs::temp_directory_path() / "paika-autosave-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~AutosaveTest() override { fs::remove_all(folder); }

  static GameRecord record_with(int turns) {
    GameRecord record;
    record.spec = "othello:8x8";
    const std::vector<std::string> texts = {"e6", "f4", "e3", "d6"};
    for (int i = 0; i < turns; ++i) record.turns.push_back({texts.at(static_cast<std::size_t>(i)), {}, {}, 0});
    return record;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder)) all.push_back(entry.path().extension());
    std::sort(all.begin(), all.end());
    return all;
  }

  std::string folder;
};

TEST_F(AutosaveTest, writes_whole_files_and_leaves_nothing_else) {
  const std::string deep = folder + "/a/b";
  {
    Autosave save(deep, "othello");
    ASSERT_TRUE(save.write(record_with(1)));
    ASSERT_TRUE(save.write(record_with(2)));
    EXPECT_EQ(paika_tests::read_whole(save.path()), record_text(record_with(2)));
    folder += "/a/b";
    EXPECT_EQ(names(), (std::vector<std::string>{".lock", ".record"}));
  }
  EXPECT_EQ(names(), std::vector<std::string>{".record"});
  folder.resize(folder.size() - 4);
}

TEST_F(AutosaveTest, links_and_modes_are_kept) {
  const std::string file = folder + "/real";
  ASSERT_TRUE(write_whole_file(file, "one"));
  fs::permissions(file, fs::perms(0606));
  fs::create_symlink("real", folder + "/link");
  fs::create_symlink("link", folder + "/chain");
  ASSERT_TRUE(write_whole_file(folder + "/chain", "two"));
  EXPECT_EQ(paika_tests::read_whole(file), "two");
  EXPECT_TRUE(fs::is_symlink(folder + "/chain"));
  EXPECT_TRUE(fs::is_symlink(folder + "/link"));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0606));
  fs::create_symlink("new", folder + "/dangling");
  ASSERT_TRUE(write_whole_file(folder + "/dangling", "three"));
  EXPECT_EQ(paika_tests::read_whole(folder + "/new"), "three");
  fs::create_symlink("ring", folder + "/ring");
  EXPECT_FALSE(write_whole_file(folder + "/ring", "four"));
  EXPECT_TRUE(fs::is_symlink(folder + "/ring"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 6) << "nothing else is left";
}

TEST_F(AutosaveTest, two_games_have_two_files) {
  Autosave one(folder, "othello");
  ASSERT_TRUE(one.write(record_with(1)));
  Autosave two(folder, "othello");
  EXPECT_NE(one.path(), two.path());
}

TEST_F(AutosaveTest, finds_the_newest_unfinished_game_that_nobody_plays) {
  EXPECT_FALSE(Autosave::newest_left(folder));
  EXPECT_FALSE(Autosave::newest_left(folder + "/missing"));
  const auto write = [&](const std::string& name, const std::string& text, int age) {
    std::ofstream(folder + "/" + name) << text;
    fs::last_write_time(folder + "/" + name, fs::file_time_type::clock::now() - std::chrono::seconds(age));
  };
  GameRecord finished = record_with(1);
  finished.result = {Verdict::first_wins, std::string(resigned_reason), ""};
  write("old.record", record_text(record_with(1)), 50);
  write("middle.record", record_text(record_with(2)), 40);
  write("finished.record", record_text(finished), 30);
  write("rubbish.record", "paika-record 1\nspec chess\nresult ongoing none\nend\n", 20);
  write("other.txt", record_text(record_with(3)), 10);
  {
    const auto left = Autosave::newest_left(folder);
    ASSERT_TRUE(left);
    EXPECT_EQ(left->record.turns.size(), 2U);
    const auto next = Autosave::newest_left(folder);
    ASSERT_TRUE(next) << "the first one is being played now";
    EXPECT_EQ(next->record.turns.size(), 1U);
    EXPECT_FALSE(Autosave::newest_left(folder));
    EXPECT_FALSE(Autosave::take(folder + "/old.record"));
  }
  EXPECT_EQ(Autosave::newest_left(folder)->record.turns.size(), 2U);
}

TEST_F(AutosaveTest, a_missing_file_gets_no_lock) {
  EXPECT_FALSE(Autosave::take(folder + "/missing.record"));
  EXPECT_FALSE(Autosave::take(folder));
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(AutosaveTest, a_folder_that_cannot_be_written_is_an_error) {
  std::ofstream(folder + "/file") << "x";
  Autosave save(folder + "/file/below", "othello");
  EXPECT_FALSE(save.write(record_with(1)));
  EXPECT_FALSE(write_whole_file(folder + "/missing/file", "x"));
  EXPECT_FALSE(add_to_file(folder + "/missing/file", "x"));
}

TEST_F(AutosaveTest, adding_keeps_what_was_there) {
  ASSERT_TRUE(add_to_file(folder + "/all", "one\n"));
  ASSERT_TRUE(add_to_file(folder + "/all", "two\n"));
  EXPECT_EQ(must(read_whole_file(folder + "/all"), "all"), "one\ntwo\n");
}

TEST(StateFolder, follows_the_environment) {
  setenv("XDG_STATE_HOME", "/some/where", 1);
  EXPECT_EQ(state_folder(), "/some/where/paika");
  setenv("XDG_STATE_HOME", "relative", 1);
  setenv("HOME", "/house/me", 1);
  EXPECT_EQ(state_folder(), "/house/me/.local/state/paika");
  unsetenv("XDG_STATE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(state_folder(), "");
}

}  // namespace
}  // namespace paika::play
