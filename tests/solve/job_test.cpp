// The solver against a slow one, and against itself: interrupted, in parts, with peers.
#include <barrier>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <mutex>
#include <thread>

#include "engine/registry.hpp"
#include "engine/solver.hpp"
#include "engine/tables.hpp"
#include "solve/peers.hpp"
#include "solve/table_writer.hpp"
#include "tests/solve/slow_solver.hpp"
#include "tests/support/folder.hpp"

namespace paika {
namespace {

namespace fs = std::filesystem;

class SolveJobTest : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

  static std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Solves into a file of this name; the bytes of the table.
  std::string solve(const std::string& spec, const std::string& name, SolveSettings settings = {}) {
    const auto solver = open_solver(spec);
    EXPECT_TRUE(solver) << (solver ? "" : solver.error().message);
    settings.table = path(name);
    const auto done = (*solver)->solve(settings);
    EXPECT_TRUE(done) << (done ? "" : done.error().message);
    return bytes_of(settings.table);
  }

  paika_tests::TemporaryFolder folder_;
};

/// The position without the number of moves played, which tables do not know: always one, for before the first no
/// stone is sacrificed.
std::string name_without_moves(const Notation& notation, Board board) {
  board.counters = {1};
  return notation.position_text(board);
}

TEST_F(SolveJobTest, AgreesWithASlowSolver) {
  for (const char* spec :
       {"abalone:3x3,captures=1", "abalone:3x3,captures=1,misere", "abalone:3x3,captures=1,freeze",
        "abalone:3x3,captures=1,misere,freeze", "abalone:3x3,captures=2", "abalone:3x3,captures=2,freeze=initiator",
        "abalone:3x3,captures=2,must", "abalone:3x3,captures=3,misere,freeze", "abalone:3x4,captures=1",
        "abalone:4x3,captures=1,freeze", "fanorona:3x3,limit=0", "fanorona:1x7,limit=0"}) {
    SCOPED_TRACE(spec);
    solve(spec, "t");
    const auto game = *open_game(spec);
    auto book = TableBook::open_file(spec, path("t"));
    ASSERT_TRUE(book) << book.error().message;
    const Notation& notation = game->notation();
    const auto values = test::slow_values(*game, game->start()->board(),
                                          [&](const Board& b) { return name_without_moves(notation, b); });
    ASSERT_GT(values.size(), 100U);
    for (const auto& [text, value] : values) {
      const auto session = game->start_from_text(text);
      ASSERT_TRUE(session) << text;
      const auto found = (*book)->value(**session);
      ASSERT_TRUE(found && *found) << text;
      ASSERT_EQ((*found)->code(), value.code()) << text;
    }
    fs::remove(path("t"));
  }
}

// rules/abalone.md 6.2
TEST_F(SolveJobTest, KnownValuesOfAbalone) {
  const auto value_of = [&](const std::string& spec) {
    solve(spec, "known");
    auto book = TableBook::open_file(spec, path("known"));
    const auto value = **(*book)->value(*(*open_game(spec))->start());
    fs::remove(path("known"));
    return value;
  };
  EXPECT_EQ(value_of("abalone:3x3,captures=1"), Value::win(3));
  EXPECT_EQ(value_of("abalone:3x3,captures=1,freeze"), Value::win(1));
  EXPECT_EQ(value_of("abalone:3x3,captures=1,misere"), Value::draw());
  EXPECT_EQ(value_of("abalone"), Value::win(23));
}

TEST_F(SolveJobTest, PortraitBoardsHaveTheTableOfLandscapeOnes) {
  EXPECT_EQ(*table_label("abalone:5x4,misere"), *table_label("abalone:4x5,misere"));
  EXPECT_EQ(*table_label("fanorona:3x7,limit=9"), "fanorona:7x3,limit=0");
  EXPECT_TRUE(solve("abalone:4x3,freeze", "portrait") == solve("abalone:3x4,freeze", "landscape"));
  // The starts differ (rules/fanorona.md 1.2), so the values do; 3x5 was also solved in a numbering of its own.
  const auto value_of_start = [&](const std::string& spec) {
    auto book = TableBook::open_file(spec, path("t"));
    EXPECT_TRUE(book) << book.error().message;
    return **(*book)->value(*(*open_game(spec))->start());
  };
  solve("fanorona:3x5,classic", "t", {.threads = 2});
  EXPECT_EQ(value_of_start("fanorona:5x3,classic"), Value::win(11));
  EXPECT_EQ(value_of_start("fanorona:3x5,classic"), Value::loss(20));
  EXPECT_EQ(value_of_start("fanorona:3x5,sacrifice=off,limit=19"), Value::draw());
}

TEST_F(SolveJobTest, ThreadsAndPartsGiveTheSameBytes) {
  const std::string spec = "abalone:4x3,captures=2";
  const std::string whole = solve(spec, "whole");
  ASSERT_FALSE(whole.empty());
  EXPECT_TRUE(solve(spec, "threads", {.threads = 4}) == whole);
  EXPECT_TRUE(solve(spec, "parts", {.parts = 3}) == whole);
  EXPECT_TRUE(solve(spec, "both", {.parts = 7, .threads = 2}) == whole);
}

TEST_F(SolveJobTest, GoesOnAfterBeingStopped) {
  for (const std::uint64_t parts : {1U, 4U}) {
    const std::string spec = "abalone:4x3,captures=2";
    const std::string whole = solve(spec, fmt::format("whole{}", parts));
    int stops = 0;
    for (int round = 1; round < 200; ++round) {
      std::stop_source source;
      int calls = 0;
      SolveSettings settings{.table = path("stopped"), .parts = parts};
      settings.stop = source.get_token();
      settings.save_every = std::chrono::milliseconds(0);
      settings.on_progress = [&](const SolveProgress&) {
        if (++calls == 4 * round) source.request_stop();
      };
      settings.progress_interval = std::chrono::milliseconds(0);
      const auto solver = open_solver(spec);
      if ((*solver)->solve(settings)) break;
      ++stops;
    }
    EXPECT_GE(stops, 1);
    EXPECT_TRUE(bytes_of(path("stopped")) == whole);
    EXPECT_FALSE(fs::exists(path("stopped.work")));
    fs::remove(path("stopped"));
  }
}

/// Peers that are threads of this process.
class ThreadPeers final : public Peers {
 public:
  struct Hall {
    explicit Hall(int peers) : count(peers), all(peers), boxes(static_cast<std::size_t>(peers)) {}
    int count;
    std::barrier<> all;
    std::vector<std::vector<std::vector<Message>>> boxes;
    std::vector<std::int64_t> numbers = std::vector<std::int64_t>(16);
    std::vector<unsigned char> bytes;
    std::vector<std::uint16_t> codes;
    std::string text;
    std::mutex mutex;
  };
  ThreadPeers(Hall& hall, int rank) : hall_(hall), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return hall_.count; }
  [[nodiscard]] std::vector<Message> exchange(std::vector<std::vector<Message>>& boxes) override {
    hall_.boxes[static_cast<std::size_t>(rank_)] =
        std::exchange(boxes, std::vector<std::vector<Message>>(boxes.size()));
    hall_.all.arrive_and_wait();
    std::vector<Message> mine;
    for (const auto& from : hall_.boxes) {
      const auto& box = from[static_cast<std::size_t>(rank_)];
      mine.insert(mine.end(), box.begin(), box.end());
    }
    hall_.all.arrive_and_wait();
    return mine;
  }
  [[nodiscard]] std::int64_t greatest(std::int64_t mine) override {
    hall_.numbers[static_cast<std::size_t>(rank_)] = mine;
    hall_.all.arrive_and_wait();
    std::int64_t most = mine;
    for (int i = 0; i < hall_.count; ++i) most = std::max(most, hall_.numbers[static_cast<std::size_t>(i)]);
    hall_.all.arrive_and_wait();
    return most;
  }
  void combine(std::span<unsigned char> bytes) override {
    if (rank_ == 0) hall_.bytes.assign(bytes.size(), 0);
    hall_.all.arrive_and_wait();
    {
      const std::lock_guard lock(hall_.mutex);
      for (std::size_t i = 0; i < bytes.size(); ++i) hall_.bytes[i] = std::max(hall_.bytes[i], bytes[i]);
    }
    hall_.all.arrive_and_wait();
    std::copy(hall_.bytes.begin(), hall_.bytes.end(), bytes.begin());
    hall_.all.arrive_and_wait();
  }
  void hand_over(int from, std::span<std::uint16_t> codes) override {
    if (rank_ == from) hall_.codes.assign(codes.begin(), codes.end());
    hall_.all.arrive_and_wait();
    if (rank_ == 0) std::copy(hall_.codes.begin(), hall_.codes.end(), codes.begin());
    hall_.all.arrive_and_wait();
  }

