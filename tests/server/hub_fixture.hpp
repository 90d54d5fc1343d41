// A server's inside without a network: a store on disk, a writer, a hub, and a clock that the test moves.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/registry.hpp"
#include "server/hub.hpp"
#include "server/store/secrets.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/test_database.hpp"

namespace paika::server {

/// A subscriber that remembers what was sent.
class Memory final : public Subscriber {
 public:
  using Subscriber::send;
  void send(std::shared_ptr<const std::string> text) override {
    if (closed_) return;
    texts.push_back(*text);
    waiting_ += slow ? text->size() : 0;
    max_waiting = std::max(max_waiting, waiting_);
  }
  [[nodiscard]] std::size_t waiting_bytes() const override { return waiting_; }
  void when_drained(std::function<void()> call) override {
    if (waiting_ == 0) {
      call();
    } else {
      drained_.push_back(std::move(call));
    }
  }
  /// A slow client takes all that waits for it.
  void take_all() {
    waiting_ = 0;
    for (const auto& call : std::exchange(drained_, {})) call();
  }
  void close(int code, std::string_view /*reason*/) override {
    closed_ = true;
    close_code = code;
    for (const auto& call : std::exchange(calls_, {})) call();
  }
  [[nodiscard]] bool closed() const override { return closed_; }
  void when_closed(std::function<void()> call) override {
    if (closed_) {
      call();
    } else {
      calls_.push_back(std::move(call));
    }
  }
  /// The events that were sent, by their words.
  [[nodiscard]] std::vector<Json> events() const {
    std::vector<Json> found;
    for (const std::string& text : texts) {
      Json json = Json::parse(text);
      if (json.contains("event")) found.push_back(json["event"]);
    }
    return found;
  }
  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> found;
    for (const Json& event : events()) found.push_back(event["event"]);
    return found;
  }

  /// How many messages of a kind ("presence") there were.
  [[nodiscard]] std::size_t count(std::string_view kind) const {
    return static_cast<std::size_t>(std::count_if(
        texts.begin(), texts.end(), [&](const std::string& text) { return Json::parse(text).contains(kind); }));
  }

  std::vector<std::string> texts;
  int close_code = 0;
  bool slow = false;  // what it is sent waits until it is taken
  std::size_t max_waiting = 0;

 private:
  bool closed_ = false;
  std::size_t waiting_ = 0;
  std::vector<std::function<void()>> drained_;
  std::vector<std::function<void()>> calls_;
};

/// The functions that other threads hand over, run by the test's own thread.
class Posts {
 public:
  void add(std::function<void()> call) {
    {
      const std::scoped_lock lock(mutex_);
      calls_.push_back(std::move(call));
    }
    changed_.notify_all();
  }
  /// Runs what comes until `wanted()`; false if that takes too long.
  template <class Wanted>
  bool run_until(Wanted&& wanted) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!wanted()) {
      std::function<void()> call;
      {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_until(lock, give_up, [this] { return !calls_.empty(); })) return false;
        call = std::move(calls_.front());
        calls_.pop_front();
      }
      call();
    }
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> calls_;
};

struct HubFixture {
  explicit HubFixture(const std::string& database, std::size_t max_idle_bytes = default_max_idle_bytes)
      : path(database),
        log(LogLevel::error, [this](std::string_view line) { logged += line; }),
        reader(open(Store::Mode::owner, &owner)),
        writer(std::move(owner), [this](std::function<void()> call) { posts.add(std::move(call)); }),
        engines(1, 10, 0),
        reading(1, Caps{100, 2, 100}, 0),
        readers(reading, path, [this](std::function<void()> call) { posts.add(std::move(call)); }),
        hub({*reader,
             writer,
             engines,
             readers,
             log,
             [this] { return ServerTime(time.load()); },
             [this](std::function<void()> call) { posts.add(std::move(call)); },
             [this] { return new_id(); },
             "",
             default_engine_hash_mb,
             &rated,
             {},
             default_time_interval,
             max_idle_bytes}) {}
  HubFixture(const HubFixture&) = delete;
  HubFixture& operator=(const HubFixture&) = delete;
  ~HubFixture() {
    engines.close();
    reading.close();
    writer.finish();
  }

