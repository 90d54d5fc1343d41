#include "server/git/git_exchange.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include "base/text.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

using Clock = std::chrono::steady_clock;
using Post = std::function<void(std::function<void()>)>;

constexpr std::chrono::minutes max_time(10);  // without a judge, who has a limit of his own
constexpr std::chrono::seconds time_to_be_killed(10);
constexpr int look_again_ms = 500;
constexpr std::size_t max_waiting = std::size_t{256} * 1024;  // of the answer, in bytes, that the client has not taken
constexpr std::size_t max_head = std::size_t{16} * 1024;
constexpr std::size_t max_complaint = 1000;

/// The client's body, from the network thread to that of the exchange.
class Incoming : public std::enable_shared_from_this<Incoming> {
 public:
  Incoming(std::shared_ptr<BodySource> source, Post post, std::shared_ptr<ExchangeWake> wake)
      : source_(std::move(source)), post_(std::move(post)), wake_(std::move(wake)), ended_(source_ == nullptr) {}

  /// Lets the next piece come, if none is on its way and there are more.
  void ask() {
    {
      const std::scoped_lock lock(mutex_);
      if (asked_ || ended_ || broken_ || !piece_.empty()) return;
      asked_ = true;
    }
    post_([self = shared_from_this()] {
      self->source_->next([self](std::optional<std::string> piece) { self->came(std::move(piece)); });
    });
  }
  [[nodiscard]] std::string take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(piece_, {});
  }
  [[nodiscard]] bool ended() const {
    const std::scoped_lock lock(mutex_);
    return (ended_ || broken_) && piece_.empty();
  }
  [[nodiscard]] bool broken() const {
    const std::scoped_lock lock(mutex_);
    return broken_;
  }

 private:
  void came(std::optional<std::string> piece) {
    {
      const std::scoped_lock lock(mutex_);
      asked_ = false;
      broken_ = !piece;
      ended_ = piece && piece->empty();
      if (piece) piece_ = std::move(*piece);
    }
    wake_->call();
  }

  std::shared_ptr<BodySource> source_;
  Post post_;
  std::shared_ptr<ExchangeWake> wake_;
  mutable std::mutex mutex_;
  std::string piece_;
  bool asked_ = false;
  bool ended_;
  bool broken_ = false;
};

/// The answer's body, from the thread of the exchange to the network thread.
class Outgoing {
 public:
  explicit Outgoing(std::shared_ptr<ExchangeWake> wake) : wake_(std::move(wake)) {}

  // On the thread of the exchange:
  void add(std::string_view text) {
    const std::scoped_lock lock(mutex_);
    if (!closed_) text_ += text;
  }
  void end(bool well) {
    const std::scoped_lock lock(mutex_);
    ended_ = well;
    failed_ = !well;
  }
  [[nodiscard]] bool full() const {
    const std::scoped_lock lock(mutex_);
    return text_.size() >= max_waiting;
  }

  // On the network thread:
  void want(BodySource::Ready ready) {
    ready_ = std::move(ready);
    deliver();
  }
  void deliver() {
    if (!ready_) return;
    std::optional<std::string> piece;
    {
      const std::scoped_lock lock(mutex_);
      if (text_.empty() && !ended_ && !failed_) return;
      if (!text_.empty() || ended_) piece = std::exchange(text_, {});
    }
    wake_->call();
    const auto ready = std::exchange(ready_, nullptr);
    ready(std::move(piece));
  }
  void close() {
    ready_ = nullptr;
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    text_.clear();
    wake_->call();
  }

 private:
  std::shared_ptr<ExchangeWake> wake_;
  BodySource::Ready ready_;
  mutable std::mutex mutex_;
  std::string text_;
  bool ended_ = false, failed_ = false, closed_ = false;
};

class GitBody final : public BodySource {
 public:
  explicit GitBody(std::shared_ptr<Outgoing> from) : from_(std::move(from)) {}
  GitBody(const GitBody&) = delete;
  GitBody& operator=(const GitBody&) = delete;
  ~GitBody() override { from_->close(); }
  void next(Ready ready) override { from_->want(std::move(ready)); }