  void broadcast(int from, std::string& text) override {
    if (rank_ == from) hall_.text = text;
    hall_.all.arrive_and_wait();
    text = hall_.text;
    hall_.all.arrive_and_wait();
  }
  [[noreturn]] void abandon(int status) override { std::exit(status); }

 private:
  Hall& hall_;
  int rank_;
};

TEST_F(SolveJobTest, PeersGiveTheSameBytes) {
  const std::string spec = "abalone:4x3,captures=2";
  const std::string whole = solve(spec, "whole");
  for (const int peers : {2, 3, 4}) {
    ThreadPeers::Hall hall(peers);
    const std::string table = path(fmt::format("peers{}", peers));
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < peers; ++rank) {
      threads.emplace_back([&, rank] {
        ThreadPeers me(hall, rank);
        const auto solver = open_solver(spec);
        const auto done = (*solver)->solve({.table = table, .peers = &me});
        EXPECT_TRUE(done) << (done ? "" : done.error().message);
      });
    }
    threads.clear();
    EXPECT_TRUE(bytes_of(table) == whole) << peers;
  }
}

/// What each of the peers says at the end: "" or its error. They work on different files if they are told to.
std::vector<std::string> solve_with_peers(const std::string& spec, const std::vector<std::string>& tables) {
  ThreadPeers::Hall hall(static_cast<int>(tables.size()));
  std::vector<std::string> said(tables.size());
  std::vector<std::jthread> threads;
  for (std::size_t rank = 0; rank < tables.size(); ++rank) {
    threads.emplace_back([&, rank] {
      ThreadPeers me(hall, static_cast<int>(rank));
      const auto done = (*open_solver(spec))->solve({.table = tables[rank], .peers = &me});
      if (!done) said[rank] = done.error().message;
    });
  }
  threads.clear();
  return said;
}

