// Routes: which function answers which path, who may call it and how often.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "engine/json.hpp"
#include "server/http/limits.hpp"
#include "server/http/site.hpp"
#include "server/store/store.hpp"

namespace paika::server {

/// One call of a route.
struct Call {
  Request request;
  std::map<std::string, std::string, std::less<>> params;  // of the path: "/api/rooms/{id}"
  Json body = Json::object();                              // of POST, PUT and DELETE that sent one; a form's texts
  std::optional<Person> person;                            // who calls, if that is known
  Client client;                                           // who is charged
};

/// Who may call.
enum class Need : unsigned char { nobody, person, member };

/// What the body of a request is, and whose pages may send it.
enum class Body : unsigned char {
  json,         // an object, from pages of ours
  foreign_form  // the fields of a form that pages of others may post; the handler finds out whether to believe them
};

/// Answers at once, on the network thread: only for what takes microseconds.
using QuickHandler = std::function<Response(const Call&)>;
/// Answers on a thread of the work queue, from the call alone.
struct PureHandler {
  std::function<Response(const Call&)> run;
};
/// Answers on a thread of the work queue, with a connection to read from the store.
struct SlowHandler {
  std::function<Response(const Call&, Store&)> run;
};
/// An answer that may be long: what is sent at once, and what makes the pieces that follow.
struct LongAnswer {
  Response response;
  /// The next piece of the body, never empty; nothing after the last. Called on a thread of the work queue whenever the
  /// client has taken the piece before: a slow client costs one piece, however long the answer is. What it throws
  /// breaks the answer off. Empty: the response is all.
  std::function<std::optional<std::string>(Store&)> next;
};
/// Answers on a thread of the work queue with what may be long: exports.
struct LongHandler {
  std::function<LongAnswer(const Call&, Store&)> run;
};
/// About how long a piece is, in bytes.
inline constexpr std::size_t piece_bytes = std::size_t{128} * 1024;
/// A LongAnswer's `next` out of smaller parts: each piece has as many of them as make it long enough. `part` gives
/// nothing after the last, however often it is asked.
[[nodiscard]] std::function<std::optional<std::string>(Store&)> pieces_of(
    std::function<std::optional<std::string>(Store&)> part);
/// Sends lines, in two steps, both on threads of work queues. `prepare` reads quickly what is asked for: the work that
/// does it, or the response that refuses it. The work then waits for a thread, without a place in the queue if the
/// client goes meanwhile. `emit` is false when nobody listens any more.
struct StreamHandler {
  using Emit = std::function<bool(std::string)>;
  using Work = std::function<void(const Emit&, const std::stop_token&)>;
  std::function<tl::expected<Work, Response>(const Call&)> prepare;
};
/// Answers later, from the network thread.
using LateHandler = std::function<void(std::shared_ptr<const Call>, std::shared_ptr<Reply>)>;

/// Has something done on a thread that may take its time, and charges the client for it: nothing, or what refuses it
/// because too much waits already.
using QueueWork = std::function<std::optional<Response>(const Client&, std::function<void()> work)>;
/// Calls `read` on a thread that reads the store, then `done` on the network thread: false if the storage failed. As
/// QueueWork otherwise.
using ReadStore = std::function<std::optional<Response>(const Client&, std::function<void(Store&)> read,
                                                        std::function<void(bool)> done)>;

struct Route {
  std::string method;
  std::string pattern;  // "/api/rooms/{id}/turns"
  Rate rate = Rate::reading;
  Need need = Need::nobody;
  std::variant<QuickHandler, PureHandler, SlowHandler, LongHandler, StreamHandler, LateHandler> handler;
  Body body = Body::json;
};

/// All routes, looked up by method and path. A part of a path that stands in a pattern goes before one that a
/// parameter takes ("/api/rooms/mine" before "/api/rooms/{id}"). A parameter takes one whole part that is not empty.
class Router {
 public:
  /// Requires patterns that begin with '/', and no two routes with the same method for the same paths.
  void add(std::vector<Route> routes);
  struct Found {
    const Route* route = nullptr;  // nullptr: the path is known with other methods only
    std::map<std::string, std::string, std::less<>> params;
    std::vector<std::string> allowed;  // the methods that the path has, sorted
  };
  /// Nothing if no route has such a path. HEAD finds the route of GET: the network leaves the body away.
  [[nodiscard]] std::optional<Found> find(std::string_view method, std::string_view path) const;
  [[nodiscard]] const std::vector<Route>& routes() const noexcept { return routes_; }

 private:
  /// One way to write a path: the parts of a pattern, and the routes that have it.
  struct Shape {
    std::vector<std::string> parts;
    std::vector<std::size_t> routes;  // indices of routes_
  };
  std::vector<Route> routes_;
  std::vector<Shape> shapes_;
};

}  // namespace paika::server
