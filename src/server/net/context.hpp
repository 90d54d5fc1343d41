// Context: what all connections of a network share, and the list of them.
#pragma once

#include <exception>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "server/net/types.hpp"

namespace paika::server::net {

class Context;

/// One open connection, as HTTP or as a web socket. It is owned by the coroutine that serves it.
class Connection {
 public:
  explicit Connection(Context& context);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection();

  /// Ends soon and politely: what is under way is done first.
  virtual void finish() = 0;
  /// Ends now. Nothing is called back from inside; the connection is freed soon after.
  virtual void cut() = 0;
  /// Looks whether the client is too slow; called now and then.
  virtual void check(SteadyClock::time_point now) = 0;

 protected:
  [[nodiscard]] Context& context() const noexcept { return context_; }

 private:
  Context& context_;
  std::list<Connection*>::iterator place_;
};

class Context {
 public:
  Context(asio::io_context& io, const NetworkSettings& settings);

  [[nodiscard]] Executor executor() const { return io_.get_executor(); }
  [[nodiscard]] const NetworkSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] NetworkCounts& counts() noexcept { return counts_; }
  /// Requires that run() has begun.
  [[nodiscard]] Site& site() const noexcept { return *site_; }
  void set_site(Site& site) noexcept { site_ = &site; }

  /// The date as responses say it; made once a second.
  [[nodiscard]] const std::string& date();
  void log(std::string_view line) const;
  /// Calls what is not ours; false if it threw an exception, which is logged after `what` ("a request").
  template <class Call>
  [[nodiscard]] bool attempt(std::string_view what, Call&& call) const {
    try {
      std::forward<Call>(call)();
      return true;
    } catch (const std::exception& error) {
      log_failure(what, error.what());
    } catch (...) {
      log_failure(what, "unknown exception");
    }
    return false;
  }

  // ---- Connections ----

  [[nodiscard]] bool is_stopping() const noexcept { return stopping_; }
  /// Asks all connections to finish; when the last one has gone, the loop ends.
  void stop();
  /// Cuts all connections.
  void cut_all();
  void check_all(SteadyClock::time_point now);

  /// True if there is room for one more from this client; then it is counted until leave().
  [[nodiscard]] bool enter(const std::string& client);
  void leave(const std::string& client);

 private:
  friend class Connection;
  void end_if_empty();
  void log_failure(std::string_view what, std::string_view why) const;

  asio::io_context& io_;
  NetworkSettings settings_;
  NetworkCounts counts_;
  Site* site_ = nullptr;
  std::list<Connection*> connections_;
  std::unordered_map<std::string, std::size_t> clients_;  // how many connections each has
  std::string date_;
  std::chrono::system_clock::time_point date_until_;
  bool stopping_ = false;
};

}  // namespace paika::server::net
