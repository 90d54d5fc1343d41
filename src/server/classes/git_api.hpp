// The routes under /git: the repositories of a class's members (docs/classes.md), for git's own clients.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "server/classes/ladder.hpp"
#include "server/git/repositories.hpp"
#include "server/http/route.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

/// What the paths of repositories begin with.
inline constexpr std::string_view git_prefix = "/git/";

/// What the functions need; all of it outlives them.
struct GitDeps {
  Repositories& repositories;
  Ladder& ladder;
  Writer& writer;
  std::string database;                             // threads of the queues read it
  std::function<void(std::function<void()>)> post;  // to the network thread, from any
  /// To a thread that may take its time, of those that push or of those that read; else the response that refuses it.
  std::function<std::optional<Response>(const Client&, bool push, std::function<void(const std::stop_token&)>)> queue;
  std::function<void(std::string_view, const Json& fields)> log_event;
};

[[nodiscard]] std::vector<Route> git_routes(const GitDeps& deps);

/// The environment of `git http-backend` for a request. `repository` is its name under `root`; `service` is
/// "git-receive-pack" or "git-upload-pack", `discovering` whether the request asks for its references.
[[nodiscard]] std::vector<std::string> cgi_variables(const Request& request, const std::string& root,
                                                     const std::string& repository, const std::string& service,
                                                     bool discovering);

}  // namespace paika::server
