// SignOn: what sign-on by OpenID Connect and launches by LTI have in common: whom they need, people who have just
// arrived, and the cookies that tie a flow to one browser.
//
// Everything here runs on the network thread; what waits for other servers goes through `queue_work`.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/route.hpp"
#include "server/sso/config.hpp"
#include "server/sso/http_client.hpp"
#include "server/sso/key_source.hpp"
#include "server/sso/once_map.hpp"
#include "server/sso/tool_keys.hpp"
#include "server/store/lti.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

/// What sign-on needs; all of it outlives it.
struct SignOnDeps {
  Store& reader;  // for the network thread
  Writer& writer;
  std::function<void(std::function<void()>)> post;  // to the network thread, from any
  /// To a thread that may wait for other servers; the response says what is full if it is not taken.
  std::function<std::optional<Response>(const Client&, std::function<void(const std::stop_token&)>)> queue_work;
  std::function<void(std::string_view, const Json& fields)> log_event;
  std::function<void(PersonId)> on_sessions_ended;
  std::function<void()> on_class_joined;
  std::string database;
};

using CallPtr = std::shared_ptr<const Call>;
using ReplyPtr = std::shared_ptr<Reply>;

/// A launch from a course.
struct LtiLaunch {
  CourseKey course;
  std::string title;
  std::string line_items;  // where columns of grades are made, if we may
  std::string line_item;   // the column of this link
  bool teacher = false;
  bool learner = false;
  std::string name;  // of the person, for the class
};

/// Somebody for whom an issuer has vouched.
struct Arrival {
  std::string provider;  // what the issuer is called
  std::string issuer;
  std::string subject;
  std::string suggested_name;
  std::string go_to = "/";  // a path of ours
  std::optional<LtiLaunch> launch;
};

inline constexpr std::string_view welcome_path = "/welcome";

class SignOn {
 public:
  /// `keys` are needed where there are platforms.
  SignOn(SsoConfig config, SignOnDeps deps, std::unique_ptr<ToolKeys> keys);
  SignOn(const SignOn&) = delete;
  SignOn& operator=(const SignOn&) = delete;
  ~SignOn() = default;

  [[nodiscard]] const SsoConfig& config() const noexcept { return config_; }
  [[nodiscard]] const SignOnDeps& deps() const noexcept { return deps_; }
  [[nodiscard]] const SendOutside& send() const noexcept { return send_; }
  [[nodiscard]] KeySource& keys() noexcept { return key_source_; }
  [[nodiscard]] ToolKeys* tool_keys() noexcept { return tool_keys_.get(); }

  /// Commits something, then answers with what `then` makes.
  void write(const ReplyPtr& reply, Writer::Job job, std::function<Response()> then) const;

  /// A browser comes with somebody's identity: who is known gets a session, others are asked who they want to be. Both
  /// are redirected.
  void arrive(const CallPtr& call, const ReplyPtr& reply, Arrival arrival);
  /// The arrival of this browser; nullptr if there is none, or if it is too long ago.
  [[nodiscard]] Arrival* arrival(const Request& request);
  void end_arrival(const Request& request);

  // ---- Flows: from the moment a browser is sent away until it comes back ----

  /// Where a cookie is sent, and whether also when a page of others posts a form.
  enum class FlowKind : unsigned char { oidc, lti };
  /// The cookie that ties a flow to the browser which began it, and what is remembered of it.
  struct FlowCookie {
    std::string hash;
    std::string header;
  };
  [[nodiscard]] FlowCookie begin_flow(std::string_view state, FlowKind kind) const;
  [[nodiscard]] static bool is_same_browser(const Request& request, std::string_view state, std::string_view hash);

 private:
  [[nodiscard]] std::string cookie(std::string_view name, std::string_view value, FlowKind kind,
                                   std::chrono::seconds age) const;
  void sign_in(const CallPtr& call, const ReplyPtr& reply, const Person& person, std::int64_t identity,
               const std::string& go_to, const std::vector<std::string>& cookies);

  SsoConfig config_;
  SignOnDeps deps_;
  SendOutside send_;
  KeySource key_source_;
  std::unique_ptr<ToolKeys> tool_keys_;
  OnceMap<Arrival> arrivals_;  // by the hash of the cookie's secret
};

/// 303: the browser goes there by GET.
[[nodiscard]] Response redirect(const std::string& location);
/// To our page that says what went wrong, by a code that it has words for.
[[nodiscard]] Response sign_on_failed(std::string_view code);
/// True for "/path?query" of ours: nothing that a browser could take for another server.
[[nodiscard]] bool is_local_path(std::string_view text);

/// The routes under /api/sso and /api/account/identities.
[[nodiscard]] std::vector<Route> sign_on_routes(SignOn& sign_on);

}  // namespace paika::server
