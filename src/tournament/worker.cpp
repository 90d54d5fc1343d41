#include "tournament/worker.hpp"

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "base/text.hpp"
#include "tournament/folder_pack.hpp"
#include "tournament/order.hpp"

namespace paika::tournament {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto before_next_try = std::chrono::milliseconds(1000);
constexpr auto idle_interval = std::chrono::milliseconds(100);
constexpr auto renewal_interval = JobQueue::lease / 5;

std::string log_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(max_log_bytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

/// A game that is played by a thread of its own, while its lease is looked after.
class Playing {
 public:
  Playing(const GameJob& job, const std::string& logs, const std::stop_token& stop)
      : on_stop_(stop, [this] { halt_.request_stop(); }), thread_([this, job, logs] {
          auto played = play_job(job, logs, halt_.get_token());
          const std::scoped_lock lock(mutex_);
          game_ = std::move(played);
          done_.notify_all();
        }) {}
  Playing(const Playing&) = delete;
  Playing& operator=(const Playing&) = delete;
  ~Playing() { halt_.request_stop(); }

  void halt() { halt_.request_stop(); }
  /// Waits for the end, at most so long; true if it has come.
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return done_.wait_for(lock, time, [this] { return game_.has_value(); });
  }
  /// When it has ended: nothing if it was stopped.
  [[nodiscard]] const Result<std::optional<FinishedGame>>& game() const { return *game_; }

 private:
  std::stop_source halt_;
  std::stop_callback<std::function<void()>> on_stop_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::optional<Result<std::optional<FinishedGame>>> game_;
  std::jthread thread_;
};

class Slot {
 public:
  Slot(JobQueue queue, const WorkerSettings& settings, const std::stop_token& stop)
      : queue_(std::move(queue)), settings_(settings), stop_(stop) {}

  void run() {
    auto busy = Clock::now();
    while (!stop_.stop_requested()) {
      const auto job = tried([&] { return queue_.take(settings_.name, settings_.version, settings_.topic); });
      if (job && *job) {
        play(**job);
        busy = Clock::now();
      } else if (settings_.max_idle.count() > 0 && Clock::now() - busy > settings_.max_idle) {
        return;
      } else {
        pause(job ? idle_interval : before_next_try);
      }
    }
  }

 private:
  /// What `work` gives; nothing, and a word to people, if the queue cannot be reached.
  template <class Work>
  auto tried(Work work) -> std::optional<decltype(work())> {
    try {
      auto done = work();
      was_lost_ = false;
      return done;
    } catch (const StoreError& error) {
      if (!std::exchange(was_lost_, true)) settings_.say(fmt::format("{}; trying again", error.what()));
      return std::nullopt;
    }
  }

  void pause(std::chrono::milliseconds time) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait_for(lock, stop_, time, [] { return false; });
  }

  void play(const TakenJob& taken) {
    const auto job = prepare(taken);
    if (!job) return fail_with(taken, job.error());
    Playing playing(*job, settings_.logs, stop_);
    while (!playing.wait(renewal_interval)) {
      // Who is told that it is another one's game by now need not play on.
      if (tried([&] { return queue_.renew(taken); }) == false) playing.halt();
    }
    if (!playing.game()) return fail_with(taken, playing.game().error());
    if (!*playing.game()) return give_back(taken);
    deliver(taken, **playing.game());
  }

  /// The result is delivered however long it takes; that it comes too late is no fault.
  void deliver(const TakenJob& taken, const FinishedGame& game) {
    PlayedGame played{game, {}};
    for (std::size_t side = 0; side < 2 && settings_.topic.empty(); ++side) {
      if (!game.sides[side].log.empty()) played.logs[side] = log_text(fs::path(settings_.logs) / game.sides[side].log);
    }
    const std::string result = result_text(played);
    while (!tried([&] { return queue_.finish(taken, result); }) && !stop_.stop_requested()) pause(before_next_try);
  }

  void give_back(const TakenJob& taken) {
    static_cast<void>(tried([&] {
      queue_.give_back(taken);
      return true;
    }));
  }

  void fail_with(const TakenJob& taken, const Error& error) {
    settings_.say(fmt::format("the game {} cannot be played here: {}", taken.name, error.message));
    give_back(taken);
    if (settings_.on_fault) settings_.on_fault(error);
    pause(before_next_try);
  }

  /// The job with all that it needs on this machine.
  Result<GameJob> prepare(const TakenJob& taken) {
    auto order = read_order(taken.order);
    if (!order) return tl::unexpected(order.error());
    GameJob& job = order->job;
    job.policy.confinement.sandbox = settings_.sandbox;
    for (std::size_t side = 0; side < 2; ++side) {
      auto files = files_of(job.players[side].name, taken.topic, order->hashes[side]);
      if (!files) return tl::unexpected(files.error());
      job.players[side].folder = std::move(files->folder);
      job.players[side].readable = std::move(files->readable);
    }
    return std::move(job);
  }

  Result<ProgramFiles> files_of(const std::string& player, const std::string& topic, const std::string& hash) {
    if (!settings_.topic.empty()) {
      const auto known = settings_.programs.find(player);
      return known == settings_.programs.end() ? ProgramFiles() : known->second;
    }
    auto folder = folder_for(topic, hash);
    if (!folder) return tl::unexpected(folder.error());
    return ProgramFiles{std::move(*folder), settings_.readable};
  }

  /// The folder of a program, out of the queue if it is not here yet.
  Result<std::string> folder_for(const std::string& topic, const std::string& hash) {
    static std::mutex unpacking;  // of all slots
    if (hash.empty()) return std::string();
    std::string folder = settings_.folder + "/" + hash;
    const std::scoped_lock lock(unpacking);
    if (fs::exists(folder)) return folder;
    const auto pack = tried([&] { return queue_.file(topic, hash); });
    if (!pack || !*pack) return fail("the folder of a program is not in the queue");
    if (sha256_hex(**pack) != hash) return fail("the folder of a program is not what its hash says");
    if (const auto unpacked = unpack_folder(**pack, folder); !unpacked) return tl::unexpected(unpacked.error());
    return folder;
  }

  JobQueue queue_;
  const WorkerSettings& settings_;
  std::stop_token stop_;
  bool was_lost_ = false;
};

}  // namespace

void work(JobQueue queue, const WorkerSettings& settings, const std::stop_token& stop) {
  Slot(std::move(queue), settings, stop).run();
}

}  // namespace paika::tournament
