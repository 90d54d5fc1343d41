// Dispatcher: the whole site behind the network: guard, who calls, limits, routes, web sockets, the web app's files.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "server/classes/boards_api.hpp"
#include "server/http/guard.hpp"
#include "server/http/limits.hpp"
#include "server/http/route.hpp"
#include "server/http/site.hpp"
#include "server/http/web_files.hpp"
#include "server/hub.hpp"
#include "server/lobby.hpp"
#include "server/log.hpp"
#include "server/store/writer.hpp"
#include "server/work_queue.hpp"

namespace paika::server {

/// What the front needs; all of it outlives it.
struct DispatcherDeps {
  Hub& hub;
  Lobby& lobby;
  std::shared_ptr<ClassBoards> boards;
  Store& reader;  // for the network thread
  Writer& writer;
  WorkQueues& queues;
  Limiter& limiter;
  BackgroundReader& exports;  // for long answers
  Log& log;
  std::string database;  // work queues open readers of their own
  std::function<void(std::function<void()>)> post;
  std::function<std::string()> metrics;
  /// What has a stream done elsewhere, whose request was read and taken; empty: all is done here.
  std::function<StreamHandler::Work(const Call&)> elsewhere{};
};

class Dispatcher final : public Site {
 public:
  Dispatcher(DispatcherDeps deps, Guard guard, WebFiles files, std::vector<Route> routes);

  void answer(Request request, std::shared_ptr<Reply> reply) override;
  [[nodiscard]] std::variant<std::unique_ptr<SocketHandler>, Response> open_socket(
      const Request& request, std::shared_ptr<Subscriber> subscriber) override;

  /// Closes the web sockets of a person that sessions and tokens opened which have ended since.
  void close_ended_sockets(PersonId person);

  /// Every route under /api/ as "GET /api/games", in the order in which they were added.
  [[nodiscard]] std::vector<std::string> route_names() const;

 private:
  void answer_api(Request request, const std::shared_ptr<Reply>& reply);
  [[nodiscard]] bool takes_foreign_form(const Request& request) const;
  /// Nothing if the call may go on, else what refuses it.
  [[nodiscard]] std::optional<Response> refuse(const Route& route, const Call& call);
  /// Lets the owner of a token see when it was used last.
  void note_token(const Request& request);
  void run(const Route& route, Call call, std::shared_ptr<Reply> reply);
  void run_pure(const PureHandler& handler, Call call, const std::shared_ptr<Reply>& reply);
  void run_slow(const SlowHandler& handler, Call call, const std::shared_ptr<Reply>& reply);
  void run_long(const LongHandler& handler, Call call, const std::shared_ptr<Reply>& reply);
  void run_stream(const StreamHandler& handler, Call call, const std::shared_ptr<Reply>& reply);
  /// Lets prepared work wait for a thread, as long as somebody listens.
  void start_stream(const StreamHandler::Work& work, const Client& client, const std::shared_ptr<Reply>& reply);
  /// Remembers whose socket it is, until it is closed.
  void note_socket(PersonId person, const std::shared_ptr<const Request>& about,
                   const std::shared_ptr<Subscriber>& subscriber);

  /// A web socket of a known person, with what of its request tells who that is.
  struct OpenSocket {
    std::shared_ptr<const Request> about;
    std::weak_ptr<Subscriber> subscriber;
  };

  DispatcherDeps deps_;
  Guard guard_;
  std::unordered_map<PersonId, std::map<const Subscriber*, OpenSocket>> sockets_;
  WebFiles files_;
  Router router_;
  std::unordered_map<std::string, WallTime> tokens_seen_;  // by their hashes; when their use was last noted
};

}  // namespace paika::server
