// Context: what all connections of a network share, and the list of them.
#pragma once

#include <exception>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "server/net/types.hpp"

namespace paika::server::net {

class Context;

/// One of the connections that a client may have, counted while this lives.
class Share {
 public:
  Share(Context& context, std::string client);
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;
  ~Share();
  [[nodiscard]] const std::string& client() const noexcept { return client_; }

 private:
  Context& context_;
  std::string client_;
};
using SharePtr = std::shared_ptr<const Share>;

/// One open connection, as HTTP or as a web socket. It is owned by the coroutine that serves it.
class Connection {
 public:
  /// `share` is that of its client; nullptr if the client is not known, as between requests of a proxy.
  Connection(Context& context, SharePtr share);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection();

  /// Ends soon and politely: what is under way is done first.
  virtual void finish() = 0;
  /// Ends now. Nothing is called back from inside; the connection is freed soon after.
  virtual void cut() = 0;
  /// Looks whether the client is too slow; called now and then.
  virtual void check(SteadyClock::time_point now) = 0;
  /// True while a request is being answered: then it is not given up for others.
  [[nodiscard]] virtual bool is_busy() const = 0;

 protected:
  [[nodiscard]] Context& context() const noexcept { return context_; }
  [[nodiscard]] const SharePtr& share() const noexcept { return share_; }
  /// The client has just done something: others of its connections are given up first.
  void touch();

 private:
  friend class Context;
  using Places = std::list<Connection*>;

  Context& context_;
  SharePtr share_;
  Places::iterator place_;
  Places::iterator own_place_;  // among those of its client, if it has a share
  bool given_up_ = false;       // cut to make room for another
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

  /// True if there is room for one more connection, of this client; then it is counted until leave(). If there are too
  /// many, one of the client with most is cut that has been idle for the longest time, unless this client has as many.
  [[nodiscard]] bool enter(const std::string& client);
  void leave();
  /// One more connection of a client; nullptr if it has as many as it may.
  [[nodiscard]] SharePtr share(const std::string& client);

 private:
  friend class Connection;
  friend class Share;
  struct OfClient {
    std::size_t count = 0;
    Connection::Places open;  // the one that did nothing for the longest time first
  };
  void change_count(const std::string& client, int by);
  [[nodiscard]] std::size_t count_of(const std::string& client) const;
  [[nodiscard]] bool make_room(const std::string& client);
  void end_if_empty();
  void log_failure(std::string_view what, std::string_view why) const;

  asio::io_context& io_;
  NetworkSettings settings_;
  NetworkCounts counts_;
  Site* site_ = nullptr;
  std::list<Connection*> connections_;
  std::unordered_map<std::string, OfClient> clients_;
  std::set<std::pair<std::size_t, std::string>> by_count_;  // the clients, that with most connections last
  std::string date_;
  std::chrono::system_clock::time_point date_until_;
  bool stopping_ = false;
};

}  // namespace paika::server::net
