#include "server/classes/ladder.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "base/text.hpp"
#include "server/classes/workshop.hpp"
#include "tournament/worker.hpp"

namespace paika::server {

namespace {

constexpr std::chrono::milliseconds busy_interval(50);
constexpr std::chrono::milliseconds following_interval(200);
constexpr std::chrono::milliseconds idle_interval(2000);
constexpr std::string_view withdrawn_report = "The push was broken off before the bot was checked; push again.";

/// Everything else on the machine goes first; bots inherit it.
void be_nice(int niceness) {
  const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
  static_cast<void>(::setpriority(PRIO_PROCESS, thread, niceness));
}

/// A folder in this one for this process alone; those of processes that are gone are removed.
std::string own_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(folder, error);
  const auto passable = fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec;
  fs::permissions(folder, passable, error);
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const auto process = parse_int(it->path().filename().string());
    if (process && *process > 0 && (::kill(static_cast<pid_t>(*process), 0) == 0 || errno == EPERM)) continue;
    std::error_code ignored;
    fs::remove_all(it->path(), ignored);
  }
  std::string own = fmt::format("{}/{}", folder, ::getpid());
  fs::remove_all(own, error);
  fs::create_directory(own, error);
  fs::permissions(own, passable, error);
  return own;
}

/// The state of one job that somebody waits for; the job may outlive who waits.
struct Waiting {
  std::mutex mutex;
  std::condition_variable_any changed;
  bool done = false;
  std::optional<std::string> failure;
};

}  // namespace

// ---- Those who follow a bot ----

void BotTranscript::append(std::string_view progress) {
  {
    const std::scoped_lock lock(mutex_);
    progress = progress.substr(0, max_transcript_bytes);
    if (progress.size() < length_) length_ = 0;
    if (progress.size() == length_) return;
    text_ += progress.substr(length_);
    length_ = progress.size();
    if (length_ == max_transcript_bytes) text_ += "[…]\n";
  }
  changed_();
}

std::string BotTranscript::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(text_, {});
}

std::shared_ptr<BotTranscript> Ladder::follow(BotId bot, std::function<void()> changed) {
  auto transcript = std::make_shared<BotTranscript>(std::move(changed));
  const std::scoped_lock lock(mutex_);
  std::erase_if(followed_, [](const auto& item) { return item.second.expired(); });
  followed_[bot] = transcript;
  return transcript;
}

void Ladder::report(BotId bot, std::string_view progress) {
  std::shared_ptr<BotTranscript> transcript;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = followed_.find(bot);
    if (found != followed_.end()) transcript = found->second.lock();
  }
  if (transcript) transcript->append(progress);
}

void Ladder::withdraw(BotId bot) {
  deps_.writer.submit(
      [bot](Store& store) {
        ClassStore classes(store);
        const auto row = classes.bot(bot);
        const bool is_open = row && (row->state == BotState::waiting || row->state == BotState::building ||
                                     row->state == BotState::checking);
        if (is_open) classes.set_bot_state(bot, BotState::refused, withdrawn_report);
      },
      [this](const auto&) { poke(); });
}

// ---- The thread that directs ----

Ladder::Ladder(LadderSettings settings, LadderDeps deps)
    : settings_(std::move(settings)),
      deps_(std::move(deps)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Ladder::close() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  for (std::jthread& worker : workers_) worker.request_stop();  // all at once
  workers_.clear();
}

void Ladder::poke() {
  {
    const std::scoped_lock lock(mutex_);
    ++changes_;
  }
  changed_.notify_all();
}

bool Ladder::commit(Writer::Job job, const std::stop_token& stop) {
  const auto waiting = std::make_shared<Waiting>();
  deps_.writer.submit(std::move(job), [waiting](const std::optional<std::string>& failure) {
    const std::scoped_lock lock(waiting->mutex);
    waiting->done = true;
    waiting->failure = failure;
    waiting->changed.notify_all();
  });
  std::unique_lock lock(waiting->mutex);
  if (!waiting->changed.wait(lock, stop, [&] { return waiting->done; })) return false;
  if (waiting->failure) deps_.log_event("ladder_not_committed", {{"what", *waiting->failure}});
  return !waiting->failure;
}

std::unique_ptr<LadderDirector> Ladder::open_director(const std::stop_token& stop) {
  auto queue = JobQueue::open(settings_.queue);
  if (!queue) throw StoreError(queue.error().message);
  auto reader = Store::open(settings_.database, Store::Mode::reader);
  if (!reader) throw StoreError(reader.error().message);
  LadderDirectorDeps deps{settings_.version, [this, stop](Writer::Job job) { return commit(std::move(job), stop); },
                          deps_.log_event, [this](BotId bot, std::string_view progress) { report(bot, progress); }};
  return std::make_unique<LadderDirector>(std::move(*queue), std::move(*reader), std::move(deps), !settings_.is_shared);
}

