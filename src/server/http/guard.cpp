#include "server/http/guard.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "base/base64.hpp"
#include "base/check.hpp"
#include "base/text.hpp"
#include "server/http/address.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

bool is_safe(std::string_view method) noexcept { return method == "GET" || method == "HEAD" || method == "OPTIONS"; }

/// A Host as it may stand in a policy: nothing in it could begin another rule.
bool is_host(std::string_view text) noexcept {
  return !text.empty() && text.size() <= 255 && std::all_of(text.begin(), text.end(), [](char c) {
    const char low = lowered(c);
    return (low >= 'a' && low <= 'z') || is_digit(c) || c == '.' || c == '-' || c == ':' || c == '[' || c == ']';
  });
}

/// A Host without its port and without the brackets of IPv6; "" if it is no such thing.
std::string_view name_of(std::string_view host) noexcept {
  const bool bracketed = host.starts_with('[');
  const std::size_t end = bracketed ? host.find(']') : host.find(':');
  if (bracketed && end == std::string_view::npos) return {};
  const std::string_view name = bracketed ? host.substr(1, end - 1) : host.substr(0, end);
  const std::string_view port = host.substr(std::min(host.size(), bracketed ? end + 1 : end));
  const bool good = port.empty() || (port[0] == ':' && std::all_of(port.begin() + 1, port.end(), is_digit));
  return good ? name : std::string_view();
}

bool is_this_machine(std::string_view host) {
  const std::string name = lowered(name_of(host));
  return name == "localhost" || is_loopback(name);
}

bool says(const Response& response, std::string_view name) {
  return std::any_of(response.headers.begin(), response.headers.end(),
                     [&](const auto& header) { return lowered(header.first) == name; });
}

std::string content_policy(const Request& request) {
  const std::string host = lowered(request.header("host"));
  // 'self' means web sockets too, but not to older browsers of Apple.
  const std::string sockets = is_host(host) ? fmt::format(" ws://{0} wss://{0}", host) : "";
  return fmt::format(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
      "connect-src 'self'{}; font-src 'self'; media-src 'self'; worker-src 'self'; manifest-src 'self'; "
      "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      sockets);
}

}  // namespace

Guard::Guard(GuardSettings settings) : settings_(std::move(settings)) {}

bool Guard::is_ours(const Request& request, std::string_view origin) const {
  if (!settings_.origins.empty())
    return std::find(settings_.origins.begin(), settings_.origins.end(), origin) != settings_.origins.end();
  const std::string host = lowered(request.header("host"));
  if (!is_host(host)) return false;
  return origin == "https://" + host || (!request.secure && origin == "http://" + host);
}

std::optional<Response> Guard::refuse_host(const Request& request) const {
  if (settings_.loopback && settings_.origins.empty() && !is_this_machine(request.header("host")))
    return error_response(421, "wrong_host",
                          fmt::format("this server is not {}; it answers to localhost, 127.0.0.1 and [::1]. Behind a "
                                      "proxy, give it the origins of its pages with --origin",
                                      in_quotes(request.header("host"), 80)));
  return std::nullopt;
}

std::optional<Response> Guard::refuse(const Request& request, bool web_socket) const {
  if (auto refused = refuse_host(request)) return refused;
  if (is_safe(request.method) && !web_socket) return std::nullopt;
  const std::string_view origin = request.header("origin");
  if (origin.empty()) {
    if (request.cookie(session_cookie).empty() || !bearer(request).empty()) return std::nullopt;
    return error_response(403, "wrong_origin",
                          "a request with a session's cookie must say its Origin; programs use a "
                          "token in Authorization instead");
  }
  if (is_ours(request, origin)) return std::nullopt;
  return error_response(403, "wrong_origin", fmt::format("pages of {} may not use this server", in_quotes(origin, 80)));
}

void add_security_headers(const Request& request, Response& response) {
  auto& headers = response.headers;
  if (!says(response, "content-security-policy")) {
    headers.emplace_back("Content-Security-Policy", content_policy(request));
  }
  headers.emplace_back("X-Content-Type-Options", "nosniff");
  headers.emplace_back("Referrer-Policy", "no-referrer");
  headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  headers.emplace_back("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()");
  if (request.secure) headers.emplace_back("Strict-Transport-Security", "max-age=31536000");
  if (!says(response, "cache-control")) headers.emplace_back("Cache-Control", "no-store");
}

std::string session_cookie_header(const Request& request, std::string_view secret, std::chrono::seconds age) {
  PAIKA_CHECK(std::all_of(secret.begin(), secret.end(), [](char c) {
    const char low = lowered(c);
    return (low >= 'a' && low <= 'z') || is_digit(c) || c == '-' || c == '_';
  }));
  return fmt::format("{}={}; Path=/; Max-Age={}; HttpOnly; SameSite=Lax{}", session_cookie, secret,
                     secret.empty() ? 0 : std::max<std::int64_t>(0, age.count()), request.secure ? "; Secure" : "");
}

std::optional<BasicLogin> basic_login(const Request& request) {
  std::string_view value = request.header("authorization");
  if (lowered(take_word(value)) != "basic") return std::nullopt;
  const auto text = from_base64(trimmed(value));
  const std::size_t colon = text ? text->find(':') : std::string::npos;
  if (colon == std::string::npos) return std::nullopt;
  return BasicLogin{text->substr(0, colon), text->substr(colon + 1)};
}

std::string token_of(const Request& request) {
  if (request.path.starts_with("/git/")) {
    const auto login = basic_login(request);
    return login ? login->password : "";
  }
  return std::string(bearer(request));
}

std::string_view bearer(const Request& request) {
  std::string_view value = request.header("authorization");
  const std::string_view scheme = take_word(value);
  return lowered(scheme) == "bearer" ? trimmed(value) : std::string_view();
}

}  // namespace paika::server
