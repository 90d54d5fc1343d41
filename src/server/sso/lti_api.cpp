// The routes of LTI: the platform's login, the launch, entering the class, and a teacher's view of courses and grades.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "server/classes/class_access.hpp"
#include "server/http/answers.hpp"
#include "server/sso/id_token.hpp"
#include "server/sso/lti.hpp"
#include "server/store/identities.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_lti_flows = 20'000;
constexpr std::chrono::minutes lti_flow_time(10);
constexpr std::size_t max_hint_bytes = 3'000;
constexpr std::string_view launch_path = "/api/lti/launch";

/// A browser that is at a platform, between its login and its launch.
struct LtiFlow {
  const LtiPlatform* platform = nullptr;  // of the configuration, which stays
  std::string nonce;
  std::string browser_hash;
};

Response no_launch() {
  return error_response(404, "no_launch",
                        "nobody was launched from a learning platform in this browser, or too long ago: launch again");
}

/// What has to be true of a course before somebody enters its class, or the response that says what is not.
tl::expected<CourseRow, Response> find_or_link(Store& store, const LtiLaunch& launch, PersonId person,
                                               const std::string& wanted_class) {
  LtiStore courses(store);
  if (auto course = courses.find(launch.course)) {
    if (!wanted_class.empty() && course->class_id != wanted_class) {
      return refuse(409, "linked", "this course already belongs to another class: unlink it there first");
    }
    return *course;
  }
  if (!launch.teacher) {
    return refuse(409, "not_linked", "your teacher has not linked this course to a class yet: try again later");
  }
  if (wanted_class.empty()) return refuse(409, "not_linked", "choose the class that belongs to this course");
  const auto row = ClassStore(store).find(wanted_class);
  if (!row || row->teacher != person) return refuse(404, "no_class", "you teach no such class");
  CourseRow course{0, launch.course, launch.title, row->id, launch.line_items, wall_now()};
  course.id = courses.add_course(course);
  return course;
}

/// Makes a person a member of the course and of its class.
Response enter_course(Store& store, const Arrival& arrived, const Person& person, const std::string& wanted_class) {
  const auto identity = IdentityStore(store).find(arrived.issuer, arrived.subject);
  if (!identity || identity->person != person.id) {
    return error_response(403, "not_you", "this launch is somebody else's: log in as the account it is linked to");
  }
  const LtiLaunch& launch = *arrived.launch;
  const auto course = find_or_link(store, launch, person.id, wanted_class);
  if (!course) return course.error();
  LtiStore courses(store);
  ClassStore classes(store);
  const auto row = classes.find(course->class_id);
  if (!row) return error_response(404, "no_class", "the class of this course is gone");
  const bool owns = row->teacher == person.id;
  if (!owns && !classes.member(row->id, person.id)) {
    if (row->state != ClassState::open) {
      return error_response(409, "locked", "the class no longer takes new members");
    }
    classes.add_member(row->id, person.id, launch.name.empty() ? person.name : launch.name, wall_now());
  }
  courses.set_member(course->id, person.id, arrived.subject, launch.learner);
  courses.change_course(course->id, launch.title, launch.line_items.empty() ? course->line_items : launch.line_items);
  // The column of the class: that of the first link, or of the one which a teacher used last.
  if (!launch.line_item.empty() && (launch.teacher || courses.line_item(course->id, "").empty())) {
    courses.set_line_item(course->id, "", launch.line_item);
  }
  return json_response({{"class", row->id}});
}

Json course_json(LtiStore& courses, const CourseRow& row, const SsoConfig& config) {
  const LtiPlatform* platform = config.platform(row.key.issuer, row.key.client);
  return {{"course", row.id},
          {"title", row.title},
          {"platform", platform == nullptr ? row.key.issuer : platform->name},
          {"learners", courses.count_learners(row.id)},
          {"takes_grades", !row.line_items.empty() || !courses.line_item(row.id, "").empty()},
          {"created_ms", row.created}};
}

Json grade_json(const GradeRow& row) {
  return {{"course", row.course}, {"name", row.name},       {"label", row.label},
          {"given", row.given},   {"maximum", row.maximum}, {"state", row.state},
          {"tries", row.tries},   {"error", row.error},     {"given_ms", row.changed}};
}

/// The functions behind the routes.
class LtiApi {
 public:
  LtiApi(SignOn& on, std::function<void()> poke_sender)
      : on_(on), poke_sender_(std::move(poke_sender)), flows_(max_lti_flows, lti_flow_time) {}

