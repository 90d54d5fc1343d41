#include "server/api/position_site.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "server/http/answers.hpp"
#include "server/http/target.hpp"

namespace paika::server {

namespace {

Response run(const Route& route, const Call& call, const StreamHandler::Emit& emit, const std::stop_token& stop) {
  if (const auto* quick = std::get_if<QuickHandler>(&route.handler)) return (*quick)(call);
  if (const auto* pure = std::get_if<PureHandler>(&route.handler)) return pure->run(call);
  if (const auto* stream = std::get_if<StreamHandler>(&route.handler)) {
    const auto work = stream->prepare(call);
    if (!work) return work.error();
    (*work)(emit, stop);
    return {};
  }
  return error_response(501, "no_server", "this needs the server");
}

}  // namespace

PositionSite::PositionSite(const PositionApi& api) { router_.add(position_routes(api)); }

Response PositionSite::answer(std::string_view method, std::string_view target, std::string_view body,
                              const StreamHandler::Emit& emit, const std::stop_token& stop) const {
  auto parsed = parse_target(target);
  if (!parsed) return bad_request(parsed.error());
  auto found = router_.find(method, parsed->path);
  if (!found || found->route == nullptr) return error_response(404, "no_path", "this needs the server");
  Call call{{}, std::move(found->params), Json::object(), std::nullopt, {}};
  call.request.method = method;
  call.request.path = std::move(parsed->path);
  call.request.query = std::move(parsed->query);
  if (!body.empty()) {
    auto object = read_object(body);
    if (!object) return bad_request(object.error());
    call.body = std::move(*object);
  }
  return run(*found->route, call, emit, stop);
}

}  // namespace paika::server
