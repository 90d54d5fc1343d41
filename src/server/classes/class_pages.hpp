// What people of a class see: pages, reports, games, and the teacher's export. All of it only reads.
#pragma once

#include <vector>

#include "server/classes/ladder.hpp"
#include "server/http/route.hpp"

namespace paika::server {

[[nodiscard]] std::vector<Route> class_page_routes(const Ladder& ladder);

/// GET …/export.csv, …/export.json and …/submissions.tar, for the teacher.
[[nodiscard]] std::vector<Route> class_export_routes();

/// JSON with a tag: who has it already gets 304.
[[nodiscard]] Response tagged_json(const Call& call, const Json& body);

}  // namespace paika::server
