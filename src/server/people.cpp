#include "server/people.hpp"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/names.hpp"
#include "base/text.hpp"
#include "engine/registry.hpp"
#include "play/record.hpp"
#include "server/account_export.hpp"
#include "server/http/answers.hpp"
#include "server/http/guard.hpp"
#include "server/http/limits.hpp"
#include "server/logins.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_label = 60;
constexpr std::size_t max_tokens = 20;
constexpr std::size_t games_per_page = 50;
constexpr std::size_t best_shown = 100;

Response storage_response() {
  return error_response(503, "storage", "the server could not save this; nothing has changed, try again later");
}

/// A member without a password proves who it is by a session that has just begun.
constexpr WallTime fresh_session = std::chrono::milliseconds(std::chrono::minutes(10)).count();

Response sign_in_again() {
  return error_response(
      403, "sign_in_again",
      "your account has no password: log in again by single sign-on, then do this within ten minutes");
}

Response wrong_password() { return error_response(403, "wrong_password", "the name or the password is wrong"); }

/// A name and a password from a body.
struct Credentials {
  std::string name;
  std::string password;
};

Result<Credentials> read_credentials(const Json& body) {
  if (const auto known = only_fields(body, {"name", "password"}); !known) return tl::unexpected(known.error());
  auto name = text_field(body, "name", "");
  if (!name) return tl::unexpected(name.error());
  auto password = text_field(body, "password", "");
  if (!password) return tl::unexpected(password.error());
  if (name->empty() || password->empty()) return fail(R"("name" and "password" must be given)");
  return Credentials{std::move(*name), std::move(*password)};
}

using ReplyPtr = std::shared_ptr<Reply>;
using CallPtr = std::shared_ptr<const Call>;

/// The functions behind the routes. They share the dependencies and the limit on guessing passwords.
class Accounts {
 public:
  explicit Accounts(const PeopleDeps& deps) : deps_(deps), throttle_(deps.rate_factor) {}

  void begin_session(const CallPtr& call, const ReplyPtr& reply) {
    if (call->person) {
      reply->send(json_response({{"person", to_json(*call->person)}}));
      return;
    }
    if (!may_add_guest(*call, reply)) return;
    const auto guest = std::make_shared<Person>();
    const std::string secret = random_secret();
    write(
        reply,
        [guest, hash = secret_hash(secret)](Store& store) {
          const WallTime now = wall_now();
          *guest = store.add_guest(now);
          store.add_session(guest->id, hash, now, session_end(now));
        },
        [call, guest, secret] { return with_session(*call, *guest, secret, 201); });
  }

  void add_guest(const CallPtr& call, const ReplyPtr& reply) {
    if (!may_add_guest(*call, reply)) return;
    const auto guest = std::make_shared<Person>();
    const std::string secret = random_secret();
    write(
        reply,
        [guest, hash = secret_hash(secret)](Store& store) {
          *guest = store.add_guest(wall_now());
          static_cast<void>(store.add_token(guest->id, "guest", hash, wall_now()));
        },
        [guest, secret] { return json_response({{"person", to_json(*guest)}, {"token", secret}}, 201); });
  }

  void become_member(const CallPtr& call, const ReplyPtr& reply) {
    const auto given = read_credentials(call->body);
    if (!given) return reply->send(bad_request(given.error()));
    if (call->person->member) return reply->send(error_response(409, "member", "you already have an account"));
    if (const auto fault = name_fault(given->name)) return reply->send(bad_request(*fault));
    if (const auto fine = check_password(given->password); !fine) return reply->send(bad_request(fine.error()));
    queue_password(call->client, reply, [this, call, reply, given = *given] {
      const std::string hash = hash_password(given.password);
      deps_.post([this, call, reply, name = given.name, hash] { commit_member(call, reply, name, hash); });
    });
  }

