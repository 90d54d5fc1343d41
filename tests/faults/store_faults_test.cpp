// The store under fault injection: each write, sync, opening and allocation fails in turn. What was said to be
// committed is there, what was said to have failed is not, and the store goes on.
#include <atomic>
#include <filesystem>
#include <gtest/gtest.h>
#include <latch>
#include <new>
#include <thread>

#include "database/database.hpp"
#include "server/store/classes.hpp"
#include "server/store/writer.hpp"
#include "tests/faults/injection.hpp"
#include "tests/faults/sqlite_faults.hpp"
#include "tests/server/store/fixture.hpp"

namespace paika::server {
namespace {

namespace fs = std::filesystem;
using paika_tests::ArmedFault;
using paika_tests::event;
using paika_tests::FaultKind;
using paika_tests::FaultsPaused;
using paika_tests::for_each_fault;
using paika_tests::must;
using paika_tests::row;

/// Everything a store holds, as text.
std::string contents(Store& store) {
  std::string text = fmt::format("time {}\n", store.server_time().count());
  for (const char* id : {"a", "b", "new"}) {
    const auto room = store.room(id);
    if (!room) continue;
    text += fmt::format("room {} {} {} {}\n", id, room->names[0], room->turns, room->verdict);
    for (const Event& one : store.events(id)) text += fmt::format("  {} {} {}\n", one.number, one.person, *one.text);
  }
  for (PersonId id = 1; id < 6; ++id) {
    const auto person = store.person(id);
    if (!person) continue;
    // Names of guests are random.
    text += fmt::format("person {} {} {}\n", id, person->member ? person->name : "guest",
                        store.password_hash(id).value_or("-"));
    for (const RatingRow& one : store.ratings(id)) text += fmt::format("  {} {}\n", one.game, one.rating.value);
    for (const TokenRow& one : store.tokens(id)) text += fmt::format("  token {}\n", one.label);
  }
  return text;
}

/// A piece of work that the server does in one job.
struct Job {
  const char* name;
  void (*run)(Store& store);
};

void play_moves(Store& store) {
  store.save_server_time(ServerTime(900));
  // More than one page of the file.
  std::vector<Event> events;
  for (std::uint64_t n = 3; n < 9; ++n) events.push_back(event(n, std::string(1500, 'm'), 1));
  store.add_events("a", events);
  RoomRow changed = row("a");
  changed.turns = 6;
  store.change_room(changed);
}

void open_room(Store& store) {
  store.add_room(row("new", RoomState::open));
  store.add_events("new", std::vector{event(1, "opened", 2)});
}

void make_guest(Store& store) {
  const Person guest = store.add_guest(5);
  store.add_session(guest.id, "session of a guest", 5, 1'000'000);
}

void make_member(Store& store) {
  const auto member = store.make_member(3, "Carla", "hash");
  if (!member) throw std::runtime_error(member.error().message);
}

void rate(Store& store) { store.rate("b", "othello", {1, 2}, 1); }
void erase(Store& store) { store.erase_person(1); }
void drop(Store& store) {
  store.drop_idle_guests(10'000'000);
  store.drop_open_rooms(10'000'000);
}

constexpr std::array<Job, 7> jobs = {{{"play_moves", play_moves},
                                      {"open_room", open_room},
                                      {"make_guest", make_guest},
                                      {"make_member", make_member},
                                      {"rate", rate},
                                      {"erase", erase},
                                      {"drop", drop}}};

class StoreFaults : public testing::TestWithParam<std::tuple<Job, FaultKind, bool>> {
 protected:
  StoreFaults() {
    paika_tests::put_faults_into_sqlite();
    if (!start_secrets()) throw std::runtime_error("no random numbers");
    const auto store = must(Store::open(base, Store::Mode::owner), base);
    for (const char* name : {"anna", "ben"}) must(store->make_member(store->add_guest(1).id, name, "hash"), name);
    const Person guest = store->add_guest(2);
    store->add_session(guest.id, "session", 2, 1'000'000);
    store->add_token(1, "bot", "token", 3);
    RoomRow first = row("a");
    first.persons = {1, 2};
    store->add_room(first);
    // Erasing rewrites JSON. The library that does it takes memory in destructors and ends the process if there is
    // none; then nothing is committed either, but a test cannot go on.
    const char* text = kind() == FaultKind::io ? R"({"type":"opened","by":"anna"})" : "opened";
    store->add_events("a", std::vector{event(1, text, 1), event(2, "x", 2)});
    RoomRow second = row("b", RoomState::ended);
    second.persons = {1, 2};
    second.rated = true;
    second.verdict = "first_wins";
    store->add_room(second);
    before = contents(*store);
  }

