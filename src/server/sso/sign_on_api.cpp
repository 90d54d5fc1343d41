// The routes of OpenID Connect: to the provider and back, the first login, and the identities of an account.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "server/http/answers.hpp"
#include "server/http/guard.hpp"
#include "server/sso/oidc_client.hpp"
#include "server/sso/sign_on.hpp"
#include "server/store/identities.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_oidc_flows = 20'000;
constexpr std::chrono::minutes oidc_flow_time(10);
constexpr std::size_t max_code_bytes = 4'000;

/// A browser that is at a provider.
struct OidcFlow {
  OidcAttempt attempt;
  std::string provider;
  std::string browser_hash;
  std::string go_to;
  PersonId link_to = 0;  // 0: to log in
};

Response no_arrival() {
  return error_response(404, "no_arrival", "nobody has arrived by single sign-on in this browser, or too long ago");
}

Response identity_taken() {
  return error_response(409, "identity_taken", "this sign-on belongs to another account already");
}

/// The functions behind the routes.
class SignOnApi {
 public:
  explicit SignOnApi(SignOn& on) : on_(on), client_(on.send(), on.keys()), flows_(max_oidc_flows, oidc_flow_time) {}

  [[nodiscard]] Response providers(const Call& /*call*/) const {
    Json list = Json::array();
    for (const OidcProvider& provider : on_.config().providers) {
      list.push_back({{"id", provider.id}, {"name", provider.name}});
    }
    return json_response({{"providers", list}});
  }

  // ---- To the provider and back ----

  void begin(const CallPtr& call, const ReplyPtr& reply) {
    if (const auto known = only_fields(call->body, {"link", "return"}); !known)
      return reply->send(bad_request(known.error()));
    const auto link = flag_field(call->body, "link", false);
    if (!link) return reply->send(bad_request(link.error()));
    const auto go_to = text_field(call->body, "return", "/");
    if (!go_to) return reply->send(bad_request(go_to.error()));
    if (!is_local_path(*go_to)) {
      return reply->send(bad_request({R"("return" must be a path of this server, such as "/classes")"}));
    }
    const OidcProvider* provider = on_.config().provider(call->params.at("provider"));
    if (provider == nullptr) return reply->send(error_response(404, "no_provider", "there is no such provider"));
    if (*link && (!call->person || !call->person->member)) {
      return reply->send(error_response(403, "members_only", "log in before you link a sign-on to your account"));
    }
    const PersonId link_to = *link ? call->person->id : 0;
    work(call, reply, [this, call, reply, provider, go_to = *go_to, link_to](const std::stop_token& stop) {
      auto metadata = client_.metadata(*provider, stop);
      on_.deps().post([this, reply, provider, go_to, link_to, metadata = std::move(metadata)] {
        send_away(reply, *provider, metadata, go_to, link_to);
      });
    });
  }

  /// The provider has sent the browser back, with a code or an error.
  void come_back(const CallPtr& call, const ReplyPtr& reply) {
    const auto field = [&](const char* name) {
      const auto found = call->request.query.find(name);
      return found == call->request.query.end() ? std::string() : found->second;
    };
    const std::string state = field("state");
    const auto flow = flows_.take(state, std::chrono::steady_clock::now());
    const OidcProvider* provider = on_.config().provider(call->params.at("provider"));
    if (!flow || provider == nullptr || flow->provider != provider->id ||
        !SignOn::is_same_browser(call->request, state, flow->browser_hash)) {
      return reply->send(sign_on_failed("expired"));
    }
    const std::string issuer = field("iss");
    const std::string code = field("code");
    if (!issuer.empty() && issuer != provider->issuer)
      return refuse(reply, *provider, {"the answer is of " + in_quotes(issuer, 120)});
    if (field("error") == "access_denied") return reply->send(sign_on_failed("denied"));
    if (code.empty() || code.size() > max_code_bytes) {
      return refuse(reply, *provider, {"no code, but the error " + in_quotes(field("error"), 80)});
    }
    work(call, reply, [this, call, reply, provider, code, flow = *flow](const std::stop_token& stop) {
      auto claims = client_.claims(*provider, flow.attempt, code, redirect_uri(*provider), stop);
      on_.deps().post([this, call, reply, provider, flow, claims = std::move(claims)] {
        if (!claims) return refuse(reply, *provider, claims.error());
        finish(call, reply, *provider, flow, *claims);
      });
    });
  }

  // ---- The first login ----

  [[nodiscard]] Response arrival(const Call& call) const {
    const Arrival* arrived = on_.arrival(call.request);
    if (arrived == nullptr) return no_arrival();
    const auto identity = IdentityStore(on_.deps().reader).find(arrived->issuer, arrived->subject);
    Json body = {
        {"provider", arrived->provider}, {"suggested_name", arrived->suggested_name},
        {"known", identity.has_value()}, {"mine", identity && call.person && identity->person == call.person->id},
        {"return", arrived->go_to},      {"launch", nullptr}};
    if (arrived->launch) body["launch"] = launch_json(call, *arrived->launch);
    return json_response(body);
  }

