// The routes under /api/studies: who may read and change which study, and within which limits.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "server/http/route.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

/// What the functions about studies need; all of it outlives them.
struct StudiesDeps {
  Writer& writer;
  std::function<void(std::function<void()>)> post;        // to the network thread, from any
  std::function<bool(std::function<void()>)> queue_work;  // to a thread that may take its time; false: too busy
  std::function<void(std::string_view, const Json& fields)> log_event;
};

[[nodiscard]] std::vector<Route> study_routes(const StudiesDeps& deps);

}  // namespace paika::server
