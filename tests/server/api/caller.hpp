// Calling the handlers of routes as the site would, without a site.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "server/api/positions.hpp"

namespace paika_tests {

using paika::Json;
using paika::server::Call;
using paika::server::Response;
using Texts = std::map<std::string, std::string, std::less<>>;

/// What came back.
struct Answered {
  int status = 0;
  std::string type;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;

  [[nodiscard]] Json json() const { return Json::parse(body); }
  [[nodiscard]] std::string code() const { return json().at("error").at("code").get<std::string>(); }
  [[nodiscard]] std::string message() const { return json().at("error").at("message").get<std::string>(); }
  [[nodiscard]] std::string header(std::string_view name) const {
    const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto& h) { return h.first == name; });
    return found == headers.end() ? "" : found->second;
  }
};

class Caller {
 public:
  explicit Caller(const paika::server::PositionApi& api = {}) : routes_(paika::server::position_routes(api)) {}

  [[nodiscard]] const std::vector<paika::server::Route>& routes() const { return routes_; }

  Answered get(const std::string& pattern, const Texts& params = {}, const Texts& query = {},
               const Texts& headers = {}) const {
    Call call;
    call.request.method = "GET";
    call.request.query = query;
    call.request.headers = headers;
    call.params = params;
    return run("GET", pattern, call);
  }
  Answered post(const std::string& pattern, const Json& body) const {
    Call call;
    call.request.method = "POST";
    call.body = body;
    return run("POST", pattern, call);
  }

  /// The lines of a stream; `emit` may refuse one.
  std::pair<std::vector<Json>, std::optional<Response>> stream(const std::string& pattern, const Json& body,
                                                               const std::function<bool(const Json&)>& emit = {},
                                                               const std::stop_token& stop = {}) const {
    Call call;
    call.body = body;
    std::vector<Json> lines;
    const auto& handler = std::get<paika::server::StreamHandler>(find("POST", pattern).handler);
    const auto work = handler.prepare(call);
    if (!work) return {std::move(lines), work.error()};
    (*work)(
        [&](const std::string& line) {
          if (line.find('\n') != std::string::npos) throw std::runtime_error("a line with a line end");
          lines.push_back(Json::parse(line));
          return !emit || emit(lines.back());
        },
        stop);
    return {std::move(lines), std::nullopt};
  }

 private:
  [[nodiscard]] const paika::server::Route& find(std::string_view method, std::string_view pattern) const {
    const auto found = std::find_if(routes_.begin(), routes_.end(),
                                    [&](const auto& r) { return r.method == method && r.pattern == pattern; });
    if (found == routes_.end()) throw std::runtime_error("no such route");
    return *found;
  }

  Answered run(std::string_view method, std::string_view pattern, const Call& call) const {
    const auto& handler = find(method, pattern).handler;
    Response response;
    if (const auto* const quick = std::get_if<paika::server::QuickHandler>(&handler)) {
      response = (*quick)(call);
    } else {
      response = std::get<paika::server::PureHandler>(handler).run(call);
    }
    return {response.status, response.type, response.body, response.headers};
  }

  std::vector<paika::server::Route> routes_;
};

/// Made once: it writes out every demonstration.
inline const Caller& api() {
  static const Caller caller;
  return caller;
}

}  // namespace paika_tests
