#include "server/rooms_api.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "server/commands.hpp"
#include "server/http/answers.hpp"
#include "server/people.hpp"

namespace paika::server {

namespace {

constexpr std::size_t rooms_listed = 100;
constexpr int max_refusals = 100;

Identity who(const Person& person) { return {person.id, person.name, person.member}; }

/// Nothing if the person may do that: whom an operator has muted does not write in chats.
std::optional<Refused> refuse_muted(const Person& person, const Command& command) {
  if (!person.muted || !std::holds_alternative<command::Say>(command)) return std::nullopt;
  return Refused{"muted", "the operator of this server does not let you write in chats", Json::object()};
}

Json accepted_json(const Accepted& accepted) { return {{"number", accepted.number}, {"repeated", accepted.repeated}}; }

/// The number in a query or message, if it is one.
std::optional<std::uint64_t> event_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// ---- Requests ----

using ReplyPtr = std::shared_ptr<Reply>;
using CallPtr = std::shared_ptr<const Call>;

void open_room(Hub& hub, const CallPtr& call, const ReplyPtr& reply) {
  const auto plan = read_room_plan(call->body);
  if (!plan) return reply->send(bad_request(plan.error()));
  if (plan->rated && !call->person->member) {
    return reply->send(error_response(403, "members_only", "rated games are for members: create an account first"));
  }
  if (!hub.open_rooms().has_room(call->client, std::chrono::steady_clock::now())) {
    return reply->send(error_response(429, "too_many_rooms",
                                      "you, or your address, have too many games that have not ended: end some first",
                                      {{"retry_after_ms", 60'000}}));
  }
  hub.open(*plan, who(*call->person), [&hub, call, reply](const tl::expected<RoomId, Refused>& room) {
    if (room) {
      hub.open_rooms().add(*room, call->client, std::chrono::steady_clock::now());
      reply->send(json_response({{"room", *room}, {"path", "/room/" + *room}}, 201));
    } else {
      reply->send(refusal_response(room.error()));
    }
  });
}

void command_room(Hub& hub, std::string_view word, const CallPtr& call, const ReplyPtr& reply) {
  const auto command = read_command(word, call->body);
  if (!command) return reply->send(bad_request(command.error()));
  if (const auto refused = refuse_muted(*call->person, *command))
    return reply->send(error_response(403, refused->code, refused->message));
  hub.command(call->params.at("id"), who(*call->person), *command, [reply](const auto& answer) {
    reply->send(answer ? json_response(accepted_json(*answer)) : refusal_response(answer.error()));
  });
}

void show_room(Hub& hub, const CallPtr& call, const ReplyPtr& reply) {
  hub.snapshot(call->params.at("id"), [reply](const auto& snapshot) {
    reply->send(snapshot ? Response{200, "application/json", *snapshot, {}} : refusal_response(snapshot.error()));
  });
}

void show_record(Hub& hub, const CallPtr& call, const ReplyPtr& reply) {
  hub.record(call->params.at("id"), [reply](const auto& record) {
    reply->send(record ? Response{200, "text/plain; charset=utf-8", *record, {}} : refusal_response(record.error()));
  });
}

/// The subscriber is opened only when the room is there, so that a wrong link is a 404 and not an empty stream.
void stream_room(Hub& hub, const CallPtr& call, const ReplyPtr& reply) {
  std::optional<std::uint64_t> since;
  if (const auto given = call->request.query.find("since"); given != call->request.query.end()) {
    since = event_number(given->second);
    if (!since) return reply->send(bad_request({R"("since" must be the number of an event)"}));
  }
  const RoomId room = call->params.at("id");
  hub.look_up(room, [&hub, call, reply, room, since](const auto& refusal) {
    if (refusal) return reply->send(refusal_response(*refusal));
    const auto subscriber = reply->stream({200, "application/x-ndjson", "", {}});
    subscriber->when_closed([&hub, room, key = subscriber.get()] { hub.leave(room, key); });
    hub.watch(room, call->person ? call->person->id : 0, subscriber, since, [subscriber](const auto& refused) {
      if (refused) subscriber->close(1011, refused->code);
    });
  });
}

Response list_rooms(const Call& call, Store& store) {
  const auto given = call.request.query.find("state");
  const std::string_view wanted = given == call.request.query.end() ? "open" : std::string_view(given->second);
  for (const RoomState state : {RoomState::open, RoomState::running, RoomState::ended}) {
    if (name(state) != wanted) continue;
    Json list = Json::array();
    for (const RoomRow& row : store.listed_rooms(state, rooms_listed)) list.push_back(to_json(row));
    return json_response({{"rooms", list}});
  }
  return bad_request({R"("state" must be "open", "running" or "ended")"});
}

Response list_presets(const Call& /*call*/) {
  Json list = Json::array();
  for (const std::string_view preset : chat_presets()) list.push_back(preset);
  return json_response({{"presets", list}});
}

// ---- Web sockets ----

class RoomSocket final : public SocketHandler {
 public:
  RoomSocket(Hub& hub, Limiter& limiter, Client client, WhoCalls person, std::shared_ptr<Subscriber> subscriber)
      : hub_(hub),
        limiter_(limiter),
        client_(std::move(client)),
        person_(std::move(person)),
        subscriber_(std::move(subscriber)) {}

  void received(std::string text) override {
    // Rubbish counts too, and who does not heed the answer is no longer read at all.
    const auto wait = limiter_.take(client_, Rate::command, std::chrono::steady_clock::now());
    refusals_ = wait ? refusals_ + 1 : 0;
    if (refusals_ > max_refusals) return subscriber_->close(1008, "too_often");
    const auto object = read_object(text);
    const Json ref = object && object->contains("ref") ? (*object)["ref"] : Json(nullptr);
    if (wait) return answer(ref, error_json("too_often", "too many messages", {{"retry_after_ms", wait->count()}}));
    if (!object) return answer(ref, error_json("bad_request", object.error().message));
    const auto word = text_field(*object, "do", "");
    const auto room = text_field(*object, "room", "");
    if (!word || !room) return answer(ref, error_json("bad_request", (word ? room : word).error().message));
    if (*word == "ping") return answer(ref, {{"pong", true}});
    if (*word == "watch") return watch(*object, ref, *room);
    if (*word == "leave") return leave(ref, *room);
    command(*word, *object, ref, *room);
  }

  void closed() override {
    for (const RoomId& room : watched_) hub_.leave(room, subscriber_.get());
    watched_.clear();
  }

 private:
  void answer(const Json& ref, Json body) {
    if (!ref.is_null()) body["ref"] = ref;
    subscriber_->send(body.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  void watch(const Json& object, const Json& ref, const RoomId& room) {
    constexpr std::size_t max_watched = 50;
    std::optional<std::uint64_t> since;
    if (object.contains("since")) {
      const auto number = number_field(object, "since", 0, 0, std::int64_t{1} << 53);
      if (!number) return answer(ref, error_json("bad_request", number.error().message));
      since = static_cast<std::uint64_t>(*number);
    }
    if (watched_.size() >= max_watched && !watched_.contains(room)) {
      return answer(
          ref, error_json("too_many", fmt::format("a socket watches at most {} rooms: leave one first", max_watched)));
    }
    watched_.insert(room);
    const auto person = person_();
    hub_.watch(room, person ? person->id : 0, subscriber_, since,
               [this, alive = std::weak_ptr(alive_), ref, room](const auto& refused) {
                 if (alive.expired()) return;
                 if (refused) {
                   watched_.erase(room);
                   answer(ref, error_json(refused->code, refused->message, refused->details));
                 } else {
                   answer(ref, {{"watching", room}, {"server_time_us", hub_.time().count()}});
                 }
               });
  }

  void leave(const Json& ref, const RoomId& room) {
    watched_.erase(room);
    hub_.leave(room, subscriber_.get());
    answer(ref, {{"left", room}});
  }

  void command(const std::string& word, const Json& object, const Json& ref, const RoomId& room) {
    const auto person = person_();
    if (!person) return answer(ref, error_json("no_person", "only known people may do this: POST /api/session first"));
    const auto command = read_command(word, object);
    if (!command) return answer(ref, error_json("bad_request", command.error().message));
    if (const auto refused = refuse_muted(*person, *command)) {
      return answer(ref, error_json(refused->code, refused->message));
    }
    hub_.command(room, who(*person), *command, [this, alive = std::weak_ptr(alive_), ref](const auto& done) {
      if (alive.expired()) return;
      if (done) {
        answer(ref, {{"accepted", accepted_json(*done)}});
      } else {
        answer(ref, error_json(done.error().code, done.error().message, done.error().details));
      }
    });
  }

  Hub& hub_;
  Limiter& limiter_;
  Client client_;
  WhoCalls person_;
  std::shared_ptr<Subscriber> subscriber_;
  std::set<RoomId> watched_;
  int refusals_ = 0;  // in a row, for too many messages
  std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace

std::vector<Route> room_routes(Hub& hub) {
  const auto late = [&hub](void (*function)(Hub&, const CallPtr&, const ReplyPtr&)) -> LateHandler {
    return [&hub, function](const CallPtr& call, const ReplyPtr& reply) { function(hub, call, reply); };
  };
  std::vector<Route> routes = {
      {"GET", "/api/rooms", Rate::reading, Need::nobody, SlowHandler{list_rooms}},
      {"POST", "/api/rooms", Rate::opening, Need::person, late(open_room)},
      {"GET", "/api/rooms/{id}", Rate::reading, Need::nobody, late(show_room)},
      {"GET", "/api/rooms/{id}/record", Rate::reading, Need::nobody, late(show_record)},
      {"GET", "/api/rooms/{id}/stream", Rate::reading, Need::nobody, late(stream_room)},
      {"GET", "/api/chat-presets", Rate::reading, Need::nobody, QuickHandler(list_presets)},
  };
  for (const std::string_view word : command_words()) {
    routes.push_back({"POST", fmt::format("/api/rooms/{{id}}/{}", word), Rate::command, Need::person,
                      LateHandler([&hub, word](const CallPtr& call, const ReplyPtr& reply) {
                        command_room(hub, word, call, reply);
                      })});
  }
  return routes;
}

std::unique_ptr<SocketHandler> room_socket(Hub& hub, Limiter& limiter, Client client, WhoCalls person,
                                           std::shared_ptr<Subscriber> subscriber) {
  return std::make_unique<RoomSocket>(hub, limiter, std::move(client), std::move(person), std::move(subscriber));
}

}  // namespace paika::server