TEST_F(SolveJobTest, WhatOnePeerAloneCannotOpenStopsAll) {
  // The second one looks into a folder of its own, where the first one's finished tiers are not.
  const auto said = solve_with_peers("abalone:4x3,captures=2", {path("shared"), path("alone"), path("shared")});
  EXPECT_TRUE(said[0].starts_with("process 2 of 3: cannot open ")) << said[0];
  EXPECT_NE(said[0].find("alone.work/0000.section"), std::string::npos) << said[0];
  EXPECT_EQ(said[1], said[0]);
  EXPECT_EQ(said[2], said[0]);
}

TEST_F(SolveJobTest, WhatOnePeerAloneCannotWriteStopsAll) {
  std::ofstream(path("file")) << "no folder";
  const auto said = solve_with_peers("abalone:3x3", {path("shared"), path("file") + "/table"});
  EXPECT_TRUE(said[0].starts_with("process 2 of 2: cannot create the folder ")) << said[0];
  EXPECT_EQ(said[1], said[0]);
}

TEST_F(SolveJobTest, ADamagedTierStopsAllPeersThatReadIt) {
  const std::string spec = "abalone:4x3,captures=2";
  // Both have the first tiers, the second one's are damaged.
  for (const char* name : {"good", "bad"}) {
    std::stop_source source;
    SolveSettings settings{.table = path(name)};
    settings.stop = source.get_token();
    settings.on_progress = [&](const SolveProgress& progress) {
      if (progress.done > 0.5) source.request_stop();
    };
    settings.progress_interval = std::chrono::milliseconds(0);
    ASSERT_FALSE((*open_solver(spec))->solve(settings));
    ASSERT_TRUE(fs::exists(path(name) + ".work/0000.section"));
  }
  const std::string section = path("bad.work/0000.section");
  std::string bytes = bytes_of(section);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(section, std::ios::binary) << bytes;
  const auto said = solve_with_peers(spec, {path("good"), path("bad")});
  EXPECT_TRUE(said[0].starts_with("process 2 of 2: ")) << said[0];
  EXPECT_NE(said[0].find("bad.work/0000.section"), std::string::npos) << said[0];
  EXPECT_EQ(said[1], said[0]);
}

TEST_F(SolveJobTest, ABookCanShareTheSolver) {
  const std::string spec = "abalone:3x3,captures=1";
  solve(spec, "t");
  const std::shared_ptr<const Solver> solver = *open_solver(spec);
  auto book = TableBook::open_file(solver, path("t"));
  ASSERT_TRUE(book) << book.error().message;
  EXPECT_EQ(&(*book)->numbering(), solver.get()) << "positions are numbered once";
  EXPECT_EQ(**(*book)->value(*(*open_game(spec))->start()), Value::win(3));
  const auto refused = TableBook::open_file(std::shared_ptr<const Solver>(*open_solver("abalone:3x3")), path("t"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("is the table of"), std::string::npos);
}

TEST_F(SolveJobTest, VerifyFindsAWrongValue) {
  const std::string spec = "abalone:3x3,captures=2";
  solve(spec, "good");
  const auto solver = *open_solver(spec);
  const auto good = ValueTable::open(path("good"));
  ASSERT_TRUE(good);
  const auto verdict = solver->verify(*good, {.threads = 2});
  ASSERT_TRUE(verdict) << verdict.error().message;
  EXPECT_FALSE(*verdict) << **verdict;
  // The same table with one value changed, written properly: only its turns can tell.
  std::vector<std::string> sections;
  for (std::size_t tier = 0; tier < good->tiers().size(); ++tier) {
    const TableSection& from = good->tiers()[tier];
    std::vector<std::uint16_t> codes(from.positions());
    TableReader reader = good->reader(1 << 20);
    ASSERT_TRUE(from.read(reader, 0, codes));
    if (tier == 1)
      codes[codes.size() / 2] = Value::from_code(codes[codes.size() / 2]).is_draw() ? Value::win(1).code() : 0;
    CodeSet set;
    set.add(codes);
    sections.push_back(path(fmt::format("section{}", tier)));
    auto writer = SectionWriter::create(sections.back(), from.name(), from.positions(), set.sorted());
    ASSERT_TRUE(writer && writer->append(codes) && writer->finish());
  }
  ASSERT_TRUE(assemble_table(path("bad"), solver->label(), sections));
  const auto bad = ValueTable::open(path("bad"));
  ASSERT_TRUE(bad);
  const auto found = solver->verify(*bad, {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(*found);
}

}  // namespace
}  // namespace paika
