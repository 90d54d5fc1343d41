#include "server/dispatcher.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/classes/git_api.hpp"
#include "server/http/address.hpp"
#include "server/http/answers.hpp"
#include "server/http/target.hpp"
#include "server/line_feed.hpp"
#include "server/people.hpp"
#include "server/rooms_api.hpp"
#include "server/store/secrets.hpp"
#include "server/store/thread_reader.hpp"

namespace paika::server {

namespace {

constexpr std::string_view socket_path = "/api/socket";
/// All rooms are counted for it. Monitors ask every few seconds.
constexpr Allowed metrics_rate{200, 50};

/// Adds to every response what all of them have.
class Finishing final : public Reply {
 public:
  Finishing(const Request& request, std::shared_ptr<Reply> reply) : reply_(std::move(reply)) {
    about_.headers = request.headers;
    about_.secure = request.secure;
  }
  void send(Response response) override {
    add_security_headers(about_, response);
    reply_->send(std::move(response));
  }
  [[nodiscard]] std::shared_ptr<Subscriber> stream(Response head) override {
    add_security_headers(about_, head);
    return reply_->stream(std::move(head));
  }

 private:
  Request about_;  // what the headers depend on
  std::shared_ptr<Reply> reply_;
};

/// The rest of a LongAnswer.
class StoreBody final : public BodySource {
 public:
  using Next = std::function<std::optional<std::string>(Store&)>;

  using Share = std::shared_ptr<const WorkQueue::Share>;

  StoreBody(BackgroundReader& reader, Client client, Share share, Log& log, Next next)
      : reader_(reader),
        client_(std::move(client)),
        share_(std::move(share)),
        log_(log),
        next_(std::make_shared<Next>(std::move(next))) {}

  void next(Ready ready) override {
    using Piece = tl::expected<std::optional<std::string>, std::string>;
    reader_.run_further(
        client_, [next = next_](Store& store) { return (*next)(store); },
        [ready, &log = log_](Piece piece) {
          if (piece) return ready(piece->has_value() ? std::move(**piece) : std::string());
          log.write(LogLevel::error, "export_failed", {{"what", piece.error()}});
          ready(std::nullopt);
        });
  }

 private:
  BackgroundReader& reader_;
  Client client_;
  Share share_;  // a download that has begun is one of those its client may have, between its parts too
  Log& log_;
  std::shared_ptr<Next> next_;  // shared with what is under way: the client may go meanwhile
};

bool has_body(std::string_view method) { return method == "POST" || method == "PUT" || method == "DELETE"; }

Client charged(const std::optional<Person>& person, const Request& request) {
  return {server::client_of(request.address), person ? person->id : 0};
}

Result<Json> read_body(Body kind, const std::string& text) {
  if (kind == Body::json) return read_object(text);
  const auto form = parse_form(text);
  if (!form) return tl::unexpected(form.error());
  Json body = Json::object();
  for (const auto& [name, value] : *form) body[name] = value;
  return body;
}

Response method_not_allowed(const std::vector<std::string>& allowed) {
  std::string list = fmt::format("{}", fmt::join(allowed, ", "));
  Response response = error_response(405, "method", "this path takes " + list);
  response.headers.emplace_back("Allow", std::move(list));
  return response;
}

/// What `work` answers to the call; an exception becomes a 500 and a line of the log.
template <class Work>
Response guarded(const Call& call, Log& log, Work&& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    log.write(LogLevel::error, "handler_failed", {{"path", call.request.path}, {"what", error.what()}});
    return error_response(500, "internal", "the server made a mistake; it has been logged");
  }
}

Response run_guarded(const SlowHandler& handler, const Call& call, Store* store, Log& log) {
  if (store == nullptr) return error_response(503, "storage", "the server cannot read its storage now");
  return guarded(call, log, [&] { return handler.run(call, *store); });
}

}  // namespace

