#include "database/job_worker.hpp"

#include <condition_variable>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>
#include <thread>
#include <utility>

#include "base/text.hpp"

namespace paika {

namespace {

using Clock = std::chrono::steady_clock;
using What = JobEvent::What;

constexpr auto before_next_try = std::chrono::milliseconds(1000);
constexpr auto idle_interval = std::chrono::milliseconds(100);
constexpr auto version_interval = std::chrono::seconds(5);
constexpr auto renewal_interval = JobQueue::lease / 5;
/// What is reported goes to the queue so often; of one job, at most so much.
constexpr auto report_interval = std::chrono::milliseconds(200);
constexpr std::size_t max_progress = std::size_t{4} << 20;

/// A job that is done by a thread of its own.
class Doing {
 public:
  Doing(JobWork work, const std::stop_token& stop)
      : on_stop_(stop, [this] { halt(); }), thread_([this, work = std::move(work)] {
          auto result = done_by(work);
          const std::scoped_lock lock(mutex_);
          result_ = std::move(result);
          changed_.notify_all();
        }) {}
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;
  ~Doing() { halt(); }

  void halt() { halt_.request_stop(); }
  [[nodiscard]] bool is_halted() const { return halt_.stop_requested(); }
  /// Waits for the end, at most so long; true if it has come.
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return result_.has_value(); });
  }
  /// What was reported since the last time.
  [[nodiscard]] std::string take_reports() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(reports_, {});
  }
  [[nodiscard]] std::string phase() {
    const std::scoped_lock lock(mutex_);
    return phase_;
  }
  /// When it has ended.
  [[nodiscard]] Result<std::optional<JobResult>>& result() { return *result_; }

 private:
  [[nodiscard]] Result<std::optional<JobResult>> done_by(const JobWork& work) {
    const JobContext context{halt_.get_token(), [this](std::string_view text) { report(text); },
                             [this](std::string_view phase) {
                               const std::scoped_lock lock(mutex_);
                               phase_ = phase;
                             }};
    try {
      return work(context);
    } catch (const std::exception& error) {
      return fail("{}", error.what());
    }
  }

  void report(std::string_view text) {
    const std::scoped_lock lock(mutex_);
    if (reported_ > max_progress) return;
    reported_ += text.size();
    reports_ += text;
  }

  std::stop_source halt_;
  std::stop_callback<std::function<void()>> on_stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string reports_;
  std::size_t reported_ = 0;  // bytes in all
  std::string phase_;
  std::optional<Result<std::optional<JobResult>>> result_;
  std::jthread thread_;
};

class Slot {
 public:
  Slot(JobQueue queue, const JobWorkerSettings& settings, const std::stop_token& stop)
      : queue_(std::move(queue)), settings_(settings), stop_(stop) {
    for (const auto& [kind, ready] : settings.kinds) taker_.kinds.push_back(kind);
  }

