// Opening a store: new files, foreign ones, damaged ones, older and newer ones, and one owner at a time.
#include "database/open.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "database/files.hpp"
#include "database/sqlite.hpp"
#include "server/store/layout.hpp"
#include "server/store/store.hpp"
#include "tests/server/store/fixture.hpp"
#include "tests/support/files.hpp"

namespace paika::server {
namespace {

namespace fs = std::filesystem;
using paika_tests::must;
using paika_tests::read_whole;
using paika_tests::TemporaryFolder;
using Mode = Store::Mode;

/// Why a file is not opened; "" if it is.
std::string refusal(const std::string& path, Mode mode = Mode::owner) {
  const auto opened = Store::open(path, mode);
  return opened ? "" : opened.error().message;
}

unsigned mode_of(const std::string& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) throw std::runtime_error("no " + path);
  return found.st_mode & 0777U;
}

void write_file(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

/// A good store with a few hundred events in it, closed again.
void make_store(const std::string& path) {
  const auto store = must(Store::open(path, Mode::owner), path);
  store->add_room(paika_tests::row("a"));
  store->atomically([&] {
    for (std::uint64_t n = 1; n <= 300; ++n) {
      const Event event = paika_tests::event(n, std::string(500, 'x'));
      store->add_events("a", std::span(&event, 1));
    }
  });
}

TEST(StoreOpen, makes_the_folders_and_a_file_for_this_user_alone) {
  const TemporaryFolder folder;
  const std::string path = folder / "a/b/paika.db";
  const mode_t old = umask(0);
  const auto store = must(Store::open(path, Mode::owner), path);
  umask(old);
  EXPECT_EQ(mode_of(folder / "a"), 0700U);
  EXPECT_EQ(mode_of(folder / "a/b"), 0700U);
  store->save_server_time(ServerTime(1));
  for (const auto& entry : fs::directory_iterator(folder / "a/b")) {
    EXPECT_EQ(mode_of(entry.path().string()), 0600U) << entry.path();
  }
  EXPECT_EQ(store->server_time(), ServerTime(1));
}

TEST(StoreOpen, keeps_everything_and_leaves_nothing_beside_it) {
  const TemporaryFolder folder;
  const std::string path = folder / "paika.db";
  make_store(path);
  EXPECT_EQ(paika_tests::files_in(folder.path(), ".db").size(), 1U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
  EXPECT_EQ(must(Store::open(path, Mode::owner), path)->events("a").size(), 300U);
}

TEST(StoreOpen, one_owner_at_a_time_and_readers_beside_it) {
  const TemporaryFolder folder;
  const std::string path = folder / "paika.db";
  auto owner = must(Store::open(path, Mode::owner), path);
  EXPECT_TRUE(refusal(path).ends_with("is in use by another server")) << refusal(path);
  fs::create_symlink(path, folder / "link.db");
  EXPECT_TRUE(refusal(folder / "link.db").ends_with("is in use by another server"));

  const auto reader = must(Store::open(path, Mode::reader), path);
  owner->add_room(paika_tests::row("a"));
  EXPECT_TRUE(reader->room("a"));
  EXPECT_THROW(reader->add_room(paika_tests::row("b")), StoreError);
  EXPECT_THROW(reader->save_server_time(ServerTime(5)), StoreError);
  reader->atomically([&] { EXPECT_TRUE(reader->room("a")); });

  owner.reset();
  EXPECT_EQ(refusal(path), "");
  EXPECT_TRUE(reader->room("a"));
}

TEST(StoreOpen, the_lock_dies_with_a_process_that_is_killed) {
  const TemporaryFolder folder;
  const std::string path = folder / "paika.db";
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto store = Store::open(path, Mode::owner);
    const char ready = store ? '+' : '-';
    if (write(ends[1], &ready, 1) == 1) pause();
    _exit(1);
  }
  char ready = 0;
  ASSERT_EQ(read(ends[0], &ready, 1), 1);
  EXPECT_EQ(ready, '+');
  EXPECT_TRUE(refusal(path).ends_with("is in use by another server")) << refusal(path);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(refusal(path), "");
  close(ends[0]);
  close(ends[1]);
}

TEST(StoreOpen, a_reader_needs_a_file_that_the_server_made) {
  const TemporaryFolder folder;
  EXPECT_TRUE(refusal(folder / "none.db", Mode::reader).starts_with("there is no file"));
  EXPECT_FALSE(fs::exists(folder / "none.db"));
  write_file(folder / "empty.db", "");
  EXPECT_NE(refusal(folder / "empty.db", Mode::reader), "");
}

TEST(StoreOpen, an_empty_file_is_no_new_store) {
  const TemporaryFolder folder;
  const std::string path = folder / "paika.db";
  write_file(path, "");
  EXPECT_NE(refusal(path).find("is empty, which a store never is: restore a backup"), std::string::npos);
  EXPECT_EQ(read_whole(path), "");
  fs::remove(path);
  // What a crash left of a store that was being made is made anew.
  write_file(path + ".new", "half of a st");
  EXPECT_EQ(refusal(path), "");
  EXPECT_FALSE(fs::exists(path + ".new"));
}

TEST(StoreOpen, a_store_that_was_deleted_beside_its_log_is_missed) {
  const TemporaryFolder folder;
  const std::string path = folder / "paika.db";
  write_file(path + "-wal", "events");
  EXPECT_NE(refusal(path).find("was deleted or moved"), std::string::npos) << refusal(path);
  EXPECT_FALSE(fs::exists(path));
}

/// Makes files that grow beyond this fail while it lives, as on a full disk.
class NoMoreThan {
 public:
  explicit NoMoreThan(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  NoMoreThan(const NoMoreThan&) = delete;
  NoMoreThan& operator=(const NoMoreThan&) = delete;
  ~NoMoreThan() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST(StoreOpen, a_store_that_cannot_be_written_is_refused) {
  const TemporaryFolder folder;
  const std::string path = folder / "paika.db";
  make_store(path);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  {
    const NoMoreThan full(16);
    EXPECT_NE(refusal(path).find("cannot be used"), std::string::npos) << refusal(path);
    EXPECT_NE(refusal(folder / "new.db"), "");
    EXPECT_FALSE(fs::exists(folder / "new.db")) << "nothing half made is left";
  }
  std::signal(SIGXFSZ, old);
  EXPECT_EQ(refusal(path), "");
}

TEST(StoreOpen, a_store_that_may_not_be_written_is_refused) {
  const TemporaryFolder folder;
  const std::string path = folder / "paika.db";
  make_store(path);
  fs::permissions(path, fs::perms::owner_read);
  // Root may write everything; so an ordinary user asks, in a process of its own.
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (geteuid() == 0) {
      constexpr uid_t nobody = 65534;
      if (chown(folder.path().c_str(), nobody, nobody) != 0 || chown(path.c_str(), nobody, nobody) != 0 ||
          setgid(nobody) != 0 || setuid(nobody) != 0) {
        _exit(2);
      }
    }
    _exit(refusal(path).find("is read-only") != std::string::npos ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(StoreOpen, says_when_what_it_writes_does_not_last) {
  const TemporaryFolder folder;
  const std::string path = folder / "paika.db";
  const auto store = must(Store::open(path, Mode::owner), path);
  EXPECT_EQ(store->storage_fault(), std::nullopt);
  {
    const auto old = std::signal(SIGXFSZ, SIG_IGN);
    const NoMoreThan full(16);
    EXPECT_THROW(static_cast<void>(store->storage_fault()), StoreError);
    std::signal(SIGXFSZ, old);
  }
  EXPECT_EQ(store->storage_fault(), std::nullopt);
  fs::rename(path, folder / "away");
  EXPECT_NE(store->storage_fault().value_or("").find("deleted"), std::string::npos);
  write_file(path, "another");
  EXPECT_NE(store->storage_fault().value_or("").find("replaced"), std::string::npos);
  fs::rename(folder / "away", path);
  EXPECT_EQ(store->storage_fault(), std::nullopt);
  fs::rename(path + "-wal", folder / "log");
  EXPECT_NE(store->storage_fault().value_or("").find("-wal"), std::string::npos);
  fs::rename(folder / "log", path + "-wal");
}

TEST(StoreOpen, refuses_paths_that_cannot_be_a_file) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal(""), "the path of the store's file is empty");
  EXPECT_TRUE(refusal(folder.path().string()).ends_with("is a folder, not a file"));
  write_file(folder / "file", "text");
  EXPECT_TRUE(refusal(folder / "file/paika.db").starts_with("cannot create")) << refusal(folder / "file/paika.db");
  EXPECT_NE(refusal(std::string(5000, 'x')), "");
}

TEST(StoreOpen, a_name_that_sqlite_takes_for_something_else_is_a_file) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  make_store(":memory:");
  EXPECT_EQ(must(Store::open(":memory:", Mode::owner), "memory")->events("a").size(), 300U);
  fs::current_path(before);
  EXPECT_TRUE(fs::exists(folder / ":memory:"));
}

TEST(StoreOpen, refuses_files_of_others_and_changes_nothing_in_them) {
  const TemporaryFolder folder;
  const std::string path = folder / "other.db";
  for (const std::string& bytes : {std::string("hello"), std::string(10000, 'x'), std::string(4096, '\0')}) {
    write_file(path, bytes);
    for (const Mode mode : {Mode::owner, Mode::reader}) {
      EXPECT_TRUE(refusal(path, mode).ends_with("is not a database of this server")) << refusal(path, mode);
    }
    EXPECT_EQ(read_whole(path), bytes);
  }
  fs::remove(path);
  for (const char* sql : {"CREATE TABLE cake (x)", "PRAGMA user_version = 1", "PRAGMA application_id = 77"}) {
    SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(sql);
    const std::string bytes = read_whole(path);
    for (const Mode mode : {Mode::owner, Mode::reader}) {
      EXPECT_TRUE(refusal(path, mode).ends_with("is not a database of this server")) << refusal(path, mode);
    }
    EXPECT_EQ(read_whole(path), bytes) << sql;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
    fs::remove(path);
  }
}

TEST(StoreOpen, refuses_a_newer_version) {
  const TemporaryFolder folder;
  const std::string path = folder / "paika.db";
  make_store(path);
  SQLite::Database(path, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  EXPECT_TRUE(refusal(path).ends_with(
      fmt::format("has the layout version 99, of a newer program; this one knows versions up to {}", store_version)));
  EXPECT_NE(refusal(path, Mode::reader), "");
}

TEST(StoreOpen, refuses_a_damaged_file_with_a_clear_error) {
  const TemporaryFolder folder;
  const std::string path = folder / "paika.db";
  make_store(path);
  const std::string good = read_whole(path);
  ASSERT_GT(good.size(), 150'000U);
  for (const std::size_t size : {good.size() - 1, good.size() - 4096, good.size() / 2, std::size_t{5000}}) {
    write_file(path, good.substr(0, size));
    EXPECT_NE(refusal(path).find("is damaged"), std::string::npos) << size << ' ' << refusal(path);
  }
  std::string bad = good;
  for (std::size_t i = 60'000; i < 90'000; ++i) bad[i] = '\x55';
  write_file(path, bad);
  EXPECT_NE(refusal(path).find("is damaged"), std::string::npos) << refusal(path);
  bad = good;
  bad[3] = 'x';
  write_file(path, bad);
  EXPECT_NE(refusal(path).find("is not a database of this server"), std::string::npos) << refusal(path);
  write_file(path, good);
  EXPECT_EQ(refusal(path), "");
}

// ---- Steps of the layout ----

class LayoutSteps : public testing::Test {
 protected:
  LayoutSteps() { must(make_private_file(path), path); }
  [[nodiscard]] Database opened() const { return Database(connect_sqlite(path, Access::owner)); }
  /// Brings the file up to a version.
  void go(std::size_t version) {
    Database database = opened();
    const Layout all = store_layout();
    must(bring_up_to_date(database, {all.application, all.steps.first(version)}), path);
  }
  std::int64_t number(Sql sql) {
    Database database = opened();
    Query query = database.query(sql);
    return query.next() ? query.number(0) : -1;
  }

  static void must(const Result<void>& done, const std::string& what) {
    if (!done) throw std::runtime_error(what + done.error().message);
  }

  TemporaryFolder folder;
  std::string path = folder / "paika.db";
};

TEST_F(LayoutSteps, events_of_old_files_call_a_move_a_move) {
  go(2);
  opened().run_once(R"sql(
INSERT INTO rooms (id, spec, state, first_name, second_name, rated, listed, turns, verdict, reason, created, changed)
  VALUES ('a', 'othello', 'running', 'ann', 'bob', 0, 0, 1, 'ongoing', 'unfinished', 1, 1);
INSERT INTO events (room, number, at_us, text) VALUES
  ('a', 1, 10, '{"number":1,"event":"created","clock":{"turn_ms":5}}'),
  ('a', 2, 20, '{"number":2,"event":"turn","turn":1,"left":{"first":{"turn_ms":4}}}'),
  ('a', 3, 30, '{"number":3,"event":"taken_back","turns":1}'),
  ('a', 4, 40, '{"number":4,"event":"chat","text":"your \"turn\": now, \"turn_ms\":7"}');
)sql");
  const auto store = paika_tests::must(Store::open(path, Mode::owner), path);
  EXPECT_EQ(paika_tests::texts_of(store->events("a")),
            (std::vector<std::string>{R"({"number":1,"event":"created","clock":{"move_ms":5}})",
                                      R"({"number":2,"event":"move","move":1,"left":{"first":{"move_ms":4}}})",
                                      R"({"number":3,"event":"taken_back","moves":1})",
                                      R"({"number":4,"event":"chat","text":"your \"turn\": now, \"turn_ms\":7"})"}));
}

TEST_F(LayoutSteps, this_program_has_as_many_as_its_version) {
  EXPECT_EQ(store_layout().steps.size(), std::size_t{store_version});
  go(store_version);
  Database database = opened();
  EXPECT_EQ(layout_version(database, store_layout()), Result<int>(store_version));
}

TEST_F(LayoutSteps, version_4_gives_events_that_are_there_their_checksums) {
  go(3);
  opened().run_once(R"sql(
INSERT INTO rooms (id, spec, state, first_name, second_name, rated, listed, turns, verdict, reason, created, changed)
  VALUES ('a', 'othello', 'running', 'ann', 'bob', 0, 0, 1, 'ongoing', 'unfinished', 1, 1);
INSERT INTO events (room, number, at_us, text) VALUES ('a', 1, 10, 'one'), ('a', 2, 20, 'two');
)sql");
  const auto store = paika_tests::must(Store::open(path, Mode::owner), path);
  EXPECT_EQ(paika_tests::texts_of(store->events("a")), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(number("SELECT count(DISTINCT checksum) FROM events WHERE checksum <> 0"), 2);
  store->add_events("a", std::vector{paika_tests::event(3, "three")});
  EXPECT_EQ(store->events("a").size(), 3U);
}

TEST_F(LayoutSteps, version_3_renames_a_column_and_keeps_what_is_in_it) {
  go(2);
  opened().run_once(
      "INSERT INTO people (id, name, since) VALUES (1, 'ann', 0);"
      "INSERT INTO classes (id, name, teacher, spec, turn_ms, memory_mb, uploads_a_day, pairs, deadline, code, "
      "state,"
      " created) VALUES ('c', 'C', 1, 'othello', 1, 1, 17, 1, 0, 'x', 'open', 0)");
  go(3);
  EXPECT_EQ(number("SELECT uploads_per_day FROM classes_shown WHERE id = 'c'"), 17);
}

TEST_F(LayoutSteps, version_6_says_of_rooms_that_are_there_their_clock_and_who_is_to_move) {
  go(5);
  opened().run_once(R"sql(
      INSERT INTO rooms (id, spec, state, first_name, second_name, rated, listed, turns, verdict, reason, created, changed)
        VALUES ('a', 'othello', 'running', 'x', 'y', 0, 1, 1, 'ongoing', '', 1, 1),
               ('b', 'othello', 'ended', 'x', 'y', 0, 1, 1, 'draw', 'agreed', 1, 1),
               ('c', 'othello', 'running', 'x', 'y', 0, 1, 0, 'ongoing', '', 1, 1);
      INSERT INTO events (room, number, at_us, text) VALUES
        ('a', 1, 1, '{"event":"created","clock":{"move_ms":5000}}'),
        ('a', 2, 1, '{"event":"begun","to_move":"first"}'),
        ('a', 3, 1, '{"event":"move","to_move":"second"}'),
        ('a', 4, 1, '{"event":"chat","text":"hi"}'),
        ('b', 1, 1, '{"event":"created","clock":null}'),
        ('b', 2, 1, '{"event":"begun","to_move":"first"}'),
        ('c', 1, 1, 'rubbish');
    )sql");
  go(store_version);
  Database database = opened();
  std::string told;
  for (Query query = database.query("SELECT id, clock, to_move FROM rooms ORDER BY id"); query.next();) {
    told += query.text(0) + " " + query.text(1) + " " + query.text(2) + "; ";
  }
  EXPECT_EQ(told, "a {\"move_ms\":5000} second; b null ; c null ; ");
}

TEST(LayoutStepsOnBoth, version_17_keeps_the_strength_of_stored_levels) {
  const TemporaryFolder folder;
  Database database(connect_to_database(paika_tests::made_database(folder), Access::owner));
  const Layout all = store_layout();
  ASSERT_TRUE(bring_up_to_date(database, {all.application, all.steps.first(16)}));
  std::string tasks;
  for (int level = 1; level <= 10; ++level) tasks += fmt::format(R"({{"level":{},"games":2}},)", level);
  tasks += R"({"note":"\"level\":9,\"games\":","kind":"puzzle","level":9,"accepted":[]})";
  database.run("INSERT INTO people (id, name, since) VALUES (1, 'ann', 0)");
  database.run(
      "INSERT INTO classes (id, name, teacher, spec, turn_ms, memory_mb, uploads_per_day, pairs, deadline, code, state,"
      " created) VALUES ('c', 'C', 1, 'othello', 1, 1, 17, 1, 0, 'x', 'open', 0)");
  database.run("INSERT INTO assignments VALUES ('a', 'c', '', '', 0, 0, 1, 1, ?, 0)", tasks);
  for (int level = 0; level <= 10; ++level) {
    database.run("INSERT INTO exhibitions VALUES (?, 'c', 'othello', ?, 0)", fmt::format("e{:02}", level), level);
  }

  ASSERT_TRUE(bring_up_to_date(database, all));
  std::vector<std::int64_t> levels;
  for (Query query = database.query("SELECT level FROM exhibitions ORDER BY id"); query.next();) {
    levels.push_back(query.number(0));
  }
  EXPECT_EQ(levels, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 7, 9, 10, 13, 14}));
  std::string expected;
  for (const int level : {1, 2, 3, 4, 5, 7, 9, 10, 13, 14}) {
    expected += fmt::format(R"({{"level":{},"games":2}},)", level);
  }
  expected += R"({"note":"\"level\":9,\"games\":","kind":"puzzle","level":9,"accepted":[]})";
  Query query = database.query("SELECT tasks FROM assignments");
  ASSERT_TRUE(query.next());
  EXPECT_EQ(query.text(0), expected);
}

}  // namespace
}  // namespace paika::server