  /// Makes an account without a password for who has arrived.
  void make_account(const CallPtr& call, const ReplyPtr& reply) {
    if (const auto known = only_fields(call->body, {"name"}); !known) return reply->send(bad_request(known.error()));
    const auto name = text_field(call->body, "name", "");
    if (!name) return reply->send(bad_request(name.error()));
    if (const auto fault = name_fault(*name)) return reply->send(bad_request(*fault));
    const Arrival* arrived = on_.arrival(call->request);
    if (arrived == nullptr) return reply->send(no_arrival());
    const PersonId guest = call->person && !call->person->member ? call->person->id : 0;
    const std::string secret = random_secret();
    const auto failed = std::make_shared<std::optional<Response>>();
    const auto made = std::make_shared<PersonId>(0);
    on_.write(
        reply,
        [failed, made, guest, name = *name, who = *arrived, session = secret_hash(secret),
         before = secret_hash(call->request.cookie(session_cookie))](Store& store) {
          *failed = add_account(store, guest, name, who, session, *made);
          if (!*failed) store.end_session(before);
        },
        [this, call, failed, made, guest, secret] {
          if (*failed) return std::move(**failed);
          if (guest != 0) on_.deps().on_sessions_ended(*made);
          leave_arrival(*call);
          Response response = json_response({{"created", true}}, 201);
          response.headers.emplace_back("Set-Cookie", session_cookie_header(call->request, secret, session_age));
          return response;
        });
  }

  /// Links who has arrived to the account that is logged in.
  void link_arrival(const CallPtr& call, const ReplyPtr& reply) {
    const Arrival* arrived = on_.arrival(call->request);
    if (arrived == nullptr) return reply->send(no_arrival());
    link(reply, arrived->issuer, arrived->subject, call->person->id, [this, call](bool linked) {
      if (linked) leave_arrival(*call);
      return linked ? json_response({{"linked", true}}) : identity_taken();
    });
  }

  // ---- The identities of an account ----

  [[nodiscard]] Response identities(const Call& call) const {
    Json list = Json::array();
    for (const IdentityRow& row : IdentityStore(on_.deps().reader).of_person(call.person->id)) {
      list.push_back({{"id", row.id},
                      {"provider", on_.config().issuer_name(row.issuer)},
                      {"issuer", row.issuer},
                      {"created_ms", row.created},
                      {"used_ms", row.used}});
    }
    const auto hash = on_.deps().reader.password_hash(call.person->id);
    return json_response({{"password", hash && !hash->empty()}, {"identities", list}});
  }

  void drop_identity(const CallPtr& call, const ReplyPtr& reply) {
    const auto id = parse_int(call->params.at("identity"));
    const auto result = std::make_shared<IdentityStore::Dropped>(IdentityStore::Dropped::unknown);
    on_.write(
        reply,
        [result, person = call->person->id, id = id.value_or(0),
         session = secret_hash(call->request.cookie(session_cookie))](Store& store) {
          *result = IdentityStore(store).drop(person, id);
          // Whoever came in by it is out; who unlinks it stays.
          if (*result == IdentityStore::Dropped::done) store.end_sessions(person, session);
        },
        [this, result, person = call->person->id] {
          switch (*result) {
            case IdentityStore::Dropped::done:
              on_.deps().on_sessions_ended(person);
              return json_response({{"dropped", true}});
            case IdentityStore::Dropped::only_login:
              return error_response(409, "only_login",
                                    "this is your only way to log in: choose a password, or link another one, first");
            case IdentityStore::Dropped::unknown: break;
          }
          return error_response(404, "no_identity", "your account has no such sign-on");
        });
  }

 private:
  [[nodiscard]] std::string redirect_uri(const OidcProvider& provider) const {
    return fmt::format("{}/api/sso/{}/callback", on_.config().base_url, provider.id);
  }

  /// Runs on a thread that may wait; answered already if there is none.
  void work(const CallPtr& call, const ReplyPtr& reply, std::function<void(const std::stop_token&)> job) const {
    if (auto full = on_.deps().queue_work(call->client, std::move(job))) reply->send(std::move(*full));
  }

  /// What was wrong is for the operator; people are told that it did not work.
  void refuse(const ReplyPtr& reply, const OidcProvider& provider, const Error& why) const {
    on_.deps().log_event("sign_on_refused", {{"provider", provider.id}, {"what", why.message}});
    reply->send(sign_on_failed("failed"));
  }

  void send_away(const ReplyPtr& reply, const OidcProvider& provider, const Result<ProviderMetadata>& metadata,
                 const std::string& go_to, PersonId link_to) {
    if (!metadata) {
      on_.deps().log_event("provider_unreachable", {{"provider", provider.id}, {"what", metadata.error().message}});
      return reply->send(error_response(502, "provider_unreachable",
                                        fmt::format("{} cannot be reached now; try again later", provider.name)));
    }
    OidcAttempt attempt = new_attempt();
    Response response =
        json_response({{"location", authorization_url(*metadata, provider, attempt, redirect_uri(provider))}});
    auto cookie = on_.begin_flow(attempt.state, SignOn::FlowKind::oidc);
    response.headers.emplace_back("Set-Cookie", cookie.header);
    const std::string state = attempt.state;
    flows_.put(state, {std::move(attempt), provider.id, cookie.hash, go_to, link_to}, std::chrono::steady_clock::now());
    reply->send(std::move(response));
  }

