// The server is killed at random moments: what was told to be kept is there, once and without gaps.
#include <csignal>
#include <cstring>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

#include "server/store/writer.hpp"
#include "tests/server/store/fixture.hpp"

namespace paika::server {
namespace {

using paika_tests::must;

/// In the child: adds events from `number` on for ever, and writes each number to the pipe once it is kept.
[[noreturn]] void add_for_ever(const std::string& path, std::uint64_t number, int pipe) {
  auto store = Store::open(path, Store::Mode::owner);
  if (!store) _exit(1);
  Writer writer(std::move(*store), [](const std::function<void()>& call) { call(); });
  while (true) {
    if (writer.waiting() > 50) {
      usleep(200);
      continue;
    }
    writer.submit(
        [number](Store& kept) {
          kept.save_server_time(ServerTime(number * 10));
          kept.add_events("a", std::vector{paika_tests::event(number, std::string(600, 'x'))});
        },
        [number, pipe](const std::optional<std::string>& failure) {
          if (failure || write(pipe, &number, sizeof number) != sizeof number) _exit(1);
        });
    ++number;
  }
}

/// The last number that a child has told before it was killed.
std::uint64_t kill_one(const std::string& path, std::uint64_t next, int milliseconds) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    add_for_ever(path, next, ends[1]);
  }
  close(ends[1]);
  std::uint64_t told = 0;
  if (read(ends[0], &told, sizeof told) != sizeof told) throw std::runtime_error("the child has failed");
  usleep(static_cast<useconds_t>(milliseconds) * 1000);
  kill(child, SIGKILL);
  for (std::uint64_t number = 0; read(ends[0], &number, sizeof number) == sizeof number; told = number) {
    if (number != told + 1) throw std::runtime_error("told out of order");
  }
  waitpid(child, nullptr, 0);
  close(ends[0]);
  return told;
}

TEST(StoreCrash, loses_nothing_that_was_told) {
  const paika_tests::TemporaryFolder folder;
  const std::string path = paika_tests::new_database(folder);
  must(Store::open(path, Store::Mode::owner), path)->add_room(paika_tests::row("a"));
  std::mt19937 random(7);  // NOLINT(bugprone-random-generator-seed): the same moments each time
  std::uint64_t next = 1;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t told = kill_one(path, next, static_cast<int>(random() % 60));
    const auto store = must(Store::open(path, Store::Mode::owner), path);
    const auto events = store->events("a");
    ASSERT_GE(events.size(), told) << round;
    ASSERT_GE(told, next) << round;
    for (std::size_t i = 0; i < events.size(); ++i) ASSERT_EQ(events[i].number, i + 1) << round;
    // The time was kept with the last event, in the same job.
    ASSERT_EQ(store->server_time(), events.back().at) << round;
    next = events.size() + 1;
  }
  EXPECT_GT(next, 20U);
}

}  // namespace
}  // namespace paika::server
