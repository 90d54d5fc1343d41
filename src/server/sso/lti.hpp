// LTI 1.3: launches from learning platforms, courses and their classes, grades for them (docs/single-sign-on.md).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/json.hpp"
#include "server/http/route.hpp"
#include "server/sso/sign_on.hpp"

namespace paika::server {

/// What a launch says, from the verified claims of its token. An error if it is no launch that we know, from another
/// deployment, or for neither teachers nor learners.
[[nodiscard]] Result<Arrival> read_launch(const Json& claims, const LtiPlatform& platform, const std::string& base_url);

/// By what a class's grade is counted.
enum class GradeBy : unsigned char {
  check,  // all or nothing: a bot of the member has passed the check and is on the ladder
  points  // the share of points (a win 1, a draw one half) that the member's bot has made on the ladder
};
/// Grades from 0 to 100 of every member of a class.
[[nodiscard]] std::vector<Grade> class_grades(ClassStore& classes, const ClassRow& row, GradeBy by);

/// The routes under /api/lti and /api/classes/{class}/lti. `poke_sender` is called when grades wait.
[[nodiscard]] std::vector<Route> lti_routes(SignOn& sign_on, std::function<void()> poke_sender);

}  // namespace paika::server