  void login(const CallPtr& call, const ReplyPtr& reply) {
    const auto given = read_credentials(call->body);
    if (!given) return reply->send(bad_request(given.error()));
    const auto decision = throttle_.begin(call->client.address, given->name, std::chrono::steady_clock::now());
    if (decision.refused) {
      return reply->send(too_often_response(*decision.refused, "this password was tried too often from your address"));
    }
    const auto begin = [this, call, reply, given = *given, decision] { try_login(call, reply, given, decision); };
    if (decision.delay.count() == 0) return begin();
    deps_.after(decision.delay, begin);
  }

  void logout(const CallPtr& call, const ReplyPtr& reply) {
    const std::string hash = secret_hash(call->request.cookie(session_cookie));
    write(
        reply, [hash](Store& store) { store.end_session(hash); },
        [this, call] {
          if (call->person) deps_.on_sessions_ended(call->person->id);
          Response response = json_response({{"person", nullptr}});
          response.headers.emplace_back("Set-Cookie",
                                        session_cookie_header(call->request, "", std::chrono::seconds(0)));
          return response;
        });
  }

  void change_password(const CallPtr& call, const ReplyPtr& reply) {
    if (const auto known = only_fields(call->body, {"old", "new"}); !known)
      return reply->send(bad_request(known.error()));
    const auto before = text_field(call->body, "old", "");
    const auto after = text_field(call->body, "new", "");
    if (!before) return reply->send(bad_request(before.error()));
    if (!after) return reply->send(bad_request(after.error()));
    if (const auto fine = check_password(*after); !fine) return reply->send(bad_request(fine.error()));
    with_password(call, reply, *before, [this, call, reply, after = *after] {
      const std::string hash = hash_password(after);
      deps_.post([this, call, reply, hash] {
        write(
            reply,
            [id = call->person->id, hash, session = secret_hash(call->request.cookie(session_cookie)),
             token = secret_hash(bearer(call->request))](Store& store) {
              store.set_password_hash(id, hash);
              store.end_sessions(id, session);  // whoever knew the old one is out, and whatever they have left
              store.end_tokens(id, token);
            },
            [this, id = call->person->id] {
              deps_.on_sessions_ended(id);
              return json_response({{"changed", true}});
            });
      });
    });
  }

  void erase(const CallPtr& call, const ReplyPtr& reply) {
    if (const auto known = only_fields(call->body, {"password"}); !known)
      return reply->send(bad_request(known.error()));
    const auto password = text_field(call->body, "password", "");
    if (!password) return reply->send(bad_request(password.error()));
    if (!call->person->member) return erase_now(call, reply);
    with_password(call, reply, *password,
                  [this, call, reply] { deps_.post([this, call, reply] { erase_now(call, reply); }); });
  }

  void add_token(const CallPtr& call, const ReplyPtr& reply) {
    if (const auto known = only_fields(call->body, {"label"}); !known) return reply->send(bad_request(known.error()));
    const auto label = text_field(call->body, "label", "");
    if (!label) return reply->send(bad_request(label.error()));
    if (label->empty() || label->size() > max_label) {
      return reply->send(
          bad_request({fmt::format(R"("label" must be 1 to {} bytes: what the token is for)", max_label)}));
    }
    if (const auto fine = check_title(*label); !fine) {
      return reply->send(bad_request({fmt::format(R"("label": {})", fine.error().message)}));
    }
    if (deps_.reader.tokens(call->person->id).size() >= max_tokens) {
      return reply->send(
          error_response(409, "too_many_tokens", fmt::format("you cannot have more than {} tokens", max_tokens)));
    }
    const std::string secret = random_secret();
    const auto row = std::make_shared<TokenRow>();
    write(
        reply,
        [row, id = call->person->id, label = *label, hash = secret_hash(secret)](Store& store) {
          *row = store.add_token(id, label, hash, wall_now());
        },
        [row, secret] {
          Json body = token_json(*row);
          body["token"] = secret;  // told this once: only its hash is kept
          return json_response(body, 201);
        });
  }

