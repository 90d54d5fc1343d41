#include "server/sso/sign_on.hpp"

#include <algorithm>
#include <utility>

#include "server/http/answers.hpp"
#include "server/http/guard.hpp"
#include "server/store/identities.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_arrivals = 10'000;
constexpr std::chrono::minutes arrival_time(30);
constexpr std::chrono::minutes flow_time(10);
constexpr std::string_view arrival_cookie = "paika_arrival";
constexpr std::size_t state_digits = 12;  // of a state, in the name of its cookie: two tabs do not disturb each other

std::string flow_cookie_name(std::string_view state) {
  return fmt::format("paika_flow_{}", state.substr(0, state_digits));
}

}  // namespace

SignOn::SignOn(SsoConfig config, SignOnDeps deps, std::unique_ptr<ToolKeys> keys)
    : config_(std::move(config)),
      deps_(std::move(deps)),
      send_(curl_sender(config_.ca_file)),
      key_source_(send_),
      tool_keys_(std::move(keys)),
      arrivals_(max_arrivals, arrival_time) {}

void SignOn::write(const ReplyPtr& reply, Writer::Job job, std::function<Response()> then) const {
  deps_.writer.submit(std::move(job), [this, reply, then = std::move(then)](const auto& failure) {
    if (failure) deps_.log_event("sign_on_not_committed", {{"what", *failure}});
    reply->send(
        failure ? error_response(503, "storage", "the server could not save this; nothing has changed, try again later")
                : then());
  });
}

void SignOn::arrive(const CallPtr& call, const ReplyPtr& reply, Arrival arrival) {
  std::optional<IdentityRow> identity;
  std::optional<Person> person;
  try {
    identity = IdentityStore(deps_.reader).find(arrival.issuer, arrival.subject);
    if (identity) person = deps_.reader.person(identity->person);
  } catch (const StoreError& error) {
    deps_.log_event("storage_failed", {{"what", error.what()}});
    return reply->send(error_response(503, "storage", "the server cannot read its storage now"));
  }
  if (person && person->banned) return reply->send(sign_on_failed("banned"));
  std::vector<std::string> cookies;
  const std::string go_to = person && !arrival.launch ? arrival.go_to : std::string(welcome_path);
  if (!person || arrival.launch) {
    const std::string secret = random_secret();
    arrivals_.put(secret_hash(secret), std::move(arrival), std::chrono::steady_clock::now());
    cookies.push_back(fmt::format("{}={}; Path=/api; Max-Age={}; HttpOnly; SameSite=Lax{}", arrival_cookie, secret,
                                  std::chrono::seconds(arrival_time).count(),
                                  config_.base_url.starts_with("https:") ? "; Secure" : ""));
  }
  if (person) return sign_in(call, reply, *person, identity->id, go_to, cookies);
  Response response = redirect(go_to);
  for (const std::string& cookie : cookies) response.headers.emplace_back("Set-Cookie", cookie);
  reply->send(std::move(response));
}

void SignOn::sign_in(const CallPtr& call, const ReplyPtr& reply, const Person& person, std::int64_t identity,
                     const std::string& go_to, const std::vector<std::string>& cookies) {
  const std::string secret = random_secret();
  write(
      reply,
      [id = person.id, identity, hash = secret_hash(secret),
       before = secret_hash(call->request.cookie(session_cookie))](Store& store) {
        const WallTime now = wall_now();
        IdentityStore(store).set_used(identity, now);
        store.end_session(before);
        store.add_session(id, hash, now, session_end(now));
      },
      [call, secret, go_to, cookies] {
        Response response = redirect(go_to);
        response.headers.emplace_back("Set-Cookie", session_cookie_header(call->request, secret, session_age));
        for (const std::string& cookie : cookies) response.headers.emplace_back("Set-Cookie", cookie);
        return response;
      });
}

Arrival* SignOn::arrival(const Request& request) {
  const std::string_view secret = request.cookie(arrival_cookie);
  if (secret.empty()) return nullptr;
  return arrivals_.find(secret_hash(secret), std::chrono::steady_clock::now());
}

void SignOn::end_arrival(const Request& request) {
  static_cast<void>(arrivals_.take(secret_hash(request.cookie(arrival_cookie)), std::chrono::steady_clock::now()));
}

SignOn::FlowCookie SignOn::begin_flow(std::string_view state, FlowKind kind) const {
  const std::string secret = random_secret();
  return {secret_hash(secret), cookie(flow_cookie_name(state), secret, kind, flow_time)};
}

bool SignOn::is_same_browser(const Request& request, std::string_view state, std::string_view hash) {
  const std::string_view secret = request.cookie(flow_cookie_name(state));
  return !secret.empty() && secret_hash(secret) == hash;
}

std::string SignOn::cookie(std::string_view name, std::string_view value, FlowKind kind,
                           std::chrono::seconds age) const {
  // A platform posts the launch from its own page: only a cookie for other sites' pages comes with it.
  const bool lti = kind == FlowKind::lti;
  const bool secure = lti || config_.base_url.starts_with("https:");
  return fmt::format("{}={}; Path={}; Max-Age={}; HttpOnly; SameSite={}{}", name, value, lti ? "/api/lti" : "/api/sso",
                     age.count(), lti ? "None" : "Lax", secure ? "; Secure" : "");
}

Response redirect(const std::string& location) {
  return {303, "text/plain; charset=utf-8", "", {{"Location", location}}};
}

Response sign_on_failed(std::string_view code) { return redirect(fmt::format("{}?error={}", welcome_path, code)); }

bool is_local_path(std::string_view text) {
  constexpr std::size_t max_path = 500;
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f && c != '\\'; });
  return plain && text.size() <= max_path && text.starts_with('/') && !text.starts_with("//");
}

}  // namespace paika::server