Dispatcher::Dispatcher(DispatcherDeps deps, Guard guard, WebFiles files, std::vector<Route> routes)
    : deps_(std::move(deps)), guard_(std::move(guard)), files_(std::move(files)) {
  router_.add(std::move(routes));
}

void Dispatcher::answer(Request request, std::shared_ptr<Reply> reply) {
  reply = std::make_shared<Finishing>(request, std::move(reply));
  if (request.path == "/metrics") {
    // Before the guard: monitors call it by any name of the machine.
    const std::string bucket = "metrics " + server::client_of(request.address);
    if (const auto wait = deps_.limiter.take(bucket, metrics_rate, std::chrono::steady_clock::now()))
      return reply->send(too_often_response(*wait));
    return reply->send({200, "text/plain; version=0.0.4; charset=utf-8", deps_.metrics(), {}});
  }
  auto refused = takes_foreign_form(request) ? guard_.refuse_host(request) : guard_.refuse(request, false);
  if (refused) return reply->send(std::move(*refused));
  if (request.path.starts_with("/api/") || request.path.starts_with(git_prefix))
    return answer_api(std::move(request), reply);
  if (request.method != "GET" && request.method != "HEAD") return reply->send(method_not_allowed({"GET", "HEAD"}));
  if (auto file = files_.find(request)) return reply->send(std::move(*file));
  reply->send(error_response(404, "no_page", "there is nothing here"));
}

bool Dispatcher::takes_foreign_form(const Request& request) const {
  if (request.method != "POST") return false;
  const auto found = router_.find(request.method, request.path);
  return found && found->route != nullptr && found->route->body == Body::foreign_form;
}

void Dispatcher::answer_api(Request request, const std::shared_ptr<Reply>& reply) {
  auto found = router_.find(request.method, request.path);
  if (!found) return reply->send(error_response(404, "no_path", "there is no such path; docs/server.md lists them"));
  if (found->route == nullptr) return reply->send(method_not_allowed(found->allowed));
  Call call{std::move(request), std::move(found->params), Json::object(), std::nullopt, {}};
  try {
    call.person = caller(call.request, deps_.reader);
    call.client = charged(call.person, call.request);
    if (call.person) note_token(call.request);
    if (auto refused = refuse(*found->route, call)) return reply->send(std::move(*refused));
    if (has_body(call.request.method) && !call.request.body.empty()) {
      auto body = read_body(found->route->body, call.request.body);
      if (!body) return reply->send(bad_request(body.error()));
      call.body = std::move(*body);
    }
    run(*found->route, std::move(call), reply);
  } catch (const StoreError& error) {
    deps_.log.write(LogLevel::error, "storage_failed", {{"what", error.what()}});
    reply->send(error_response(503, "storage", "the server cannot read its storage now"));
  }
}

std::optional<Response> Dispatcher::refuse(const Route& route, const Call& call) {
  if (const auto wait = deps_.limiter.take(call.client, route.rate, std::chrono::steady_clock::now())) {
    return too_often_response(*wait);
  }
  if (route.need != Need::nobody && !call.person) {
    return error_response(
        401, "no_person",
        "you are not logged in: POST /api/session (pages) or /api/guests (programs) first, or log in");
  }
  if (route.need == Need::member && !call.person->member) {
    return error_response(403, "members_only", "this is for members: create an account first");
  }
  return std::nullopt;
}

void Dispatcher::note_token(const Request& request) {
  constexpr WallTime often_enough = std::chrono::milliseconds(std::chrono::hours(1)).count();
  constexpr std::size_t max_remembered = 10'000;
  const std::string token = token_of(request);
  if (token.empty()) return;
  const std::string hash = secret_hash(token);
  const WallTime now = wall_now();
  if (tokens_seen_.size() >= max_remembered) tokens_seen_.clear();
  WallTime& noted = tokens_seen_[hash];
  if (now - noted < often_enough) return;
  noted = now;
  deps_.writer.submit([hash, now](Store& store) { store.token_used(hash, now); }, {});
}