 private:
  std::shared_ptr<Outgoing> from_;
};

/// Reads what there is, at most a buffer; false at the end.
bool read_some(int end, std::string& text) {
  std::array<char, 16384> buffer{};
  const ssize_t count = ::read(end, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

/// Sends what goes; false if nobody takes it any more.
bool send_some(int end, std::string& text) {
  const ssize_t count = ::send(end, text.data(), text.size(), MSG_NOSIGNAL);
  if (count > 0) text.erase(0, static_cast<std::size_t>(count));
  return count >= 0 || errno == EAGAIN || errno == EINTR;
}

class Exchange {
 public:
  Exchange(const GitRequest& request, GitProcess& git)
      : request_(request),
        git_(git),
        incoming_(std::make_shared<Incoming>(request.body, request.post, request.wake)),
        outgoing_(std::make_shared<Outgoing>(request.wake)) {}

  void run(const std::stop_token& stop) {
    const auto late = Clock::now() + max_time;
    std::optional<Clock::time_point> patience;
    while (!is_over()) {
      const bool must_end = stop.stop_requested() || (Clock::now() > late && !judging_);
      if (must_end && !patience) {
        git_.terminate();
        patience = Clock::now() + time_to_be_killed;
      }
      if (patience && (Clock::now() > *patience || git_.end(GitProcess::output) < 0)) break;
      feed();
      judge();
      wait();
      send_answer();
    }
    finish();
  }

 private:
  /// Git has said all, and the client, who listens only then, has said all too.
  [[nodiscard]] bool is_over() const {
    return git_.end(GitProcess::output) < 0 && incoming_->ended() && (head_sent_ || head_.empty() || head_failed_);
  }

  void feed() {
    if (to_git_.empty()) to_git_ = incoming_->take();
    if (git_.end(GitProcess::input) < 0) to_git_.clear();  // it wants no more; the client must be let finish
    if (!to_git_.empty()) return;
    if (incoming_->ended()) return git_.close(GitProcess::input);
    incoming_->ask();
  }

  void judge() {
    if (judging_) to_hook_ += request_.judge->next();
  }

  void wait() {
    const bool can_read = head_sent_ ? !outgoing_->full() : head_.size() < max_waiting;
    const auto if_wanted = [](int end, bool wanted) { return wanted ? end : -1; };
    std::array<pollfd, 6> watched = {
        {{if_wanted(git_.end(GitProcess::output), can_read), POLLIN, 0},
         {git_.end(GitProcess::errors), POLLIN, 0},
         {if_wanted(git_.end(GitProcess::input), !to_git_.empty()), POLLOUT, 0},
         {if_wanted(git_.end(GitProcess::hook), request_.judge != nullptr && !judging_), POLLIN, 0},
         {if_wanted(git_.end(GitProcess::hook), !to_hook_.empty()), POLLOUT, 0},
         {request_.wake->descriptor(), POLLIN, 0}}};
    poll(watched.data(), watched.size(), look_again_ms);
    if (watched[5].revents != 0) request_.wake->forget();
    if (watched[0].revents != 0) read_answer();
    if (watched[1].revents != 0) read_complaint();
    if (watched[2].revents != 0 && !send_some(git_.end(GitProcess::input), to_git_)) git_.close(GitProcess::input);
    if (watched[3].revents != 0) read_hook();
    if (watched[4].revents != 0 && !send_some(git_.end(GitProcess::hook), to_hook_)) to_hook_.clear();
  }

  void read_answer() {
    std::string text;
    if (!read_some(git_.end(GitProcess::output), text)) git_.close(GitProcess::output);
    if (head_sent_) {
      outgoing_->add(text);
      deliver();
    } else {
      head_ += text;
    }
  }

  void read_complaint() {
    if (!read_some(git_.end(GitProcess::errors), complaint_)) git_.close(GitProcess::errors);
    complaint_.resize(std::min(complaint_.size(), max_complaint));
  }

  void read_hook() {
    if (read_some(git_.end(GitProcess::hook), from_hook_) && from_hook_.size() <= request_.max_message) return;
    if (from_hook_.empty()) return git_.close(GitProcess::hook);  // there was no hook
    judging_ = true;
    request_.judge->begin(std::move(from_hook_));
  }

  /// Answers with what git says from its head on, once the client has sent all that it has to say.
  void send_answer() {
    if (head_sent_ || head_failed_ || !incoming_->ended()) return;
    auto head = read_cgi_head(head_);
    if (!head) {
      head_failed_ = head_.size() > max_head || git_.end(GitProcess::output) < 0;
      return;
    }
    head_sent_ = true;
    outgoing_->add(std::string_view(head_).substr(head->bytes));
    head->response.rest = std::make_shared<GitBody>(outgoing_);
    request_.post([reply = request_.reply, response = std::make_shared<Response>(std::move(head->response))] {
      reply->send(std::move(*response));
    });
  }

  void deliver() {
    request_.post([outgoing = outgoing_] { outgoing->deliver(); });
  }

  void finish() {
    const bool well = git_.end(GitProcess::output) < 0;
    if (!complaint_.empty()) request_.log(trimmed(complaint_));
    if (!head_sent_ && !incoming_->broken()) {
      request_.post([reply = request_.reply] {
        reply->send(error_response(500, "git_failed", "git failed on the server; it has been logged"));
      });
    }
    outgoing_->end(well);
    deliver();
  }

  const GitRequest& request_;
  GitProcess& git_;
  std::shared_ptr<Incoming> incoming_;
  std::shared_ptr<Outgoing> outgoing_;
  std::string to_git_, to_hook_, from_hook_, complaint_;
  std::string head_;  // what git has said until the answer is sent
  bool head_sent_ = false, head_failed_ = false;
  bool judging_ = false;
};

}  // namespace

ExchangeWake::ExchangeWake() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

ExchangeWake::~ExchangeWake() {
  if (event_ >= 0) ::close(event_);
}

void ExchangeWake::call() const { static_cast<void>(eventfd_write(event_, 1)); }

void ExchangeWake::forget() const {
  eventfd_t count = 0;
  static_cast<void>(eventfd_read(event_, &count));
}

void serve_git(const GitRequest& request, const std::stop_token& stop) {
  {
    const std::stop_callback wake(stop, [&] { request.wake->call(); });
    const auto git = GitProcess::start(request.order);
    if (!git) {
      request.log(git.error().message);
      return request.post([reply = request.reply] {
        reply->send(error_response(503, "git_failed", "the server cannot start git now; try again in a moment"));
      });
    }
    Exchange(request, **git).run(stop);
    // It ends here at the latest, with all that it started.
  }
  if (request.judge != nullptr) request.judge->ended();
}

std::optional<CgiHead> read_cgi_head(std::string_view output) {
  const std::size_t crlf = output.find("\r\n\r\n");
  const std::size_t plain = output.find("\n\n");
  if (crlf == std::string_view::npos && plain == std::string_view::npos) return std::nullopt;
  const bool with_returns = crlf < plain;
  CgiHead head;
  head.bytes = with_returns ? crlf + 4 : plain + 2;
  head.response.type = "application/octet-stream";
  for (const std::string_view line : split(output.substr(0, head.bytes), '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string name = lowered(line.substr(0, colon));
    std::string_view value = trimmed(line.substr(colon + 1));
    if (name == "content-type") head.response.type = value;
    if (name == "cache-control") head.response.headers.emplace_back("Cache-Control", value);
    if (name == "status") {
      const auto status = parse_int(take_word(value));
      head.response.status = status && *status >= 200 && *status <= 599 ? static_cast<int>(*status) : 500;
    }
  }
  return head;
}

}  // namespace paika::server