  void drop_token(const CallPtr& call, const ReplyPtr& reply) {
    const auto id = parse_int(call->params.at("token"));
    if (!id) return reply->send(error_response(404, "no_token", "you have no such token"));
    const auto dropped = std::make_shared<bool>(false);
    write(
        reply,
        [dropped, person = call->person->id, id = *id](Store& store) { *dropped = store.drop_token(person, id); },
        [this, dropped, person = call->person->id] {
          deps_.on_sessions_ended(person);
          return *dropped ? json_response({{"dropped", true}})
                          : error_response(404, "no_token", "you have no such token");
        });
  }

  [[nodiscard]] Response me(const Call& call) const {
    if (!call.person) return json_response({{"person", nullptr}, {"ratings", Json::array()}});
    return json_response({{"person", to_json(*call.person)}, {"ratings", ratings_json(deps_.reader, call.person->id)}});
  }

  [[nodiscard]] Response tokens(const Call& call) const {
    Json list = Json::array();
    for (const TokenRow& row : deps_.reader.tokens(call.person->id)) list.push_back(token_json(row));
    return json_response({{"tokens", list}});
  }

 private:
  using Job = std::function<void(Store&)>;

  /// Keeps something, then answers with what `then` makes.
  void write(const ReplyPtr& reply, Job job, std::function<Response()> then) {
    deps_.writer.submit(std::move(job), [this, reply, then = std::move(then)](const auto& failure) {
      if (failure) deps_.log.write(LogLevel::error, "account_not_committed", {{"what", *failure}});
      reply->send(failure ? storage_response() : then());
    });
  }

  /// False, and answered, if the client has made enough guests. Who is known already has little need of more.
  bool may_add_guest(const Call& call, const ReplyPtr& reply) {
    const auto wait = deps_.limiter.take(call.client, Rate::guest, std::chrono::steady_clock::now());
    if (wait) reply->send(too_often_response(*wait, "too many new guests from your address"));
    return !wait;
  }

  void try_login(const CallPtr& call, const ReplyPtr& reply, const Credentials& given,
                 const LoginThrottle::Decision& decision) {
    const auto person = deps_.reader.person_named(given.name);
    const auto hash = person && person->member ? deps_.reader.password_hash(person->id) : std::nullopt;
    const auto ended = [this, address = call->client.address, name = given.name, decision](bool fits) {
      throttle_.end(decision, address, name, fits);
    };
    // A name that many addresses try has one turn for all of them, however many they are.
    Client client = call->client;
    if (decision.crowded) client.address = fmt::format("guesses at {}", lowered(given.name.substr(0, max_label)));
    const bool taken = queue_password(client, reply, [this, call, reply, person, hash, given, ended] {
      try {
        // Without such a person it takes as long, so that the time tells nobody which names exist.
        const bool fits = password_fits(given.password, hash.value_or("")) && hash.has_value();
        deps_.post([this, call, reply, person, fits, ended] {
          ended(fits);
          if (!fits) return reply->send(wrong_password());
          if (person->banned) return reply->send(error_response(403, "banned", "the operator has banned this account"));
          commit_session(call, reply, *person);
        });
      } catch (const std::bad_alloc&) {
        deps_.post([ended] { ended(false); });
        throw;
      }
    });
    if (!taken) ended(false);
  }

  /// False, and answered, if too much waits already.
  bool queue_password(const Client& client, const ReplyPtr& reply, std::function<void()> work) {
    const auto run = [this, reply, work = std::move(work)](const std::stop_token&) {
      try {
        work();
      } catch (const std::exception& error) {  // passwords take memory that may not be there
        deps_.log.write(LogLevel::error, "password_failed", {{"what", error.what()}});
        deps_.post([reply] { reply->send(busy_response()); });
      }
    };
    const auto taken = deps_.passwords.submit(client, run);
    if (!taken) reply->send(full_response(taken.error()));
    return taken.has_value();
  }

