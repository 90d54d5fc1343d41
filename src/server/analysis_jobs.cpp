#include "server/analysis_jobs.hpp"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/api/position_site.hpp"
#include "server/http/answers.hpp"
#include "server/store/secrets.hpp"
#include "server/store/trace.hpp"

namespace paika::server {

namespace {

constexpr std::chrono::milliseconds interval(100);
constexpr std::size_t name_length = 16;

struct Asked {
  std::string queue;
  std::string version;
  std::string order;
};

/// A job of this thread, in a topic of its own.
class RemoteAnalysis {
 public:
  explicit RemoteAnalysis(const Asked& asked) : queue_(connection(asked.queue)) {
    queue_.drop_old(analysis_kind, max_analysis_age);
    queue_.add({topic_, "analysis", std::string(analysis_kind), asked.version, asked.order, Trace::current_id()});
  }
  RemoteAnalysis(const RemoteAnalysis&) = delete;
  RemoteAnalysis& operator=(const RemoteAnalysis&) = delete;
  ~RemoteAnalysis() {
    try {
      queue_.close(topic_);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): it is dropped when it is old
    }
  }

  void follow(const StreamHandler::Emit& emit, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const auto done = queue_.done(topic_);
      const auto running = done.empty() ? queue_.running(topic_) : std::vector<RunningJob>();
      const std::string& progress = !done.empty() ? done[0].progress : !running.empty() ? running[0].progress : none_;
      if (!emit_new(progress, emit) || !done.empty()) return;
      if (running.empty() && queue_.names(topic_).empty()) throw StoreError("the analysis is gone from the queue");
      pause(stop);
    }
  }

 private:
  /// That of this thread: it waits for one analysis after the other.
  [[nodiscard]] static JobQueue& connection(const std::string& where) {
    thread_local std::map<std::string, JobQueue> queues;
    const auto found = queues.find(where);
    if (found != queues.end()) return found->second;
    auto opened = JobQueue::open(where);
    if (!opened) throw StoreError(opened.error().message);
    return queues.emplace(where, std::move(*opened)).first->second;
  }

  /// Whole lines beyond those that were sent; false if nobody listens any more.
  bool emit_new(std::string_view progress, const StreamHandler::Emit& emit) {
    std::size_t line = 0;
    for (std::size_t end = 0; (end = progress.find('\n')) != std::string_view::npos; ++line) {
      if (line >= sent_ && !emit(std::string(progress.substr(0, end)))) return false;
      sent_ = std::max(sent_, line + 1);
      progress.remove_prefix(end + 1);
    }
    return true;
  }

  static void pause(const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait_for(lock, stop, interval, [] { return false; });
  }

  JobQueue& queue_;
  std::string topic_ = "analysis " + random_name(name_length);
  std::string none_;
  std::size_t sent_ = 0;  // lines
};

}  // namespace

StreamHandler::Work remote_analysis(std::string queue, std::string version, const Call& call) {
  Asked asked{
      std::move(queue), std::move(version),
      Json{{"path", call.request.path}, {"body", call.body}}.dump(-1, ' ', false, Json::error_handler_t::replace)};
  return [asked = std::move(asked)](const StreamHandler::Emit& emit, const std::stop_token& stop) {
    try {
      RemoteAnalysis(asked).follow(emit, stop);
    } catch (const StoreError&) {
      emit(error_json("storage", "the server cannot reach its workers now").dump());
    }
  };
}

JobKind analysis_worker(const PositionApi& api) {
  return [site = std::make_shared<const PositionSite>(api)](const TakenJob& taken, const JobFiles&) -> Result<JobWork> {
    const Json order = Json::parse(taken.order, nullptr, false);
    if (!order.is_object() || !order.contains("path") || !order["path"].is_string() || !order.contains("body")) {
      return fail("this is no analysis");
    }
    return [site, path = order["path"].get<std::string>(),
            body = order["body"].dump()](const JobContext& context) -> Result<std::optional<JobResult>> {
      const auto emit = [&](std::string_view line) {
        context.report(std::string(line) + "\n");
        return !context.stop.stop_requested();
      };
      const Response response = site->answer("POST", path, body, emit, context.stop);
      if (context.stop.stop_requested()) return std::nullopt;
      if (response.status != 200) emit(response.body);
      return JobResult{""};
    };
  };
}

}  // namespace paika::server