  void finish(const CallPtr& call, const ReplyPtr& reply, const OidcProvider& provider, const OidcFlow& flow,
              const Json& claims) {
    const std::string subject = text_claim(claims, "sub");
    if (flow.link_to == 0) {
      return on_.arrive(call, reply,
                        {provider.name, provider.issuer, subject, suggested_name(claims), flow.go_to, std::nullopt});
    }
    // Whoever began it must still be logged in: another person's browser links nothing.
    if (!call->person || call->person->id != flow.link_to) return reply->send(sign_on_failed("expired"));
    link(reply, provider.issuer, subject, flow.link_to,
         [go_to = flow.go_to](bool linked) { return linked ? redirect(go_to) : sign_on_failed("taken"); });
  }

  void link(const ReplyPtr& reply, const std::string& issuer, const std::string& subject, PersonId person,
            std::function<Response(bool)> then) const {
    const auto linked = std::make_shared<bool>(false);
    on_.write(
        reply,
        [linked, issuer, subject, person](Store& store) {
          *linked = IdentityStore(store).add(issuer, subject, person, wall_now());
        },
        [linked, then = std::move(then)] { return then(*linked); });
  }

  /// What is wrong, or nothing: then there is an account with its identity and a session.
  [[nodiscard]] static std::optional<Response> add_account(Store& store, PersonId guest, const std::string& name,
                                                           const Arrival& who, const std::string& session,
                                                           PersonId& made) {
    const WallTime now = wall_now();
    if (IdentityStore(store).find(who.issuer, who.subject)) return identity_taken();
    if (store.person_named(name)) {
      return error_response(409, "name_taken", fmt::format("the name {} is taken", in_quotes(name)));
    }
    const PersonId person = guest != 0 ? guest : store.add_guest(now).id;
    const auto member = store.make_member(person, name, "");
    if (!member) return error_response(409, "name_taken", member.error().message);
    static_cast<void>(IdentityStore(store).add(who.issuer, who.subject, person, now));
    store.end_sessions(person, "");
    store.add_session(person, session, now, session_end(now));
    made = person;
    return std::nullopt;
  }

  /// A launch is still needed to enter the class.
  void leave_arrival(const Call& call) {
    const Arrival* arrived = on_.arrival(call.request);
    if (arrived != nullptr && !arrived->launch) on_.end_arrival(call.request);
  }

  [[nodiscard]] Json launch_json(const Call& call, const LtiLaunch& launch) const {
    const auto course = LtiStore(on_.deps().reader).find(launch.course);
    Json classes = Json::array();
    if (!course && launch.teacher && call.person) {
      for (const ClassRow& row : ClassStore(on_.deps().reader).taught_by(call.person->id)) {
        classes.push_back({{"id", row.id}, {"name", row.name}});
      }
    }
    return {{"course", launch.title},
            {"role", launch.teacher ? "teacher" : "learner"},
            {"class", course ? Json(course->class_id) : Json(nullptr)},
            {"classes", classes}};
  }

  SignOn& on_;
  OidcClient client_;
  OnceMap<OidcFlow> flows_;  // by state
};

}  // namespace

std::vector<Route> sign_on_routes(SignOn& sign_on) {
  const auto api = std::make_shared<SignOnApi>(sign_on);
  const auto late = [api](void (SignOnApi::*function)(const CallPtr&, const ReplyPtr&)) -> LateHandler {
    return [api, function](const CallPtr& call, const ReplyPtr& reply) { ((*api).*function)(call, reply); };
  };
  const auto quick = [api](Response (SignOnApi::*function)(const Call&) const) -> QuickHandler {
    return [api, function](const Call& call) { return ((*api).*function)(call); };
  };
  return {
      {"GET", "/api/sso", Rate::reading, Need::nobody, quick(&SignOnApi::providers)},
      {"POST", "/api/sso/{provider}/begin", Rate::secrets, Need::nobody, late(&SignOnApi::begin)},
      {"GET", "/api/sso/{provider}/callback", Rate::secrets, Need::nobody, late(&SignOnApi::come_back)},
      {"GET", "/api/sso/arrival", Rate::reading, Need::nobody, quick(&SignOnApi::arrival)},
      {"POST", "/api/sso/arrival/account", Rate::secrets, Need::nobody, late(&SignOnApi::make_account)},
      {"POST", "/api/sso/arrival/link", Rate::secrets, Need::member, late(&SignOnApi::link_arrival)},
      {"GET", "/api/account/identities", Rate::reading, Need::member, quick(&SignOnApi::identities)},
      {"DELETE", "/api/account/identities/{identity}", Rate::secrets, Need::member, late(&SignOnApi::drop_identity)},
  };
}

}  // namespace paika::server
