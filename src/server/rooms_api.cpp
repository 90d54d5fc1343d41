#include "server/rooms_api.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "server/commands.hpp"
#include "server/http/answers.hpp"
#include "server/people.hpp"
#include "server/rooms/room_json.hpp"

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
  open_counted_room(hub, *plan, who(*call->person), call->client, [reply](const tl::expected<RoomId, Refused>& room) {
    reply->send(room ? json_response({{"room", *room}, {"path", "/room/" + *room}}, 201)
                     : refusal_response(room.error()));
  });
}

/// A rematch is a new room: whoever wants one is charged for opening it. Nothing if the client may.
Limiter::Wait charge_rematch(Limiter& limiter, const Client& client, const Command& command) {
  if (!asks_for_rematch(command)) return std::nullopt;
  return limiter.take(client, Rate::opening, std::chrono::steady_clock::now());
}

void command_room(Hub& hub, Limiter& limiter, std::string_view word, const CallPtr& call, const ReplyPtr& reply) {
  const auto command = read_command(word, call->body);
  if (!command) return reply->send(bad_request(command.error()));
  if (const auto refused = refuse_muted(*call->person, *command))
    return reply->send(error_response(403, refused->code, refused->message));
  if (const auto wait = charge_rematch(limiter, call->client, *command)) return reply->send(too_often_response(*wait));
  hub.command(call->params.at("id"), call->client, who(*call->person), *command, [reply](const auto& answer) {
    reply->send(answer ? json_response(accepted_json(*answer)) : refusal_response(answer.error()));
  });
}

void show_room(Hub& hub, const CallPtr& call, const ReplyPtr& reply) {
  hub.snapshot(call->params.at("id"), call->client, [reply](const auto& snapshot) {
    reply->send(snapshot ? Response{200, "application/json", *snapshot, {}} : refusal_response(snapshot.error()));
  });
}