  /// Runs `then` on the work queue if the caller's password is right; for an account without one, if the session has
  /// just begun. What others try at the caller's name does not count here: the person's own rate bounds what a session
  /// can guess.
  void with_password(const CallPtr& call, const ReplyPtr& reply, const std::string& password,
                     std::function<void()> then) {
    const auto hash = deps_.reader.password_hash(call->person->id);
    if (hash && hash->empty()) {
      const auto begun = deps_.reader.session_created(secret_hash(call->request.cookie(session_cookie)));
      if (!begun || wall_now() - *begun > fresh_session) return reply->send(sign_in_again());
      queue_password(call->client, reply, std::move(then));
      return;
    }
    queue_password(call->client, reply, [this, reply, hash, password, then = std::move(then)] {
      if (hash && password_fits(password, *hash)) return then();
      deps_.post([reply] { reply->send(wrong_password()); });
    });
  }

  static Response with_session(const Call& call, const Person& person, const std::string& secret, int status) {
    Response response = json_response({{"person", to_json(person)}}, status);
    response.headers.emplace_back("Set-Cookie", session_cookie_header(call.request, secret, session_age));
    return response;
  }

  void commit_member(const CallPtr& call, const ReplyPtr& reply, const std::string& name, const std::string& hash) {
    const auto made = std::make_shared<Result<Person>>(fail("not done"));
    const std::string secret = random_secret();
    write(
        reply,
        [made, id = call->person->id, name, hash, session = secret_hash(secret)](Store& store) {
          *made = store.make_member(id, name, hash);
          if (!*made) return;
          store.end_sessions(id, "");
          store.add_session(id, session, wall_now(), session_end(wall_now()));
        },
        [this, call, made, secret] {
          if (!*made) return error_response(409, "name_taken", made->error().message);
          deps_.on_sessions_ended(call->person->id);
          return with_session(*call, **made, secret, 201);
        });
  }

  void commit_session(const CallPtr& call, const ReplyPtr& reply, const Person& person) {
    const std::string secret = random_secret();
    write(
        reply,
        [id = person.id, hash = secret_hash(secret),
         before = secret_hash(call->request.cookie(session_cookie))](Store& store) {
          store.end_session(before);
          store.add_session(id, hash, wall_now(), session_end(wall_now()));
        },
        [call, person, secret] { return with_session(*call, person, secret, 200); });
  }

  void erase_now(const CallPtr& call, const ReplyPtr& reply) {
    const PersonId id = call->person->id;
    deps_.hub.give_up_games(id, [this, call, reply, id](bool given_up) {
      if (!given_up) return reply->send(storage_response());
      write(
          reply, [id](Store& store) { store.erase_person(id); },
          [this, call, id] {
            deps_.hub.forget(id);
            deps_.on_sessions_ended(id);
            Response response = json_response({{"erased", true}});
            response.headers.emplace_back("Set-Cookie",
                                          session_cookie_header(call->request, "", std::chrono::seconds(0)));
            return response;
          });
    });
  }

  PeopleDeps deps_;
  LoginThrottle throttle_;
};

// ---- Lists, on the work queue ----

Response no_player(const std::string& name) {
  return error_response(404, "no_player", fmt::format("there is no player {}", Json(name).dump()));
}

Response profile(const Call& call, Store& store) {
  const auto person = store.person_named(call.params.at("name"));
  if (!person) return no_player(call.params.at("name"));
  Json body = to_json(*person);
  body["ratings"] = ratings_json(store, person->id);
  return json_response(body);
}

/// Where a page of games begins: after the "next" of the page before.
Result<std::optional<RoomPlace>> read_place(const Request& request) {
  const auto given = request.query.find("after");
  if (given == request.query.end()) return std::nullopt;
  const std::size_t dot = given->second.find('.');
  const auto changed = dot == std::string::npos ? std::nullopt : parse_int(given->second.substr(0, dot));
  if (!changed) return fail(R"("after" must be the "next" of the page before)");
  return RoomPlace{*changed, given->second.substr(dot + 1)};
}