  [[nodiscard]] const Job& job() const { return std::get<0>(GetParam()); }
  [[nodiscard]] FaultKind kind() const { return std::get<1>(GetParam()); }
  [[nodiscard]] bool all_after() const { return std::get<2>(GetParam()); }

  /// A fresh copy of the store, opened.
  std::unique_ptr<Store> fresh() {
    for (const char* end : {"", "-wal", "-shm"}) {
      std::error_code error;
      fs::remove(path + end, error);
    }
    fs::copy_file(base, path, fs::copy_options::overwrite_existing);
    return must(Store::open(path, Store::Mode::owner), path);
  }

  paika_tests::TemporaryFolder folder;
  std::string base = folder / "base.db";
  std::string path = folder / "paika.db";
  std::string before;
};

/// The error of the job; nothing if it is committed.
std::optional<std::string> run_with_fault(Store& store, const Job& job, const ArmedFault& /*armed*/) {
  try {
    store.atomically([&] { job.run(store); });
    return std::nullopt;
  } catch (const std::exception& error) {
    const FaultsPaused paused;
    return error.what();
  }
}

TEST_P(StoreFaults, a_job_is_committed_or_undone_and_the_store_goes_on) {
  std::string after;
  {
    const auto store = fresh();
    store->atomically([&] { job().run(*store); });
    after = contents(*store);
  }
  ASSERT_NE(before, after);
  // A job that failed has changed nothing, so the next fault meets the same store, which thereby goes on and on.
  auto store = fresh();
  const std::uint64_t faults = for_each_fault([&](std::uint64_t number) {
    std::optional<std::string> failure;
    bool was_met = false;
    {
      const ArmedFault armed(kind(), number, all_after());
      failure = run_with_fault(*store, job(), armed);
      was_met = ArmedFault::was_met();
    }
    const std::string told = fmt::format("{}: {}", number, failure.value_or("committed"));
    EXPECT_TRUE(!failure || !failure->empty()) << told;
    EXPECT_EQ(contents(*store), failure ? before : after) << told;
    EXPECT_EQ(contents(*must(Store::open(path, Store::Mode::reader), path)), failure ? before : after) << told;
    if (kind() == FaultKind::io || !failure) {
      store.reset();
      store = must(Store::open(path, Store::Mode::owner), path);
      EXPECT_EQ(contents(*store), failure ? before : after) << told << ", opened again";
    }
    if (!failure && was_met) {
      store.reset();
      store = fresh();
    }
    return was_met && !HasFailure();
  });
  EXPECT_EQ(contents(*store), after);
  EXPECT_GT(faults, kind() == FaultKind::io ? 3U : 10U);
}

std::string name_of(const testing::TestParamInfo<std::tuple<Job, FaultKind, bool>>& test) {
  return fmt::format("{}_{}_{}", std::get<0>(test.param).name,
                     std::get<1>(test.param) == FaultKind::io ? "io" : "memory",
                     std::get<2>(test.param) ? "from_then_on" : "once");
}

INSTANTIATE_TEST_SUITE_P(Every, StoreFaults,
                         testing::Combine(testing::ValuesIn(jobs), testing::Values(FaultKind::io, FaultKind::memory),
                                          testing::Bool()),
                         name_of);

class StoreOpenFaults : public StoreFaults {};

/// Opening fails with a message, changes nothing, and succeeds the next time; also of a file that is not there yet.
TEST_P(StoreOpenFaults, opening_fails_or_succeeds_and_loses_nothing) {
  // Making a file and looking through one takes thousands of allocations.
  const std::uint64_t step = kind() == FaultKind::memory ? 97 : 1;
  for (const bool is_new : {false, true}) {
    const auto attempt = [&](std::uint64_t number) {
      fresh().reset();
      if (is_new) fs::remove(path);
      bool was_met = false;
      {
        const ArmedFault armed(kind(), number, all_after());
        try {
          const auto store = Store::open(path, Store::Mode::owner);
          const FaultsPaused paused;
          EXPECT_TRUE(store || !store.error().message.empty()) << number;
        } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): an error too
        }
        was_met = ArmedFault::was_met();
      }
      const auto store = Store::open(path, Store::Mode::owner);
      EXPECT_TRUE(store) << number << ": " << store.error().message;
      if (store && is_new) {
        (*store)->add_room(row("a"));
      } else if (store) {
        EXPECT_EQ(contents(**store), before) << number;
      }
      return was_met && !HasFailure();
    };
    for_each_fault(attempt, step);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, StoreOpenFaults,
                         testing::Combine(testing::Values(Job{"open", nullptr}),
                                          testing::Values(FaultKind::io, FaultKind::memory), testing::Bool()),
                         name_of);

/// Reading gives all of it or an error, never a part.
TEST_P(StoreOpenFaults, reading_gives_all_or_an_error) {
  for_each_fault([&](std::uint64_t number) {
    const auto store = fresh();
    bool was_met = false;
    {
      const ArmedFault armed(kind(), number, all_after());
      try {
        const std::string read = contents(*store);
        const FaultsPaused paused;
        EXPECT_EQ(read, before) << number;
      } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): that is the error
      }
      was_met = ArmedFault::was_met();
    }
    EXPECT_EQ(contents(*store), before) << number;
    return was_met && !HasFailure();
  });
}

