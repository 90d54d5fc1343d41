// Guard: which requests are turned away before anything looks at them, and what every response says to browsers.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/site.hpp"
#include "server/store/store.hpp"

namespace paika::server {

/// The name of the cookie with a session's secret.
inline constexpr std::string_view session_cookie = "paika_session";

/// How long a session lasts.
inline constexpr std::chrono::seconds session_age = std::chrono::hours(24 * 90);
[[nodiscard]] inline WallTime session_end(WallTime now) { return now + std::chrono::milliseconds(session_age).count(); }

struct GuardSettings {
  /// Those of the pages that may use the server, as browsers send them ("https://play.example.org"); none: only pages
  /// of the server itself, that is whose origin is http(s):// and the request's Host.
  std::vector<std::string> origins;
  /// The server listens on this machine's own address only (is_loopback() of server/http/address.hpp). Then, without
  /// origins, it answers to the names of this machine alone (localhost, 127.…, [::1], with any port): otherwise a
  /// foreign page could let its own name point to 127.0.0.1 and would be a page of ours.
  bool loopback = false;
};

class Guard {
 public:
  explicit Guard(GuardSettings settings);

  /// Nothing if the request may be looked at. An unsafe one (not GET, HEAD, OPTIONS) and a web socket must come from
  /// a page of ours: its Origin, if it sends one, must be exactly right, and with the session's cookie it must send
  /// one. Who has a token in Authorization needs none: browsers do not send those by themselves. The code of what is
  /// refused is "wrong_host" (421) or "wrong_origin" (403).
  [[nodiscard]] std::optional<Response> refuse(const Request& request, bool web_socket) const;
  /// The same without a look at where it comes from, for what pages of others may post (Body::foreign_form).
  [[nodiscard]] std::optional<Response> refuse_host(const Request& request) const;

  [[nodiscard]] bool is_ours(const Request& request, std::string_view origin) const;

 private:
  GuardSettings settings_;
};

/// Adds what every response says: Content-Security-Policy (only our own scripts, styles, pictures and connections,
/// and WebAssembly; no frames), X-Content-Type-Options, Referrer-Policy, Cross-Origin-Opener-Policy,
/// Cross-Origin-Resource-Policy, Permissions-Policy; Strict-Transport-Security if it came by https; Cache-Control:
/// no-store where nothing else is said.
void add_security_headers(const Request& request, Response& response);

/// Set-Cookie for a session: HttpOnly, SameSite=Lax, Path=/, Secure if it came by https; an empty secret ends it.
/// Requires a secret of letters, digits, '-' and '_'.
[[nodiscard]] std::string session_cookie_header(const Request& request, std::string_view secret,
                                                std::chrono::seconds age);

/// What "Authorization: Basic …" says; nothing if there is none.
struct BasicLogin {
  std::string name;
  std::string password;
};
[[nodiscard]] std::optional<BasicLogin> basic_login(const Request& request);

/// The token of a program: the secret of "Authorization: Bearer …" or, for git, which knows nothing else, the password
/// of "Authorization: Basic …" under /git/; "" if there is none. Elsewhere Basic counts for nothing: browsers send it
/// by themselves.
[[nodiscard]] std::string token_of(const Request& request);

/// The secret in "Authorization: Bearer …"; "" if there is none.
[[nodiscard]] std::string_view bearer(const Request& request);

}  // namespace paika::server
