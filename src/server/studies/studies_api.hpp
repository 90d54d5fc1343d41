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
  std::function<void(std::function<void()>)> post;  // to the network thread, from any
  QueueWork queue_work;
  std::function<void(std::string_view, const Json& fields)> log_event;
};

[[nodiscard]] std::vector<Route> study_routes(const StudiesDeps& deps);

}  // namespace paika::server