void Dispatcher::run(const Route& route, Call call, std::shared_ptr<Reply> reply) {
  if (const auto* quick = std::get_if<QuickHandler>(&route.handler)) return reply->send((*quick)(call));
  if (const auto* pure = std::get_if<PureHandler>(&route.handler)) return run_pure(*pure, std::move(call), reply);
  if (const auto* slow = std::get_if<SlowHandler>(&route.handler)) return run_slow(*slow, std::move(call), reply);
  if (const auto* slow = std::get_if<LongHandler>(&route.handler)) return run_long(*slow, std::move(call), reply);
  if (const auto* stream = std::get_if<StreamHandler>(&route.handler))
    return run_stream(*stream, std::move(call), reply);
  std::get<LateHandler>(route.handler)(std::make_shared<const Call>(std::move(call)), std::move(reply));
}

void Dispatcher::run_pure(const PureHandler& handler, Call call, const std::shared_ptr<Reply>& reply) {
  const Client client = call.client;
  const auto taken = deps_.queues.positions.submit(
      client, [&handler, call = std::move(call), reply, &log = deps_.log, post = deps_.post](const std::stop_token&) {
        const auto response = std::make_shared<Response>(guarded(call, log, [&] { return handler.run(call); }));
        post([reply, response] { reply->send(std::move(*response)); });
      });
  if (!taken) reply->send(full_response(taken.error()));
}

void Dispatcher::run_slow(const SlowHandler& handler, Call call, const std::shared_ptr<Reply>& reply) {
  const Client client = call.client;
  const auto taken =
      deps_.queues.reads.submit(client, [&handler, call = std::move(call), reply, &log = deps_.log, post = deps_.post,
                                         database = deps_.database](const std::stop_token&) {
        const auto response = std::make_shared<Response>(run_guarded(handler, call, thread_reader(database), log));
        post([reply, response] { reply->send(std::move(*response)); });
      });
  if (!taken) reply->send(full_response(taken.error()));
}

void Dispatcher::run_long(const LongHandler& handler, Call call, const std::shared_ptr<Reply>& reply) {
  const std::string path = call.request.path;
  const Client client = call.client;
  struct Begun {
    LongAnswer answer;
    StoreBody::Share share;  // taken before the work is done, so that there is no gap
  };
  const auto taken = deps_.exports.run(
      client,
      [&handler, call = std::move(call), &exports = deps_.exports](Store& store) {
        LongAnswer answer = handler.run(call, store);
        return Begun{std::move(answer), exports.hold(call.client)};
      },
      [reply, path, client, &deps = deps_](tl::expected<Begun, std::string> begun) {
        if (!begun) {
          deps.log.write(LogLevel::error, "handler_failed", {{"path", path}, {"what", begun.error()}});
          return reply->send(error_response(503, "storage", "the server cannot read its storage now"));
        }
        auto& [answer, share] = *begun;
        if (answer.next) {
          answer.response.rest =
              std::make_shared<StoreBody>(deps.exports, client, std::move(share), deps.log, std::move(answer.next));
        }
        reply->send(std::move(answer.response));
      });
  if (!taken) reply->send(full_response(taken.error()));
}

void Dispatcher::run_stream(const StreamHandler& handler, Call call, const std::shared_ptr<Reply>& reply) {
  const Client client = call.client;
  const auto taken =
      deps_.queues.positions.submit(client, [this, &handler, call = std::move(call), reply](const std::stop_token&) {
        const auto work = std::make_shared<StreamHandler::Work>();
        const auto refused = std::make_shared<Response>(guarded(call, deps_.log, [&] {
          auto prepared = handler.prepare(call);
          if (!prepared) return prepared.error();
          *work = deps_.elsewhere ? deps_.elsewhere(call) : std::move(*prepared);
          return Response{};
        }));
        deps_.post([this, work, refused, client = call.client, reply] {
          if (*work) return start_stream(*work, client, reply);
          reply->send(std::move(*refused));
        });
      });
  if (!taken) reply->send(full_response(taken.error()));
}

