// WorkerHost: the coordinator's door for workers on other machines.
//
// A worker has one connection for each game it plays at a time. It is given a job, asks for the folders of programs it
// does not have yet, says now and then that it is alive, and brings the result with the logs. One that hangs up or is
// silent loses its game to whoever asks next; should its result come later all the same, from a new connection, the
// first counts.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "tournament/coordinator.hpp"
#include "tournament/wire.hpp"

namespace paika::tournament {

/// A worker that says nothing for so long is taken for dead; it says something much more often.
inline constexpr std::chrono::seconds worker_silence{10};
inline constexpr std::chrono::seconds worker_heartbeat{2};
inline constexpr std::size_t max_log_bytes = std::size_t{256} << 10;  // of a log that is sent; the rest is cut

struct HostSettings {
  std::string listen;  // ADDRESS:PORT
  std::string secret;
  std::string version;                          // workers must have the same
  std::string logs;                             // the folder of logs
  std::function<void(const std::string&)> say;  // for people: workers that come and go; called by any thread
};

/// Names a tournament to its workers, so that no result gets into another one.
[[nodiscard]] std::string tournament_key(const TournamentPlan& plan);

class WorkerHost {
 public:
  /// Packs the players' folders and listens.
  [[nodiscard]] static Result<std::unique_ptr<WorkerHost>> start(const TournamentPlan& plan, Coordinator& coordinator,
                                                                 HostSettings settings);
  WorkerHost(const WorkerHost&) = delete;
  WorkerHost& operator=(const WorkerHost&) = delete;
  /// Tells the workers that it is over, if it is, and hangs up.
  ~WorkerHost() = default;

  [[nodiscard]] int port() const { return listener_->port(); }

 private:
  class Line;

  WorkerHost(const TournamentPlan& plan, Coordinator& coordinator, HostSettings settings);
  [[nodiscard]] Result<void> pack();
  void accept_all(const std::stop_token& stop);
  void serve(protocols::Socket socket, const std::stop_token& stop);

  const TournamentPlan& plan_;
  Coordinator& coordinator_;
  HostSettings settings_;
  std::string key_;
  std::map<std::string, std::string> packs_;     // by hash
  std::map<std::string, std::string> hashes_;    // by folder
  std::optional<protocols::Listener> listener_;  // from start() on
  std::jthread door_;                            // last: it uses the others
};

}  // namespace paika::tournament