void show_record(Hub& hub, const CallPtr& call, const ReplyPtr& reply) {
  hub.record(call->params.at("id"), call->client, [reply](const auto& record) {
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
  hub.look_up(room, call->client, [&hub, call, reply, room, since](const auto& refusal) {
    if (refusal) return reply->send(refusal_response(*refusal));
    const auto subscriber = reply->stream({200, "application/x-ndjson", "", {}});
    subscriber->when_closed([&hub, room, key = subscriber.get()] { hub.leave(room, key); });
    hub.watch(room, call->client, subscriber, since, [subscriber](const auto& refused) {
      if (refused) subscriber->close(1011, refused->code);
    });
  });
}

void show_conditional(Hub& hub, const CallPtr& call, const ReplyPtr& reply) {
  hub.conditional(call->params.at("id"), call->client, [reply](const auto& lines) {
    reply->send(lines ? Response{200, "application/json", *lines, {}} : refusal_response(lines.error()));
  });
}

/// A person's games with people that go on, and how many of them wait for a move.
Response my_games(const Call& call, Store& store) {
  const PersonId person = call.person->id;
  const ServerTime now = store.server_time();
  Json list = Json::array();
  int waiting = 0;
  for (const RoomRow& row : store.running_games_of(person, rooms_listed)) {
    Json json = to_json(row);
    const bool mine = row.to_move == seat_word(row.persons[0] == person ? Player::first : Player::second);
    waiting += mine ? 1 : 0;
    json["my_turn"] = mine;
    json["left_ms"] =
        row.due.count() == 0 ? Json(nullptr) : Json(std::max<std::int64_t>(0, (row.due - now).count() / 1000));
    list.push_back(std::move(json));
  }
  return json_response({{"games", list}, {"waiting", waiting}});
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

/// Who plays pings every second; that costs no more than looking at a page.
Rate rate_of(std::string_view message) {
  constexpr std::size_t max_ping = 40;  // bytes
  const bool ping = message.size() <= max_ping && message.find("\"ping\"") != std::string_view::npos;
  return ping ? Rate::reading : Rate::command;
}

class RoomSocket final : public SocketHandler {
 public:
  RoomSocket(Hub& hub, Lobby& lobby, std::shared_ptr<ClassBoards> boards, Limiter& limiter, Client client,
             WhoCalls person, std::shared_ptr<Subscriber> subscriber)
      : hub_(hub),
        lobby_(lobby),
        boards_(std::move(boards)),
        limiter_(limiter),
        client_(std::move(client)),
        person_(std::move(person)),
        subscriber_(std::move(subscriber)) {}

  void received(std::string text) override {
    // Rubbish counts too, and who does not heed the answer is no longer read at all.
    const auto wait = limiter_.take(client_, rate_of(text), std::chrono::steady_clock::now());
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
    if (*word == "watch_board") return watch_board(*object, ref);
    if (*word == "leave_board") return leave_board(ref);
    if (*word == "lobby") return watch_lobby(ref);
    if (*word == "leave_lobby") return leave_lobby(ref);
    if (*word == "cancel") return cancel(ref);
    if (*word == "seek") return seek(*object, ref);
    if (*word == "accept") return accept(*object, ref);
    command(*word, *object, ref, *room);
  }

  void closed() override {
    for (const RoomId& room : watched_) hub_.leave(room, subscriber_.get());
    watched_.clear();
    lobby_.cancel(subscriber_.get());
    lobby_.leave(subscriber_.get());
    if (boards_) boards_->leave(subscriber_.get());
  }

 private:
  void answer(const Json& ref, Json body) {
    if (!ref.is_null()) body["ref"] = ref;
    subscriber_->send(body.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  void watch(const Json& object, const Json& ref, const RoomId& room) {
    constexpr std::size_t max_watched = 100;
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
    hub_.watch(room, {client_.address, person ? person->id : 0}, subscriber_, since,
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

  // ---- The board of a class ----

  void watch_board(const Json& object, const Json& ref) {
    const auto person = known_person(ref);
    if (!person) return;
    const auto id = text_field(object, "class", "");
    if (!id) return answer(ref, error_json("bad_request", id.error().message));
    if (!boards_) return answer(ref, error_json("no_class", "you are in no such class"));
    boards_->watch(*id, client_of(*person), subscriber_,
                   [this, alive = std::weak_ptr(alive_), ref, id = *id](const auto& refused) {
                     if (alive.expired()) return;
                     answer(ref, refused ? Json::parse(refused->body) : Json{{"watching", id}});
                   });
  }

  void leave_board(const Json& ref) {
    if (boards_) boards_->leave(subscriber_.get());
    answer(ref, {{"left", "board"}});
  }

  // ---- The lobby ----

  void watch_lobby(const Json& ref) {
    answer(ref, {{"watching", "lobby"}});
    lobby_.watch(subscriber_);
  }

  void leave_lobby(const Json& ref) {
    lobby_.leave(subscriber_.get());
    answer(ref, {{"left", "lobby"}});
  }

  void cancel(const Json& ref) {
    lobby_.cancel(subscriber_.get());
    answer(ref, {{"cancelled", true}});
  }

  /// Who sends this, if that is somebody; else the sender has been told.
  std::optional<Person> known_person(const Json& ref) {
    auto person = person_();
    if (!person) answer(ref, error_json("no_person", "only known people may do this: POST /api/session first"));
    return person;
  }

  void seek(Json object, const Json& ref) {
    const auto person = known_person(ref);
    if (!person) return;
    for (const char* const field : {"do", "ref"}) object.erase(field);
    const auto plan = read_seek_plan(object);
    if (!plan) return answer(ref, error_json("bad_request", plan.error().message));
    if (refuse_opening(*person, ref)) return;
    if (plan->rated && !person->member) {
      return answer(ref, error_json("members_only", "rated games are for members: create an account first"));
    }
    lobby_.seek(*plan, who(*person), client_of(*person), subscriber_,
                [this, alive = std::weak_ptr(alive_), ref](const auto& seek) {
                  if (alive.expired()) return;
                  if (seek) return answer(ref, {{"seeking", *seek}});
                  answer(ref, error_json(seek.error().code, seek.error().message, seek.error().details));
                });
  }

  void accept(const Json& object, const Json& ref) {
    const auto person = known_person(ref);
    if (!person) return;
    const auto id = number_field(object, "seek", 0, 1, std::int64_t{1} << 53);
    if (!id || *id == 0) return answer(ref, error_json("bad_request", R"("seek" must be the number of one who waits)"));
    if (refuse_opening(*person, ref)) return;
    lobby_.accept(static_cast<SeekId>(*id), who(*person), client_of(*person),
                  [this, alive = std::weak_ptr(alive_), ref](const auto& room) {
                    if (alive.expired()) return;
                    if (room) return answer(ref, {{"paired", {{"room", *room}}}});
                    answer(ref, error_json(room.error().code, room.error().message, room.error().details));
                  });
  }

  /// Whoever looks for a game opens a room in the end. True: that was refused for now.
  bool refuse_opening(const Person& person, const Json& ref) {
    const auto wait = limiter_.take(client_of(person), Rate::opening, std::chrono::steady_clock::now());
    if (wait) answer(ref, error_json("too_often", "too many games", {{"retry_after_ms", wait->count()}}));
    return wait.has_value();
  }

  /// The address of the socket, and who uses it now: a guest may have come after it was opened.
  [[nodiscard]] Client client_of(const Person& person) const { return {client_.address, person.id}; }

  void command(const std::string& word, const Json& object, const Json& ref, const RoomId& room) {
    const auto person = known_person(ref);
    if (!person) return;
    const auto command = read_command(word, object);
    if (!command) return answer(ref, error_json("bad_request", command.error().message));
    if (const auto refused = refuse_muted(*person, *command)) {
      return answer(ref, error_json(refused->code, refused->message));
    }
    if (const auto wait = charge_rematch(limiter_, client_of(*person), *command)) {
      return answer(ref, error_json("too_often", "too many games", {{"retry_after_ms", wait->count()}}));
    }
    hub_.command(room, client_of(*person), who(*person), *command,
                 [this, alive = std::weak_ptr(alive_), ref](const auto& done) {
                   if (alive.expired()) return;
                   if (done) {
                     answer(ref, {{"accepted", accepted_json(*done)}});
                   } else {
                     answer(ref, error_json(done.error().code, done.error().message, done.error().details));
                   }
                 });
  }

  Hub& hub_;
  Lobby& lobby_;
  std::shared_ptr<ClassBoards> boards_;  // null: there are none
  Limiter& limiter_;
  Client client_;
  WhoCalls person_;
  std::shared_ptr<Subscriber> subscriber_;
  std::set<RoomId> watched_;
  int refusals_ = 0;  // in a row, for too many messages
  std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace

void open_counted_room(Hub& hub, const RoomPlan& plan, const Identity& opener, const Client& client,
                       const std::function<void(const tl::expected<RoomId, Refused>&)>& done,
                       std::function<void(Store&, const RoomId&)> also) {
  if (!hub.open_rooms().has_room(client, std::chrono::steady_clock::now())) {
    return done(tl::unexpected(too_many_rooms()));
  }
  hub.open(plan, opener, client, done, std::move(also));
}

std::vector<Route> room_routes(Hub& hub, Lobby& lobby, Limiter& limiter) {
  const auto late = [&hub](void (*function)(Hub&, const CallPtr&, const ReplyPtr&)) -> LateHandler {
    return [&hub, function](const CallPtr& call, const ReplyPtr& reply) { function(hub, call, reply); };
  };
  std::vector<Route> routes = {
      {"GET", "/api/rooms", Rate::reading, Need::nobody, SlowHandler{list_rooms}},
      {"POST", "/api/rooms", Rate::opening, Need::person, late(open_room)},
      {"GET", "/api/rooms/{id}", Rate::reading, Need::nobody, late(show_room)},
      {"GET", "/api/rooms/{id}/record", Rate::reading, Need::nobody, late(show_record)},
      {"GET", "/api/rooms/{id}/conditional", Rate::reading, Need::person, late(show_conditional)},
      {"GET", "/api/me/games", Rate::reading, Need::person, SlowHandler{my_games}},
      {"GET", "/api/rooms/{id}/stream", Rate::reading, Need::nobody, late(stream_room)},
      {"GET", "/api/lobby", Rate::reading, Need::nobody,
       QuickHandler([&lobby](const Call&) { return json_response({{"seeks", lobby.seeks_json()}}); })},
      {"GET", "/api/chat-presets", Rate::reading, Need::nobody, QuickHandler(list_presets)},
  };
  for (const std::string_view word : command_words()) {
    routes.push_back({"POST", fmt::format("/api/rooms/{{id}}/{}", word), Rate::command, Need::person,
                      LateHandler([&hub, &limiter, word](const CallPtr& call, const ReplyPtr& reply) {
                        command_room(hub, limiter, word, call, reply);
                      })});
  }
  return routes;
}

std::unique_ptr<SocketHandler> room_socket(Hub& hub, Lobby& lobby, std::shared_ptr<ClassBoards> boards,
                                           Limiter& limiter, Client client, WhoCalls person,
                                           std::shared_ptr<Subscriber> subscriber) {
  return std::make_unique<RoomSocket>(hub, lobby, std::move(boards), limiter, std::move(client), std::move(person),
                                      std::move(subscriber));
}

}  // namespace paika::server