void Dispatcher::start_stream(const StreamHandler::Work& work, const Client& client,
                              const std::shared_ptr<Reply>& reply) {
  const auto feed = std::make_shared<LineFeed>(deps_.post);
  const auto taken =
      deps_.queues.analyses.submit(client, [work, feed, &log = deps_.log](const std::stop_token& closing) {
        const std::stop_callback close(closing, [&] { feed->stop(); });
        try {
          work([&](std::string line) { return feed->emit(std::move(line)); }, feed->stopped());
        } catch (const std::exception& error) {
          log.write(LogLevel::error, "stream_failed", {{"what", error.what()}});
          feed->emit(error_json("internal", "the server made a mistake; it has been logged").dump());
        }
        feed->end();
      });
  if (!taken) return reply->send(full_response(taken.error()));
  // The head goes out now, so that the network sees if the client leaves while the work waits.
  feed->open(*reply, [&queue = deps_.queues.analyses, ticket = *taken] { queue.withdraw(ticket); });
}

std::variant<std::unique_ptr<SocketHandler>, Response> Dispatcher::open_socket(const Request& request,
                                                                               std::shared_ptr<Subscriber> subscriber) {
  const auto refused = [&](Response response) {
    add_security_headers(request, response);
    return response;
  };
  if (request.path != socket_path) {
    return refused(error_response(404, "no_path", fmt::format("web sockets are at {}", socket_path)));
  }
  if (auto response = guard_.refuse(request, true)) return refused(std::move(*response));
  try {
    const auto person = caller(request, deps_.reader);
    const Client client = charged(person, request);
    if (const auto wait = deps_.limiter.take(client, Rate::reading, std::chrono::steady_clock::now())) {
      return refused(too_often_response(*wait));
    }
    const auto about = std::make_shared<Request>();  // what tells who it is
    about->headers = request.headers;
    if (person) note_socket(person->id, about, subscriber);
    return room_socket(
        deps_.hub, deps_.lobby, deps_.boards, deps_.limiter, client,
        [about, &reader = deps_.reader] { return caller(*about, reader); }, std::move(subscriber));
  } catch (const StoreError& error) {
    deps_.log.write(LogLevel::error, "storage_failed", {{"what", error.what()}});
    return refused(error_response(503, "storage", "the server cannot read its storage now"));
  }
}

void Dispatcher::note_socket(PersonId person, const std::shared_ptr<const Request>& about,
                             const std::shared_ptr<Subscriber>& subscriber) {
  sockets_[person].emplace(subscriber.get(), OpenSocket{about, subscriber});
  subscriber->when_closed([this, person, key = subscriber.get()] {
    const auto found = sockets_.find(person);
    if (found == sockets_.end()) return;
    found->second.erase(key);
    if (found->second.empty()) sockets_.erase(found);
  });
}

void Dispatcher::close_ended_sockets(PersonId person) {
  const auto found = sockets_.find(person);
  if (found == sockets_.end()) return;
  std::vector<std::shared_ptr<Subscriber>> ended;
  for (const auto& [key, socket] : found->second) {
    auto subscriber = socket.subscriber.lock();
    if (subscriber && !caller(*socket.about, deps_.reader)) ended.push_back(std::move(subscriber));
  }
  for (const auto& subscriber : ended) subscriber->close(1008, "session_ended");
}

std::vector<std::string> Dispatcher::route_names() const {
  std::vector<std::string> names;
  for (const Route& route : router_.routes()) {
    // What git's own clients speak is no interface for programs.
    if (route.pattern.starts_with("/api/")) names.push_back(route.method + " " + route.pattern);
  }
  return names;
}

}  // namespace paika::server