  /// Third-party initiated login: the platform wants to launch us, and we ask it who it is that comes.
  [[nodiscard]] Response begin(const Call& call) {
    const auto field = [&](const char* name) {
      const auto found = call.request.query.find(name);
      if (found != call.request.query.end()) return found->second;
      return text_claim(call.body, name);
    };
    const LtiPlatform* platform = on_.config().platform(field("iss"), field("client_id"));
    if (platform == nullptr) {
      on_.deps().log_event("lti_refused",
                           {{"what", "no platform of the file has the issuer " + in_quotes(field("iss"), 120) +
                                         " and the client " + in_quotes(field("client_id"), 80)}});
      return sign_on_failed("platform");
    }
    const std::string login_hint = field("login_hint");
    const std::string message_hint = field("lti_message_hint");
    const bool ours = origin_of(field("target_link_uri")) == lowered(on_.config().base_url);
    if (login_hint.empty() || login_hint.size() > max_hint_bytes || message_hint.size() > max_hint_bytes || !ours) {
      return sign_on_failed("failed");
    }
    const std::string state = random_secret();
    const std::string nonce = random_secret();
    const auto cookie = on_.begin_flow(state, SignOn::FlowKind::lti);
    flows_.put(state, {platform, nonce, cookie.hash}, std::chrono::steady_clock::now());
    std::vector<std::pair<std::string, std::string>> fields = {{"scope", "openid"},
                                                               {"response_type", "id_token"},
                                                               {"response_mode", "form_post"},
                                                               {"prompt", "none"},
                                                               {"client_id", platform->client_id},
                                                               {"redirect_uri", launch_uri()},
                                                               {"state", state},
                                                               {"nonce", nonce},
                                                               {"login_hint", login_hint}};
    if (!message_hint.empty()) fields.emplace_back("lti_message_hint", message_hint);
    Response response = redirect(with_query(platform->auth_url, fields));
    response.headers.emplace_back("Set-Cookie", cookie.header);
    return response;
  }

  void launch(const CallPtr& call, const ReplyPtr& reply) {
    const std::string state = text_claim(call->body, "state");
    const auto flow = flows_.take(state, std::chrono::steady_clock::now());
    if (!flow || !SignOn::is_same_browser(call->request, state, flow->browser_hash)) {
      return reply->send(sign_on_failed("launch_expired"));
    }
    const std::string token = text_claim(call->body, "id_token");
    if (token.empty())
      return refuse(reply, *flow->platform,
                    {"no token, but the error " + in_quotes(text_claim(call->body, "error"), 80)});
    auto job = [this, call, reply, flow = *flow, token](const std::stop_token& stop) {
      const LtiPlatform& platform = *flow.platform;
      auto claims = verified_claims(on_.keys(), platform.jwks_url, token,
                                    {platform.issuer, platform.client_id, flow.nonce, token_time()}, stop);
      on_.deps().post([this, call, reply, &platform, claims = std::move(claims)] {
        if (!claims) return refuse(reply, platform, claims.error());
        auto arrival = read_launch(*claims, platform, on_.config().base_url);
        if (!arrival) return refuse(reply, platform, arrival.error());
        on_.arrive(call, reply, std::move(*arrival));
      });
    };
    if (auto full = on_.deps().queue_work(call->client, std::move(job))) reply->send(std::move(*full));
  }

  [[nodiscard]] Response key_set(const Call& /*call*/) {
    Response response =
        json_response(on_.tool_keys() == nullptr ? Json{{"keys", Json::array()}} : on_.tool_keys()->public_set());
    response.headers.emplace_back("Cache-Control", "public, max-age=3600");
    return response;
  }

  void enter(const CallPtr& call, const ReplyPtr& reply) {
    if (const auto known = only_fields(call->body, {"class"}); !known) return reply->send(bad_request(known.error()));
    const auto wanted = text_field(call->body, "class", "");
    if (!wanted) return reply->send(bad_request(wanted.error()));
    const Arrival* arrived = on_.arrival(call->request);
    if (arrived == nullptr || !arrived->launch) return reply->send(no_launch());
    const auto answer = std::make_shared<Response>();
    on_.write(
        reply,
        [answer, who = *arrived, person = *call->person, wanted = *wanted](Store& store) {
          *answer = enter_course(store, who, person, wanted);
        },
        [this, call, answer] {
          if (answer->status == 200) {
            on_.end_arrival(call->request);
            on_.deps().on_class_joined();
          }
          return std::move(*answer);
        });
  }

