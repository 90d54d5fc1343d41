// Backups: made of a store in use, whole or not there at all, and put back only if they are good.
#include "server/store/backup.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>

#include "tests/server/store/fixture.hpp"
#include "tests/support/files.hpp"

namespace paika::server {
namespace {

namespace fs = std::filesystem;
using paika_tests::must;
using paika_tests::StoreTest;

class BackupTest : public StoreTest {
 protected:
  void SetUp() override {
    if (paika_tests::on_postgresql()) GTEST_SKIP() << "about files of SQLite";
  }
  void add_room(const std::string& id, int events = 3) {
    store->atomically([&] {
      store->add_room(paika_tests::row(id));
      for (int n = 1; n <= events; ++n) {
        const Event event = paika_tests::event(static_cast<std::uint64_t>(n), "text of an event");
        store->add_events(id, std::span(&event, 1));
      }
    });
  }
  std::string fault_of_backup(bool replace = false) {
    const auto made = back_up(path, copy, replace);
    return made ? "" : made.error().message;
  }
  std::string fault_of_restoring() {
    const auto done = restore(copy, path);
    return done ? "" : done.error().message;
  }
  std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const auto& entry : fs::directory_iterator(folder.path())) list.push_back(entry.path().filename().string());
    std::sort(list.begin(), list.end());
    return list;
  }

  std::string copy = folder / "copy.db";
};

TEST_F(BackupTest, a_store_in_use_is_copied_and_put_back) {
  add_room("a");
  const auto contents = must(back_up(path, copy, false), path);
  EXPECT_EQ(contents.rooms, 1);
  EXPECT_EQ(contents.events, 3);
  struct stat found = {};
  ASSERT_EQ(stat(copy.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  add_room("b");
  EXPECT_NE(fault_of_restoring().find("in use by another server"), std::string::npos);
  store.reset();
  EXPECT_EQ(names(), (std::vector<std::string>{"copy.db", "games.db"})) << "nothing else is left";
  fs::create_directory(path + ".bots");
  const auto restored = must(restore(copy, path), path);
  EXPECT_TRUE(fs::exists(restored.kept + ".bots"));
  open();
  EXPECT_TRUE(store->room("a"));
  EXPECT_FALSE(store->room("b"));
  EXPECT_EQ(store->events("a").size(), 3U);
  // What was there before is kept whole.
  const auto old = must(Store::open(restored.kept, Store::Mode::owner), restored.kept);
  EXPECT_TRUE(old->room("b"));
}

TEST_F(BackupTest, a_copy_is_one_moment_while_the_store_goes_on) {
  add_room("a", 1);
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (std::uint64_t n = 2; !stop; ++n) {
      // Both of them, or none.
      store->atomically([&] {
        const Event event = paika_tests::event(n, std::string(200, 'x'));
        store->add_events("a", std::span(&event, 1));
        store->save_server_time(ServerTime(n));
      });
    }
  });
  for (int i = 0; i < 5; ++i) {
    const auto contents = must(back_up(path, copy, true), path);
    SQLite::Database read(copy);
    EXPECT_EQ(
        contents.events,
        std::max<std::int64_t>(1, read.execAndGet("SELECT value FROM meta WHERE key = 'server_time_us'").getInt64()));
  }
  stop = true;
  writer.join();
}

TEST_F(BackupTest, a_file_is_not_overwritten_by_mistake) {
  add_room("a");
  std::ofstream(copy) << "precious";
  EXPECT_NE(fault_of_backup().find("--force"), std::string::npos);
  EXPECT_EQ(paika_tests::read_whole(copy), "precious");
  EXPECT_EQ(fault_of_backup(true), "");
  EXPECT_NE(paika_tests::read_whole(copy), "precious");
  EXPECT_FALSE(back_up(path, path, true));
  EXPECT_FALSE(back_up(folder / "nothing.db", copy, true));
  EXPECT_FALSE(back_up(path, folder / "no/such/copy.db", true));
  EXPECT_FALSE(fs::exists(folder / "no"));
}

TEST_F(BackupTest, a_damaged_copy_changes_nothing) {
  add_room("a", 300);
  ASSERT_EQ(fault_of_backup(), "");
  store.reset();
  const std::string good = paika_tests::read_whole(copy);
  const std::string before = paika_tests::read_whole(path);
  const auto refused = [&](std::string bytes, const std::string& why) {
    std::ofstream(copy, std::ios::binary) << bytes;
    EXPECT_NE(fault_of_restoring().find(why), std::string::npos) << fault_of_restoring();
    EXPECT_EQ(paika_tests::read_whole(path), before);
    EXPECT_EQ(names(), (std::vector<std::string>{"copy.db", "games.db"}));
  };
  refused("", "is empty");
  refused("not a database at all", "copy.db");
  refused(good.substr(0, good.size() / 2), "copy.db");
  std::string holes = good;
  for (std::size_t i = good.size() / 2; i < good.size() / 2 + 8192; ++i) holes[i] = '\x55';
  refused(holes, "copy.db");
  std::ofstream(copy, std::ios::binary) << good;
  EXPECT_EQ(fault_of_restoring(), "");
}

TEST_F(BackupTest, copies_of_other_programs_and_of_rooms_with_gaps_are_refused) {
  add_room("a", 5);
  ASSERT_EQ(fault_of_backup(), "");
  store.reset();
  SQLite::Database(copy, SQLite::OPEN_READWRITE).exec("DELETE FROM events WHERE number = 3");
  EXPECT_NE(fault_of_restoring().find("is damaged"), std::string::npos) << fault_of_restoring();
  SQLite::Database(copy, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  EXPECT_NE(fault_of_restoring().find("of a newer program"), std::string::npos);
  SQLite::Database(copy, SQLite::OPEN_READWRITE).exec("PRAGMA application_id = 5");
  EXPECT_NE(fault_of_restoring().find("is not a store of this server"), std::string::npos);
  fs::remove(copy);
  EXPECT_NE(fault_of_restoring().find("there is no file"), std::string::npos);
}

TEST_F(BackupTest, restores_where_nothing_was_and_over_what_is_broken) {
  add_room("a");
  ASSERT_EQ(fault_of_backup(), "");
  store.reset();
  fs::remove(path);
  EXPECT_EQ(must(restore(copy, path), path).kept, "");
  std::ofstream(path, std::ios::binary) << "";
  const auto restored = must(restore(copy, path), path);
  EXPECT_EQ(paika_tests::read_whole(restored.kept), "");
  open();
  EXPECT_TRUE(store->room("a"));
}

}  // namespace
}  // namespace paika::server
