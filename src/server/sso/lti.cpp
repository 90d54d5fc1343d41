// What a launch says, and what a class's grades are.
#include "server/sso/lti.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "server/sso/id_token.hpp"

namespace paika::server {

namespace {

constexpr std::string_view claim_prefix = "https://purl.imsglobal.org/spec/lti/claim/";
constexpr std::string_view grades_claim = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint";
constexpr std::string_view membership = "http://purl.imsglobal.org/vocab/lis/v2/membership";
constexpr std::string_view score_scope = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
constexpr std::string_view line_item_scope = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem";
constexpr std::size_t max_member_name = 80;
constexpr std::size_t max_course_title = 200;
constexpr std::size_t max_context_bytes = 255;
constexpr double full_grade = 100;

/// A claim of LTI; null if there is none.
Json lti_claim(const Json& claims, std::string_view name) {
  const auto found = claims.find(std::string(claim_prefix) + std::string(name));
  return found == claims.end() ? Json() : *found;
}

/// A text within a claim that is an object.
std::string inner_text(const Json& object, const char* field) {
  return object.is_object() ? text_claim(object, field) : "";
}

/// A role in the course itself or one of its finer kinds; not one in the whole institution.
bool has_role(const Json& roles, std::string_view role) {
  const std::string plain = fmt::format("{}#{}", membership, role);
  const std::string finer = fmt::format("{}/{}#", membership, role);
  return roles.is_array() && std::any_of(roles.begin(), roles.end(), [&](const Json& given) {
           if (!given.is_string()) return false;
           const auto& text = given.get_ref<const std::string&>();
           return text == plain || text == role || text.starts_with(finer);
         });
}

/// Where grades go: only to servers of the platform, and only if it lets us.
void read_grade_services(const Json& claims, const LtiPlatform& platform, LtiLaunch& launch) {
  const auto found = claims.find(grades_claim);
  if (found == claims.end() || !found->is_object()) return;
  const Json scopes = found->value("scope", Json());
  const auto may = [&](std::string_view scope) {
    return scopes.is_array() && std::find(scopes.begin(), scopes.end(), scope) != scopes.end();
  };
  if (!may(score_scope)) return;
  const auto take = [&](const char* field) {
    const std::string url = text_claim(*found, field);
    return platform.may_receive(url) ? url : std::string();
  };
  launch.line_item = take("lineitem");
  if (may(line_item_scope)) launch.line_items = take("lineitems");
}

/// One line without what is not seen, at most so long.
std::string short_title(std::string_view text, std::size_t max_bytes) {
  std::string clean = plain_text(text);
  std::replace(clean.begin(), clean.end(), '\n', ' ');
  std::string title;
  for (std::string_view rest = trimmed(clean); !rest.empty();) {
    const std::string_view character = take_character(rest);
    if (title.size() + character.size() > max_bytes) break;
    title += character;
  }
  return title;
}

Result<void> check_message(const Json& claims, const LtiPlatform& platform, const std::string& base_url) {
  if (lti_claim(claims, "version") != "1.3.0") return fail("this is no message of LTI 1.3");
  if (lti_claim(claims, "message_type") != "LtiResourceLinkRequest") {
    return fail("the message is {}; only LtiResourceLinkRequest is understood",
                in_quotes(lti_claim(claims, "message_type").dump(), 60));
  }
  const Json deployment = lti_claim(claims, "deployment_id");
  const auto& known = platform.deployments;
  if (!deployment.is_string() || std::find(known.begin(), known.end(), deployment.get<std::string>()) == known.end()) {
    return fail("the deployment {} may not launch: it is not in the file", in_quotes(deployment.dump(), 80));
  }
  const Json target = lti_claim(claims, "target_link_uri");
  if (!target.is_string() || origin_of(target.get<std::string>()) != lowered(base_url)) {
    return fail("the launch is for {}, which is not this server", in_quotes(target.dump(), 120));
  }
  return {};
}

}  // namespace

Result<Arrival> read_launch(const Json& claims, const LtiPlatform& platform, const std::string& base_url) {
  if (const auto fine = check_message(claims, platform, base_url); !fine) return tl::unexpected(fine.error());
  const Json context = lti_claim(claims, "context");
  const Json roles = lti_claim(claims, "roles");
  LtiLaunch launch;
  launch.course = {platform.issuer, platform.client_id, lti_claim(claims, "deployment_id").get<std::string>(),
                   inner_text(context, "id")};
  if (launch.course.context.empty() || launch.course.context.size() > max_context_bytes) {
    return fail("the launch comes from no course: it has no context");
  }
  launch.teacher = has_role(roles, "Instructor") || has_role(roles, "Administrator");
  launch.learner = !launch.teacher && has_role(roles, "Learner");
  if (!launch.teacher && !launch.learner)
    return fail("the roles {} are neither a teacher's nor a learner's", in_quotes(roles.dump(), 200));
  launch.title = short_title(inner_text(context, "title"), max_course_title);
  if (launch.title.empty()) launch.title = short_title(inner_text(context, "label"), max_course_title);
  if (launch.title.empty()) launch.title = platform.name;
  launch.name = shown_name(claims, max_member_name);
  read_grade_services(claims, platform, launch);
  return Arrival{platform.name,          platform.issuer,           text_claim(claims, "sub"),
                 suggested_name(claims), std::string(welcome_path), std::move(launch)};
}

std::vector<Grade> class_grades(ClassStore& classes, const ClassRow& row, GradeBy by) {
  const auto ladder = classes.ladder(row.id);
  std::vector<Grade> grades;
  for (const MemberRow& member : classes.members(row.id)) {
    const auto bot = std::find_if(ladder.begin(), ladder.end(), [&](const BotRow& candidate) {
      return candidate.person == member.person && !candidate.house();
    });
    Grade grade{member.person, 0, "No bot on the ladder"};
    if (bot != ladder.end()) {
      const double share = bot->games() == 0 ? 0 : (bot->wins + bot->draws / 2.0) / bot->games();
      grade.given = by == GradeBy::check ? full_grade : std::round(full_grade * share * 10) / 10;
      grade.comment = fmt::format("{}, rating {:.0f}: {} won, {} drawn, {} lost", bot->name, bot->rating.value,
                                  bot->wins, bot->draws, bot->losses);
    }
    grades.push_back(std::move(grade));
  }
  return grades;
}

}  // namespace paika::server
