// Who may use the server from a browser, and what browsers are told.
#include "server/http/guard.hpp"

#include <gtest/gtest.h>

namespace paika::server {
namespace {

Request made(std::string method, std::map<std::string, std::string, std::less<>> headers, bool secure = false) {
  Request request;
  request.method = std::move(method);
  request.headers = std::move(headers);
  request.headers.emplace("host", "play.example.org");
  request.secure = secure;
  return request;
}

int status(const Guard& guard, const Request& request, bool web_socket = false) {
  const auto refused = guard.refuse(request, web_socket);
  return refused ? refused->status : 0;
}

TEST(Guards, own_pages_are_those_of_the_host) {
  const Guard guard{GuardSettings{}};
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "TRACE", "get"}) {
    EXPECT_EQ(status(guard, made(method, {{"origin", "http://play.example.org"}})), 0) << method;
    EXPECT_EQ(status(guard, made(method, {{"origin", "https://play.example.org"}})), 0);
    for (const char* foreign :
         {"http://evil.example", "null", "http://play.example.org.evil.example", "http://play.example.org:81",
          "http://PLAY.example.org", "http://play.example.org/", "play.example.org", "ftp://play.example.org",
          "http://evil.example#http://play.example.org", " http://play.example.org", "http://"})
      EXPECT_EQ(status(guard, made(method, {{"origin", foreign}})), 403) << foreign;
  }
  EXPECT_EQ(status(guard, made("POST", {{"origin", "http://play.example.org"}}, true)), 403);
  EXPECT_EQ(status(guard, made("POST", {{"origin", "https://play.example.org"}}, true)), 0);
  EXPECT_EQ(status(guard, made("POST", {{"origin", "http://a:8080"}, {"host", "A:8080"}})), 0);
  EXPECT_EQ(status(guard, made("POST", {{"origin", "http://"}, {"host", ""}})), 403);
  EXPECT_EQ(status(guard, made("POST", {{"origin", "http://a b"}, {"host", "a b"}})), 403);
  const auto refused = guard.refuse(made("POST", {{"origin", "http://evil.example"}}), false);
  EXPECT_NE(refused->body.find("\"wrong_origin\""), std::string::npos);
}

TEST(Guards, safe_requests_are_free_but_sockets_are_not) {
  const Guard guard{GuardSettings{}};
  for (const char* method : {"GET", "HEAD", "OPTIONS"}) {
    EXPECT_EQ(status(guard, made(method, {{"origin", "http://evil.example"}})), 0);
    EXPECT_EQ(status(guard, made(method, {{"cookie", "paika_session=x"}})), 0);
  }
  EXPECT_EQ(status(guard, made("GET", {{"origin", "http://evil.example"}}), true), 403);
  EXPECT_EQ(status(guard, made("GET", {{"origin", "http://play.example.org"}}), true), 0);
  EXPECT_EQ(status(guard, made("GET", {}), true), 0);
  EXPECT_EQ(status(guard, made("GET", {{"cookie", "paika_session=x"}}), true), 403);
}

TEST(Guards, a_cookie_needs_an_origin_and_a_token_does_not) {
  const Guard guard{GuardSettings{}};
  EXPECT_EQ(status(guard, made("POST", {{"cookie", "a=b; paika_session=x"}})), 403);
  EXPECT_EQ(status(guard, made("POST", {{"cookie", "other=x"}})), 0);
  EXPECT_EQ(status(guard, made("POST", {{"cookie", "paika_session=x"}, {"origin", "http://play.example.org"}})), 0);
  EXPECT_EQ(status(guard, made("POST", {{"cookie", "paika_session=x"}, {"authorization", "Bearer t"}})), 0);
  EXPECT_EQ(status(guard, made("POST", {{"cookie", "paika_session=x"}, {"authorization", "Basic t"}})), 403);
  EXPECT_EQ(status(guard, made("POST", {{"authorization", "Bearer t"}, {"origin", "http://evil.example"}})), 403);
}

TEST(Guards, named_origins_are_the_only_ones) {
  const Guard guard{{{"https://one.example", "https://two.example:8443"}, true}};
  EXPECT_EQ(status(guard, made("POST", {{"origin", "https://one.example"}})), 0);
  EXPECT_EQ(status(guard, made("POST", {{"origin", "https://two.example:8443"}})), 0);
  for (const char* foreign : {"http://one.example", "https://two.example", "https://play.example.org"})
    EXPECT_EQ(status(guard, made("POST", {{"origin", foreign}})), 403) << foreign;
}

