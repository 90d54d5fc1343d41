#include "server/tracer.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

constexpr const char* id_header = "X-Request-Id";
constexpr std::size_t id_length = 16;

/// Notes how a request was answered, and tells its id.
class TracedReply final : public Reply {
 public:
  TracedReply(std::shared_ptr<Reply> reply, std::shared_ptr<Trace> trace)
      : reply_(std::move(reply)), trace_(std::move(trace)) {}

  void send(Response response) override {
    trace_->status = response.status;
    response.headers.emplace_back(id_header, trace_->id());
    reply_->send(std::move(response));
  }
  [[nodiscard]] std::shared_ptr<Subscriber> stream(Response head) override {
    trace_->status = head.status;
    trace_->is_endless = true;
    head.headers.emplace_back(id_header, trace_->id());
    return reply_->stream(std::move(head));
  }

 private:
  std::shared_ptr<Reply> reply_;
  std::shared_ptr<Trace> trace_;
};

double in_ms(const Trace::Span& span) { return static_cast<double>(span.load()) / 1e3; }

}  // namespace

/// What became of the requests; each trace has it, too.
class Tracer::Totals {
 public:
  Totals(Log& log, std::chrono::milliseconds slow) : log_(log), slow_after_(slow) {}

  void ended(const Trace& trace) {
    const auto age = trace.age();
    const double seconds = std::chrono::duration<double>(age).count();
    if (log_.writes(LogLevel::debug)) {
      log_.write(
          LogLevel::debug, "request",
          {{"request", trace.id()}, {"what", trace.what()}, {"status", trace.status.load()}, {"ms", seconds * 1e3}});
    }
    if (trace.is_endless) return;
    const auto bound = std::lower_bound(RequestTimes::bounds.begin(), RequestTimes::bounds.end(), seconds);
    ++counts_.at(static_cast<std::size_t>(bound - RequestTimes::bounds.begin()));
    microseconds_ += static_cast<std::uint64_t>(age.count());
    if (slow_after_.count() == 0 || age < slow_after_) return;
    ++slow_;
    log_.write(LogLevel::warning, "slow_request",
               {{"request", trace.id()},
                {"what", trace.what()},
                {"status", trace.status.load()},
                {"ms", seconds * 1e3},
                {"waiting_ms", in_ms(trace.waiting)},
                {"working_ms", in_ms(trace.working)},
                {"storing_ms", in_ms(trace.storing)}});
  }

  [[nodiscard]] RequestTimes times() const {
    RequestTimes times;
    for (std::size_t i = 0; i < times.counts.size(); ++i) times.counts.at(i) = counts_.at(i);
    times.seconds = static_cast<double>(microseconds_.load()) / 1e6;
    times.slow = slow_;
    return times;
  }

 private:
  Log& log_;
  std::chrono::milliseconds slow_after_;
  std::array<std::atomic<std::uint64_t>, RequestTimes::bounds.size() + 1> counts_{};
  std::atomic<std::uint64_t> microseconds_{0};
  std::atomic<std::uint64_t> slow_{0};
};

/// Each message is a request of its own.
class TracedSocket final : public SocketHandler {
 public:
  TracedSocket(Tracer& tracer, std::string id, std::unique_ptr<SocketHandler> handler)
      : tracer_(tracer), id_(std::move(id)), handler_(std::move(handler)) {}

  void received(std::string text) override {
    const TraceScope scope(tracer_.begin(fmt::format("{}.{}", id_, ++messages_), "socket message"));
    handler_->received(std::move(text));
  }
  void closed() override { handler_->closed(); }

 private:
  Tracer& tracer_;
  std::string id_;
  std::uint64_t messages_ = 0;
  std::unique_ptr<SocketHandler> handler_;
};

bool is_request_id(std::string_view text) {
  constexpr std::size_t min_length = 8;
  constexpr std::size_t max_length = 64;
  return text.size() >= min_length && text.size() <= max_length && std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || (lowered(c) >= 'a' && lowered(c) <= 'z') || c == '-' || c == '_' || c == '.';
         });
}

Tracer::Tracer(Site& site, Log& log, TracerSettings settings)
    : site_(site), behind_proxy_(settings.behind_proxy), totals_(std::make_shared<Totals>(log, settings.slow)) {}

std::string Tracer::id_of(const Request& request) const {
  const std::string_view given = behind_proxy_ ? request.header("x-request-id") : "";
  return is_request_id(given) ? std::string(given) : random_name(id_length);
}

std::shared_ptr<Trace> Tracer::begin(std::string id, std::string what) {
  return std::make_shared<Trace>(std::move(id), std::move(what),
                                 [totals = totals_](const Trace& trace) { totals->ended(trace); });
}

void Tracer::answer(Request request, std::shared_ptr<Reply> reply) {
  const auto trace = begin(id_of(request), request.method + " " + request.path);
  const TraceScope scope(trace);
  site_.answer(std::move(request), std::make_shared<TracedReply>(std::move(reply), trace));
}

std::variant<std::unique_ptr<SocketHandler>, Response> Tracer::open_socket(const Request& request,
                                                                           std::shared_ptr<Subscriber> subscriber) {
  std::string id = id_of(request);
  const TraceScope scope(begin(id, "GET " + request.path));
  auto opened = site_.open_socket(request, std::move(subscriber));
  if (auto* handler = std::get_if<std::unique_ptr<SocketHandler>>(&opened)) {
    return std::make_unique<TracedSocket>(*this, std::move(id), std::move(*handler));
  }
  std::get<Response>(opened).headers.emplace_back(id_header, id);
  return opened;
}

RequestTimes Tracer::times() const { return totals_->times(); }

}  // namespace paika::server