void Ladder::run(const std::stop_token& stop) {
  if (const std::string trouble = sandbox::accounting_trouble(); !trouble.empty() && settings_.workers > 0) {
    deps_.log_event("weak_sandbox", {{"what", trouble}, {"ladders", settings_.weak || settings_.unsafe}});
  }
  std::unique_ptr<LadderDirector> director;
  std::uint64_t seen = 0;
  std::uint64_t failures = 0;
  while (!stop.stop_requested()) {
    std::unique_lock lock(mutex_);
    const bool changed = std::exchange(seen, changes_) != changes_;
    lock.unlock();
    std::chrono::milliseconds interval = idle_interval;
    try {
      if (director == nullptr) director = open_director(stop);
      interval = step(*director, changed, failures);
    } catch (const std::exception& error) {
      deps_.log_event("ladder_failed", {{"what", error.what()}});
      ++failures;
    }
    lock.lock();
    changed_.wait_for(lock, stop, interval, [&] { return changes_ != seen; });
  }
  try {
    if (director != nullptr) director->resign();
  } catch (const StoreError& error) {
    deps_.log_event("ladder_failed", {{"what", error.what()}});
  }
}

std::chrono::milliseconds Ladder::step(LadderDirector& director, bool changed, std::uint64_t failures) {
  const bool leads = director.lead();
  leads ? director.step(changed) : director.look();
  if (director.has_jobs() && !std::exchange(tried_workers_, true)) start_workers();
  const std::scoped_lock lock(mutex_);
  work_ = director.work();
  counts_ = director.counts();
  counts_.failures += failures;
  queue_stats_ = director.queue_stats();
  std::erase_if(followed_, [](const auto& item) { return item.second.expired(); });
  return director.is_busy() ? busy_interval : followed_.empty() ? idle_interval : following_interval;
}

std::vector<LadderWork> Ladder::work() const {
  const std::scoped_lock lock(mutex_);
  return work_;
}

LadderCounts Ladder::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

QueueStats Ladder::queue_stats() const {
  const std::scoped_lock lock(mutex_);
  return queue_stats_;
}

// ---- Our own workers ----

Result<sandbox::Sandbox> Ladder::sandbox() const {
  auto found = sandbox::find_sandbox();
  if (!found && settings_.unsafe) return sandbox::Sandbox::none;
  if (!found || settings_.unsafe || settings_.weak) return found;
  const std::string trouble = sandbox::accounting_trouble();
  if (trouble.empty()) return found;
  return fail("the sandbox is weak here, since {}; with --weak-sandbox the server takes bots nevertheless", trouble);
}

Result<void> Ladder::takes_bots() const {
  if (settings_.workers == 0) return {};
  const auto found = sandbox();
  return found ? Result<void>() : tl::unexpected(found.error());
}

void Ladder::start_workers() {
  if (settings_.workers == 0) return;
  const auto found = sandbox();
  if (!found) return deps_.log_event("no_sandbox", {{"what", found.error().message}});
  const std::string folder = own_folder(settings_.folder);
  const auto cache = std::make_shared<tournament::FolderCache>(folder + "/programs");
  JobWorkerSettings settings;
  settings.version = settings_.version;
  settings.topic = LadderDirector::topic;
  settings.kinds[std::string(bot_kind)] = bot_worker({folder + "/building", *found, settings_.readable});
  settings.kinds[std::string(tournament::game_kind)] =
      tournament::game_worker({*found, settings_.readable, cache, folder + "/logs", std::nullopt});
  settings.on_idle = [cache] { cache->tidy(); };
  settings.on_event = [this](const JobEvent& event) {
    using What = JobEvent::What;
    const bool is_asked_for = event.job != nullptr && !event.job->request.empty();
    const bool is_trouble = event.what == What::failed || event.what == What::unreachable;
    if (is_asked_for || is_trouble) deps_.log_event(name(event.what), tournament::event_json("", event));
  };
  for (int i = 0; i < settings_.workers; ++i) {
    workers_.emplace_back([this, settings](const std::stop_token& stop) { work(stop, settings); });
  }
}

void Ladder::work(const std::stop_token& stop, const JobWorkerSettings& settings) {
  be_nice(settings_.niceness);
  while (!stop.stop_requested()) {
    auto queue = JobQueue::open(settings_.queue);
    if (queue) {
      static_cast<void>(work_on_jobs(std::move(*queue), settings, stop));
    } else {
      deps_.log_event("ladder_failed", {{"what", queue.error().message}});
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, idle_interval, [] { return false; });
  }
}

}  // namespace paika::server
