// The routes under /api/classes: classes for teachers and students (docs/classes.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/classes/ladder.hpp"
#include "server/http/route.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

/// What the functions about classes need; all of it outlives them.
struct ClassesDeps {
  Writer& writer;
  Ladder& ladder;
  std::function<void(std::function<void()>)> post;  // to the network thread, from any
  QueueWork queue_work;
  std::function<void(std::string_view, const Json& fields)> log_event;  // to the log
  bool approved_teachers = false;  // only people whom an operator has approved open classes
};

[[nodiscard]] std::vector<Route> class_routes(const ClassesDeps& deps);

/// What is kept of a person in classes, as the JSON object {taught, joined} in parts, for the export of an account; as
/// `part` of pieces_of().
[[nodiscard]] std::function<std::optional<std::string>(Store&)> classes_of_person(PersonId person);

}  // namespace paika::server
