// JobWorker: takes jobs out of a queue and has them done, one at a time, while it looks after their leases. It can die
// at any moment: its job is then taken by another one.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "database/job_queue.hpp"

namespace paika {

/// A file that a result needs, under its hash.
struct JobFile {
  std::string hash;
  std::string bytes;
};

struct JobResult {
  std::string text;
  std::vector<JobFile> files{};
};

/// What a job has while it is done; from any thread.
struct JobContext {
  std::stop_token stop;                             // nobody wants the result any more
  std::function<void(std::string_view)> report;     // to those who look on; soon, not at once
  std::function<void(std::string_view)> set_phase;  // how far it is, in a word
};

/// Does a job, on a thread of its own: nothing if it was stopped. The error is one of this machine, and the job goes to
/// somebody else.
using JobWork = std::function<Result<std::optional<JobResult>>(const JobContext&)>;
/// Gets a file of the topic, by its hash; nothing if there is none. Throws StoreError.
using JobFiles = std::function<std::optional<std::string>(const std::string& hash)>;
/// Makes ready what a job needs on this machine.
using JobKind = std::function<Result<JobWork>(const TakenJob&, const JobFiles&)>;

/// What became of a job here, for logs.
struct JobEvent {
  enum class What : unsigned char {
    taken,
    done,
    lost,        // it was given to another one, or is not wanted any more
    given_back,  // we end
    failed,      // it cannot be done on this machine; the text says why
    unreachable  // the queue, which is tried again; there is no job
  };
  What what = What::taken;
  const TakenJob* job = nullptr;
  double seconds = 0;
  std::string text{};
};
[[nodiscard]] std::string_view name(JobEvent::What what) noexcept;

struct JobWorkerSettings {
  std::string name;     // for people
  std::string version;  // only jobs for this one are taken
  std::string topic;    // only of this one; empty: of any
  std::map<std::string, JobKind> kinds;
  std::chrono::milliseconds max_idle{0};          // ends when there was nothing to do for so long; 0: never
  std::function<void(const JobEvent&)> on_event;  // called by any thread
  std::function<void()> on_idle = [] {};          // now and then while there is nothing to do
};

/// An error if all that is in the queue is for workers of other versions.
[[nodiscard]] Result<void> check_version(JobQueue& queue, std::string_view version);

/// Works until `stop`, or until there was nothing to do for max_idle. A queue that cannot be reached is tried again,
/// for ever: what was done meanwhile is not lost. The error: there is work, but for another version of us.
[[nodiscard]] Result<void> work_on_jobs(JobQueue queue, const JobWorkerSettings& settings, const std::stop_token& stop);

}  // namespace paika