  Result<void> run() {
    auto busy = Clock::now();
    auto looked = busy;
    while (!stop_.stop_requested()) {
      const auto job = tried([&] { return queue_.take(taker_); });
      if (job && *job) {
        work(**job);
        busy = Clock::now();
        continue;
      }
      if (settings_.max_idle.count() > 0 && Clock::now() - busy > settings_.max_idle) break;
      if (job && Clock::now() - looked > version_interval) {
        looked = Clock::now();
        const auto checked = tried([&] { return check_version(queue_, settings_.version); });
        if (checked && !*checked) return *checked;
      }
      settings_.on_idle();
      pause(job ? idle_interval : before_next_try);
    }
    return {};
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
      if (!std::exchange(was_lost_, true)) settings_.on_event({What::unreachable, nullptr, 0, error.what()});
      return std::nullopt;
    }
  }

  void pause(std::chrono::milliseconds time) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait_for(lock, stop_, time, [] { return false; });
  }

  void work(const TakenJob& taken) {
    const auto begun = Clock::now();
    const auto report = [&](What what, std::string text = "") {
      settings_.on_event({what, &taken, std::chrono::duration<double>(Clock::now() - begun).count(), std::move(text)});
    };
    report(What::taken);
    auto work = make_ready(taken);
    if (!work) return fail_with(taken, report, work.error());
    Doing doing(std::move(*work), stop_);
    look_after(taken, doing);
    auto& result = doing.result();
    if (!result) return fail_with(taken, report, result.error());
    if (!*result) {
      give_back(taken);
      return report(stop_.stop_requested() ? What::given_back : What::lost);
    }
    report(deliver(taken, **result) ? What::done : What::lost);
  }

  Result<JobWork> make_ready(const TakenJob& taken) {
    const auto kind = settings_.kinds.find(taken.kind);
    if (kind == settings_.kinds.end()) return fail("there is nothing here for jobs of the kind {}", taken.kind);
    // Large ones take a while each, and nobody else looks after the lease yet.
    const JobFiles files = [&](const std::string& hash) {
      static_cast<void>(queue_.renew(taken));
      return queue_.file(taken.topic, hash);
    };
    auto ready = tried([&] { return kind->second(taken, files); });
    if (!ready) return fail("the queue cannot be reached");
    return std::move(*ready);
  }

  /// Until it has ended. If it is another worker's job by now, it need not go on.
  void look_after(const TakenJob& taken, Doing& doing) {
    Clock::time_point renewed;  // to make it ready may have taken long
    std::string phase;
    std::string reports;
    while (!doing.wait(report_interval)) {
      reports += doing.take_reports();
      std::string now = doing.phase();
      if (reports.empty() && now == phase && Clock::now() - renewed < renewal_interval) continue;
      renewed = Clock::now();
      const auto ours = tried([&] { return queue_.renew(taken, reports, now); });
      if (ours == false) doing.halt();
      if (!ours) continue;
      phase = std::move(now);
      reports.clear();
    }
    reports += doing.take_reports();
    if (!reports.empty()) static_cast<void>(tried([&] { return queue_.renew(taken, reports, doing.phase()); }));
  }

  /// The result is delivered however long it takes; that it comes too late is no fault.
  bool deliver(const TakenJob& taken, const JobResult& result) {
    const auto all = [&] {
      for (const JobFile& file : result.files) queue_.add_file(taken.topic, file.hash, file.bytes);
      return queue_.finish(taken, result.text);
    };
    while (!stop_.stop_requested()) {
      if (const auto accepted = tried(all)) return *accepted;
      pause(before_next_try);
    }
    return tried(all).value_or(false);
  }

  void give_back(const TakenJob& taken) {
    static_cast<void>(tried([&] {
      queue_.give_back(taken);
      return true;
    }));
  }

  template <class Report>
  void fail_with(const TakenJob& taken, const Report& report, const Error& error) {
    report(What::failed, error.message);
    give_back(taken);
    pause(before_next_try);
  }

  JobQueue queue_;
  const JobWorkerSettings& settings_;
  JobTaker taker_{settings_.name, settings_.version, {}, settings_.topic};
  std::stop_token stop_;
  bool was_lost_ = false;
};

}  // namespace

std::string_view name(JobEvent::What what) noexcept {
  switch (what) {
    case What::taken: return "job_taken";
    case What::done: return "job_done";
    case What::lost: return "job_lost";
    case What::given_back: return "job_given_back";
    case What::failed: return "job_failed";
    case What::unreachable: break;
  }
  return "queue_unreachable";
}

Result<void> check_version(JobQueue& queue, std::string_view version) {
  const auto versions = queue.versions();
  if (versions.empty()) return {};
  for (const std::string& other : versions) {
    if (other == version) return {};
  }
  return fail("the jobs in this queue are for Paika {}, and this is {}: workers need the same version",
              fmt::join(versions, ", "), version);
}

Result<void> work_on_jobs(JobQueue queue, const JobWorkerSettings& settings, const std::stop_token& stop) {
  return Slot(std::move(queue), settings, stop).run();
}

}  // namespace paika