/// Through the writer, many jobs in a commit: those that were told to be committed are there, and no others.
TEST_P(StoreOpenFaults, what_the_writer_tells_is_true) {
  for_each_fault([&](std::uint64_t number) {
    std::vector<std::uint64_t> told;
    std::atomic<int> heard = 0;
    bool was_met = false;
    {
      Writer writer(fresh(), [](const std::function<void()>& call) { call(); });
      std::latch begun(1);
      std::latch release(1);
      writer.submit(
          [&](Store&) {
            begun.count_down();
            release.wait();
          },
          nullptr);
      begun.wait();
      for (std::uint64_t n = 3; n < 6; ++n) {
        writer.submit([n](Store& store) { store.add_events("a", std::vector{event(n, "move")}); },
                      [n, &told, &heard](const std::optional<std::string>& failure) {
                        const FaultsPaused paused;
                        if (!failure) told.push_back(n);
                        ++heard;
                      });
      }
      {
        const ArmedFault armed(kind(), number, all_after());
        release.count_down();
        // With no memory from now on nothing can be told either; it is later.
        while (heard < 3 && !(all_after() && ArmedFault::was_met())) std::this_thread::yield();
        was_met = ArmedFault::was_met();
      }
      writer.finish();
    }
    EXPECT_EQ(heard, 3) << number;
    const auto store = must(Store::open(path, Store::Mode::owner), path);
    std::vector<std::uint64_t> found;
    for (const Event& one : store->events("a", 2)) found.push_back(one.number);
    EXPECT_EQ(found, told) << number;
    return was_met && !HasFailure();
  });
}

}  // namespace
}  // namespace paika::server