  // ---- For the teacher of a class ----

  [[nodiscard]] Response courses(const Call& call, Store& store) const {
    ClassStore classes(store);
    const auto in = enter_as_teacher(classes, call);
    if (!in) return in.error();
    LtiStore courses(store);
    Json list = Json::array();
    for (const CourseRow& row : courses.of_class(in->row.id)) list.push_back(course_json(courses, row, on_.config()));
    Json grades = Json::array();
    for (const GradeRow& row : courses.grades_of_class(in->row.id)) grades.push_back(grade_json(row));
    return json_response({{"courses", list}, {"grades", grades}});
  }

  void drop_course(const CallPtr& call, const ReplyPtr& reply) {
    const auto id = parse_int(call->params.at("course"));
    const auto answer = std::make_shared<Response>();
    on_.write(
        reply,
        [answer, call, id = id.value_or(0)](Store& store) {
          ClassStore classes(store);
          const auto in = enter_as_teacher(classes, *call);
          if (!in) {
            *answer = in.error();
          } else if (!LtiStore(store).drop_course(in->row.id, id)) {
            *answer = error_response(404, "no_course", "the class is linked to no such course");
          } else {
            *answer = json_response({{"dropped", true}});
          }
        },
        [answer] { return std::move(*answer); });
  }

  void send_grades(const CallPtr& call, const ReplyPtr& reply) {
    if (const auto known = only_fields(call->body, {"by"}); !known) return reply->send(bad_request(known.error()));
    const auto by = text_field(call->body, "by", "check");
    if (!by) return reply->send(bad_request(by.error()));
    if (*by != "check" && *by != "points") {
      return reply->send(bad_request({fmt::format(R"("by" must be check or points, not {})", in_quotes(*by))}));
    }
    const auto answer = std::make_shared<Response>();
    on_.write(
        reply,
        [answer, call, by = *by == "check" ? GradeBy::check : GradeBy::points](Store& store) {
          ClassStore classes(store);
          const auto in = enter_as_teacher(classes, *call);
          if (!in) {
            *answer = in.error();
            return;
          }
          const auto grades = class_grades(classes, in->row, by);
          const int waiting = LtiStore(store).add_grades(in->row.id, {"", in->row.name, 100}, grades, wall_now());
          *answer = json_response({{"waiting", waiting}}, 202);
        },
        [this, answer] {
          poke_sender_();
          return std::move(*answer);
        });
  }

 private:
  [[nodiscard]] std::string launch_uri() const { return on_.config().base_url + std::string(launch_path); }

  void refuse(const ReplyPtr& reply, const LtiPlatform& platform, const Error& why) const {
    on_.deps().log_event("lti_refused", {{"platform", platform.id}, {"what", why.message}});
    reply->send(sign_on_failed("failed"));
  }

  SignOn& on_;
  std::function<void()> poke_sender_;
  OnceMap<LtiFlow> flows_;  // by state
};

}  // namespace

std::vector<Route> lti_routes(SignOn& sign_on, std::function<void()> poke_sender) {
  const auto api = std::make_shared<LtiApi>(sign_on, std::move(poke_sender));
  const auto late = [api](void (LtiApi::*function)(const CallPtr&, const ReplyPtr&)) -> LateHandler {
    return [api, function](const CallPtr& call, const ReplyPtr& reply) { ((*api).*function)(call, reply); };
  };
  const QuickHandler begin = [api](const Call& call) { return api->begin(call); };
  return {
      {"GET", "/api/lti/login", Rate::secrets, Need::nobody, begin},
      {"POST", "/api/lti/login", Rate::secrets, Need::nobody, begin, Body::foreign_form},
      {"POST", std::string(launch_path), Rate::secrets, Need::nobody, late(&LtiApi::launch), Body::foreign_form},
      {"GET", "/api/lti/jwks", Rate::reading, Need::nobody,
       QuickHandler([api](const Call& call) { return api->key_set(call); })},
      {"POST", "/api/lti/enter", Rate::secrets, Need::member, late(&LtiApi::enter)},
      {"GET", "/api/classes/{class}/lti", Rate::reading, Need::member,
       SlowHandler{[api](const Call& call, Store& store) { return api->courses(call, store); }}},
      {"DELETE", "/api/classes/{class}/lti/{course}", Rate::command, Need::member, late(&LtiApi::drop_course)},
      {"POST", "/api/classes/{class}/lti/grades", Rate::secrets, Need::member, late(&LtiApi::send_grades)},
  };
}

}  // namespace paika::server
