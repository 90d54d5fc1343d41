// GitExchange: one request to `git http-backend`: its body goes in as it comes from the client, its answer goes out as
// git makes it, and a judge answers the hook of a push.
//
// It has a thread of its own while it lasts. The network's side of bodies is called on the network thread alone.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/git/git_program.hpp"
#include "server/http/site.hpp"

namespace paika::server {

/// Wakes the thread of an exchange; from any thread.
class ExchangeWake {
 public:
  ExchangeWake();
  ExchangeWake(const ExchangeWake&) = delete;
  ExchangeWake& operator=(const ExchangeWake&) = delete;
  ~ExchangeWake();
  void call() const;
  void forget() const;
  [[nodiscard]] int descriptor() const noexcept { return event_; }

 private:
  int event_;
};

/// Who decides about a push; called on the exchange's thread.
class PushJudge {
 public:
  PushJudge() = default;
  PushJudge(const PushJudge&) = delete;
  PushJudge& operator=(const PushJudge&) = delete;
  virtual ~PushJudge() = default;

  /// All that the hook has sent.
  virtual void begin(std::string message) = 0;
  /// What the hook is told now; asked after each call of the wake, and now and then.
  [[nodiscard]] virtual std::string next() = 0;
  /// Git has ended, whether or not the hook heard the end.
  virtual void ended() = 0;
};

struct GitRequest {
  GitOrder order;
  std::shared_ptr<BodySource> body;  // nullptr: there is none
  std::shared_ptr<Reply> reply;
  std::shared_ptr<ExchangeWake> wake;
  PushJudge* judge = nullptr;                       // of a push
  std::size_t max_message = 0;                      // of the hook, in bytes
  std::function<void(std::function<void()>)> post;  // to the network thread
  std::function<void(std::string_view what)> log;   // hears what git complains of
};

/// Serves the request to its end. A push whose body has come is carried out even if the client goes: half of it would
/// be worse than all.
void serve_git(const GitRequest& request, const std::stop_token& stop);

/// The head that a program of CGI begins its output with, and how long it is; nothing while it is not whole.
struct CgiHead {
  Response response;
  std::size_t bytes = 0;
};
[[nodiscard]] std::optional<CgiHead> read_cgi_head(std::string_view output);

}  // namespace paika::server