TEST(Guards, a_local_server_answers_to_local_names_only) {
  const Guard guard{{{}, true}};
  for (const char* own :
       {"localhost", "localhost:8080", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8080", "[::1]", "[::1]:80"}) {
    EXPECT_EQ(status(guard, made("GET", {{"host", own}})), 0) << own;
    EXPECT_EQ(status(guard, made("POST", {{"host", own}})), 0) << own;
  }
  for (const char* foreign :
       {"evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "", "10.0.0.1",
        "[::2]", "[", "[]", ":", "[::1", "localhost@evil.example", "[::1]x", "127.0.0.1:80.evil.example"}) {
    const Request request = made("GET", {{"host", foreign}});
    EXPECT_EQ(status(guard, request), 421) << foreign;
  }
  // The page of a name that was made to point here.
  const auto refused = guard.refuse(made("GET", {{"host", "evil.example"}, {"origin", "http://evil.example"}}), true);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 421);
  EXPECT_NE(refused->body.find("\"wrong_host\""), std::string::npos);
  EXPECT_EQ(status(Guard{GuardSettings{}}, made("GET", {{"host", "any.example"}})), 0);
}

std::map<std::string, std::string> told(const Request& request, Response response = {}) {
  add_security_headers(request, response);
  return {response.headers.begin(), response.headers.end()};
}

TEST(SecurityHeaders, are_strict) {
  auto headers = told(made("GET", {}));
  const std::string policy = headers["Content-Security-Policy"];
  EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';"));
  EXPECT_NE(policy.find("connect-src 'self' ws://play.example.org wss://play.example.org;"), std::string::npos);
  EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe-inline"), std::string::npos);
  EXPECT_EQ(policy.find("'unsafe-eval'"), std::string::npos);
  EXPECT_EQ(headers["X-Content-Type-Options"], "nosniff");
  EXPECT_EQ(headers["Referrer-Policy"], "no-referrer");
  EXPECT_EQ(headers["Cross-Origin-Opener-Policy"], "same-origin");
  EXPECT_EQ(headers["Cross-Origin-Resource-Policy"], "same-origin");
  EXPECT_FALSE(headers["Permissions-Policy"].empty());
  EXPECT_EQ(headers["Cache-Control"], "no-store");
  EXPECT_FALSE(headers.contains("Strict-Transport-Security"));
  EXPECT_TRUE(told(made("GET", {}, true)).contains("Strict-Transport-Security"));
  Response kept;
  kept.headers.emplace_back("cache-control", "no-cache");
  EXPECT_FALSE(told(made("GET", {}), kept).contains("Cache-Control"));
}

TEST(SecurityHeaders, a_host_cannot_write_into_the_policy) {
  for (const char* host : {"a; script-src *", "a b", "a'", "*", "a,b", "", "a/b"}) {
    const std::string policy = told(made("GET", {{"host", host}}))["Content-Security-Policy"];
    EXPECT_NE(policy.find("connect-src 'self'; font-src"), std::string::npos) << host;
  }
}

TEST(Sessions, cookies_are_closed_to_scripts) {
  const std::chrono::hours week{24 * 7};
  EXPECT_EQ(session_cookie_header(made("GET", {}), "abc-_9", week),
            "paika_session=abc-_9; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax");
  EXPECT_EQ(session_cookie_header(made("GET", {}, true), "abc", week),
            "paika_session=abc; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure");
  EXPECT_EQ(session_cookie_header(made("GET", {}), "", week),
            "paika_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
}

TEST(Sessions, tokens_are_found) {
  EXPECT_EQ(bearer(made("GET", {{"authorization", "Bearer abc"}})), "abc");
  EXPECT_EQ(bearer(made("GET", {{"authorization", "bearer  abc "}})), "abc");
  for (const char* none : {"", "Bearer", "Bearer ", "abc", "Basic abc", "Bearerabc"})
    EXPECT_EQ(bearer(made("GET", {{"authorization", none}})), "") << none;
  EXPECT_EQ(bearer(Request{}), "");
}

TEST(Guards, basic_logins_count_for_git_alone) {
  // "Ada:se:cret"
  auto request = made("GET", {{"authorization", "Basic QWRhOnNlOmNyZXQ="}});
  const auto login = basic_login(request);
  ASSERT_TRUE(login);
  EXPECT_EQ(login->name, "Ada");
  EXPECT_EQ(login->password, "se:cret");
  request.path = "/api/classes";
  EXPECT_EQ(token_of(request), "");
  request.path = "/git/x/info/refs";
  EXPECT_EQ(token_of(request), "se:cret");
  request.headers["authorization"] = "Bearer abc";
  EXPECT_EQ(token_of(request), "") << "git sends no other";
  request.path = "/api/classes";
  EXPECT_EQ(token_of(request), "abc");
  for (const char* none : {"Basic", "Basic QWRh", "Basic ???", "Bearer QWRhOnNlOmNyZXQ=", ""}) {
    EXPECT_FALSE(basic_login(made("GET", {{"authorization", none}}))) << none;
  }
}

}  // namespace
}  // namespace paika::server