  /// Opens the owner first, for it makes the file.
  std::unique_ptr<Store> open(Store::Mode mode, std::unique_ptr<Store>* into) {
    auto first = Store::open(path, mode);
    if (!first) throw std::runtime_error(first.error().message);
    *into = std::move(*first);
    time = (*into)->server_time().count();
    auto second = Store::open(path, Store::Mode::reader);
    if (!second) throw std::runtime_error(second.error().message);
    return std::move(*second);
  }

  void pass(std::chrono::milliseconds by) { time += std::chrono::microseconds(by).count(); }

  /// Opens a room and waits until it is committed.
  RoomId open_room(const RoomPlan& plan, const Identity& opener, const Client& client = {}) {
    std::optional<tl::expected<RoomId, Refused>> answer;
    hub.open(plan, opener, client, [&](tl::expected<RoomId, Refused> room) { answer = std::move(room); });
    EXPECT_TRUE(posts.run_until([&] { return answer.has_value(); }));
    return answer && *answer ? **answer : RoomId();
  }

  tl::expected<Accepted, Refused> command(const RoomId& room, const Identity& who, const Command& what,
                                          const Client& client = {}) {
    std::optional<tl::expected<Accepted, Refused>> answer;
    hub.command(room, client, who, what, [&](const auto& given) { answer = given; });
    EXPECT_TRUE(posts.run_until([&] { return answer.has_value(); }));
    return answer.value_or(tl::unexpected(Refused{"no answer", "", {}}));
  }

  std::string path;
  std::function<RoomId()> new_id = [] { return random_name(10); };
  std::string logged;
  std::atomic<std::int64_t> time = 0;
  Posts posts;
  Log log;
  std::unique_ptr<Store> owner;  // until the writer has it
  std::unique_ptr<Store> reader;
  Writer writer;
  WorkQueue engines;
  WorkQueue reading;
  BackgroundReader readers;
  RatedPositions rated;
  Hub hub;
};

/// Guests, rooms and watchers of a hub that can begin again on the same file.
class HubTest : public testing::Test {
 protected:
  HubTest() {
    EXPECT_TRUE(start_secrets());
    begin();
  }
  void begin() { fixture = std::make_unique<HubFixture>(path); }
  /// Ends the server and starts it again on the same file.
  void restart() {
    fixture.reset();
    begin();
    fixture->hub.load();
  }
  Identity guest(std::string_view /*name*/) {
    std::optional<Person> made;
    fixture->writer.submit([&](Store& store) { made = store.add_guest(1); }, [](const auto&) {});
    std::optional<bool> done;
    fixture->writer.submit([](Store&) {}, [&](const auto&) { done = true; });
    EXPECT_TRUE(fixture->posts.run_until([&] { return done.has_value(); }));
    return {made->id, made->name, false};
  }
  RoomPlan plan(std::string_view spec) {
    RoomPlan made;
    made.game = *open_game(spec);
    made.side = Side::first;
    return made;
  }
  /// Everything a new watcher is sent, once it has begun.
  std::shared_ptr<Memory> watch(const RoomId& room, PersonId person = 0, std::optional<std::uint64_t> since = {}) {
    auto subscriber = std::make_shared<Memory>();
    bool done = false;
    fixture->hub.watch(room, {"", person}, subscriber, since, [&](const auto& refused) {
      EXPECT_FALSE(refused.has_value());
      done = true;
    });
    EXPECT_TRUE(fixture->posts.run_until([&] { return done; }));
    return subscriber;
  }

  paika_tests::TemporaryFolder folder;
  std::string path = paika_tests::new_database(folder);
  std::unique_ptr<HubFixture> fixture;
};

}  // namespace paika::server