Response games_of(const Call& call, Store& store) {
  const auto person = store.person_named(call.params.at("name"));
  if (!person) return no_player(call.params.at("name"));
  const auto after = read_place(call.request);
  if (!after) return bad_request(after.error());
  Json list = Json::array();
  // Unlisted rooms are known by their link alone; only their players see them here.
  const bool own = call.person && call.person->id == person->id;
  const auto rows = store.rooms_of(person->id, *after, games_per_page);
  for (const RoomRow& row : rows) {
    if (own || row.listed || row.state == RoomState::ended) list.push_back(to_json(row));
  }
  Json body = {{"games", list}, {"next", nullptr}};
  if (rows.size() == games_per_page) body["next"] = fmt::format("{}.{}", rows.back().changed, rows.back().id);
  return json_response(body);
}

Response best_players(const Call& call, Store& store) {
  const auto game = find_game(call.params.at("game"));
  if (!game) return error_response(404, "no_game", game.error().message);
  Json list = Json::array();
  for (const auto& [person, row] : store.best_rated((*game)->name, best_shown)) {
    list.push_back({{"name", person.name},
                    {"rating", row.rating.value},
                    {"deviation", row.rating.deviation},
                    {"games", row.games}});
  }
  return json_response({{"game", (*game)->name}, {"players", list}});
}

}  // namespace

std::optional<Person> caller(const Request& request, Store& reader) {
  std::optional<PersonId> id;
  if (const std::string token = token_of(request); !token.empty()) {
    id = reader.token_person(secret_hash(token));
  } else if (const std::string_view session = request.cookie(session_cookie); !session.empty()) {
    id = reader.session_person(secret_hash(session), wall_now());
  }
  auto person = id ? reader.person(*id) : std::nullopt;
  if (person && person->banned) return std::nullopt;
  return person;
}

std::vector<Route> people_routes(const PeopleDeps& deps) {
  const auto accounts = std::make_shared<Accounts>(deps);
  const auto late = [accounts](void (Accounts::*function)(const CallPtr&, const ReplyPtr&)) -> LateHandler {
    return [accounts, function](const CallPtr& call, const ReplyPtr& reply) { ((*accounts).*function)(call, reply); };
  };
  const auto quick = [accounts](Response (Accounts::*function)(const Call&) const) -> QuickHandler {
    return [accounts, function](const Call& call) { return ((*accounts).*function)(call); };
  };
  return {
      {"POST", "/api/session", Rate::reading, Need::nobody, late(&Accounts::begin_session)},
      {"POST", "/api/guests", Rate::reading, Need::nobody, late(&Accounts::add_guest)},
      {"POST", "/api/login", Rate::secrets, Need::nobody, late(&Accounts::login)},
      {"POST", "/api/logout", Rate::command, Need::nobody, late(&Accounts::logout)},
      {"GET", "/api/me", Rate::reading, Need::nobody, quick(&Accounts::me)},
      {"POST", "/api/account", Rate::secrets, Need::person, late(&Accounts::become_member)},
      {"DELETE", "/api/account", Rate::secrets, Need::person, late(&Accounts::erase)},
      {"POST", "/api/account/password", Rate::secrets, Need::member, late(&Accounts::change_password)},
      {"GET", "/api/account/export", Rate::position, Need::person, LongHandler{export_account}},
      {"GET", "/api/account/tokens", Rate::reading, Need::person, quick(&Accounts::tokens)},
      {"POST", "/api/account/tokens", Rate::secrets, Need::person, late(&Accounts::add_token)},
      {"DELETE", "/api/account/tokens/{token}", Rate::command, Need::person, late(&Accounts::drop_token)},
      {"GET", "/api/players/{name}", Rate::reading, Need::nobody, SlowHandler{profile}},
      {"GET", "/api/players/{name}/games", Rate::reading, Need::nobody, SlowHandler{games_of}},
      {"GET", "/api/ratings/{game}", Rate::reading, Need::nobody, SlowHandler{best_players}},
  };
}

}  // namespace paika::server
