#include "server/sso/grade_sender.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/chrono.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "server/http/answers.hpp"
#include "server/sso/id_token.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

constexpr std::string_view score_scope_name = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
constexpr std::string_view column_scope_name = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem";
constexpr std::string_view score_type = "application/vnd.ims.lis.v1.score+json";
constexpr std::string_view column_type = "application/vnd.ims.lis.v2.lineitem+json";
constexpr std::int64_t assertion_time_s = 300;
constexpr WallTime token_margin_ms = 30'000;
constexpr WallTime first_wait_ms = 2'000;
constexpr WallTime wait_factor = 4;
constexpr int max_tries = 9;
constexpr int grades_per_round = 50;
constexpr std::chrono::minutes max_sleep(1);  // what nobody has poked for is found too
constexpr std::size_t max_error_bytes = 300;

/// "2026-11-18T09:30:00.123Z"
std::string iso_time(WallTime ms) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(ms / 1000)), ms % 1000);
}

bool is_worth_another_try(int status) { return status >= 500 || status == 429 || status == 408 || status == 401; }

std::string access_key(const LtiPlatform& platform, std::string_view scope) {
  return platform.id + " " + std::string(scope);
}

}  // namespace

std::string scores_url(std::string_view line_item) {
  const std::size_t mark = std::min(line_item.size(), line_item.find('?'));
  std::string_view path = line_item.substr(0, mark);
  if (path.ends_with('/')) path.remove_suffix(1);
  return std::string(path) + "/scores" + std::string(line_item.substr(mark));
}

std::optional<WallTime> next_try(int tries, WallTime now) {
  if (tries >= max_tries) return std::nullopt;
  WallTime wait = first_wait_ms;
  for (int i = 1; i < tries; ++i) wait *= wait_factor;
  return now + wait;
}

GradeSender::GradeSender(const SsoConfig& config, ToolKeys* keys, SendOutside send, Deps deps)
    : config_(config), keys_(keys), send_(std::move(send)), deps_(std::move(deps)) {
  if (keys_ != nullptr) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void GradeSender::poke() {
  const std::scoped_lock lock(signals_->mutex);
  signals_->poked = true;
  signals_->changed.notify_all();
}

void GradeSender::close() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void GradeSender::run(const std::stop_token& stop) {
  std::unique_ptr<Store> store;
  while (!stop.stop_requested()) {
    WallTime wait_ms = std::chrono::milliseconds(max_sleep).count();
    try {
      if (auto rotated = keys_->rotate(wall_now()); !rotated) {
        deps_.log_event("keys_not_rotated", {{"what", rotated.error().message}});
      }
      if (!store) {
        auto opened = Store::open(deps_.database, Store::Mode::reader);
        if (opened) store = std::move(*opened);
      }
      if (store) {
        deliver_due(*store, stop);
        const auto due = LtiStore(*store).next_due();
        if (due) wait_ms = std::clamp<WallTime>(*due - wall_now(), 100, wait_ms);
      }
    } catch (const StoreError& error) {
      deps_.log_event("grades_not_sent", {{"what", error.what()}});
      wait_ms = first_wait_ms;
    }
    std::unique_lock lock(signals_->mutex);
    signals_->changed.wait_for(lock, stop, std::chrono::milliseconds(wait_ms), [this] { return signals_->poked; });
    signals_->poked = false;
  }
}

void GradeSender::deliver_due(Store& store, const std::stop_token& stop) {
  for (GradeRow& grade : LtiStore(store).due_grades(wall_now(), grades_per_round)) {
    const Outcome outcome = deliver(store, grade, stop);
    if (stop.stop_requested()) return;  // it is tried again when the server runs again
    ++grade.tries;
    grade.error = outcome.error.substr(0, max_error_bytes);
    const auto again = outcome.delivery == Delivery::later ? next_try(grade.tries, wall_now()) : std::nullopt;
    grade.state = outcome.delivery == Delivery::done ? "sent" : again ? "waiting" : "failed";
    grade.due = again.value_or(grade.due);
    if (outcome.delivery != Delivery::done) deps_.log_event("grade_not_sent", {{"what", outcome.error}});
    commit([grade](Store& writing) { LtiStore(writing).set_result(grade); }, stop);
  }
}

void GradeSender::commit(Writer::Job job, const std::stop_token& stop) {
  {
    const std::scoped_lock lock(signals_->mutex);
    signals_->committed = false;
  }
  deps_.writer.submit(std::move(job), [signals = signals_](const auto& /*failure*/) {
    const std::scoped_lock lock(signals->mutex);
    signals->committed = true;
    signals->changed.notify_all();
  });
  std::unique_lock lock(signals_->mutex);
  signals_->changed.wait(lock, stop, [this] { return signals_->committed; });
}

GradeSender::Outcome GradeSender::deliver(Store& store, const GradeRow& grade, const std::stop_token& stop) {
  const auto course = LtiStore(store).course(grade.course);
  if (!course) return {Delivery::refused, "the course is not linked any more"};
  const LtiPlatform* platform = config_.platform(course->key.issuer, course->key.client);
  if (platform == nullptr) return {Delivery::refused, "the operator has removed the platform " + course->key.issuer};
  const auto item = column(store, *course, grade, *platform, stop);
  if (!item) return item.error();
  const Json score = {{"timestamp", iso_time(grade.changed)},
                      {"scoreGiven", grade.given},
                      {"scoreMaximum", grade.maximum},
                      {"comment", grade.comment},
                      {"activityProgress", "Completed"},
                      {"gradingProgress", "FullyGraded"},
                      {"userId", grade.subject}};
  const auto sent = post(*platform, score_scope_name, scores_url(*item), score_type, score, stop);
  return sent ? Outcome{} : sent.error();
}

tl::expected<std::string, GradeSender::Outcome> GradeSender::column(Store& store, const CourseRow& course,
                                                                    const GradeRow& grade, const LtiPlatform& platform,
                                                                    const std::stop_token& stop) {
  if (std::string known = LtiStore(store).line_item(course.id, grade.activity); !known.empty()) return known;
  if (course.line_items.empty()) {
    return tl::unexpected(Outcome{Delivery::refused, "the platform offers no column of its grade book for this class"});
  }
  const std::string tag = "paika:" + (grade.activity.empty() ? "class" : grade.activity);
  const Json wanted = {{"scoreMaximum", grade.maximum}, {"label", grade.label}, {"tag", tag}, {"resourceId", tag}};
  const auto made = post(platform, column_scope_name, course.line_items, column_type, wanted, stop);
  if (!made) return tl::unexpected(made.error());
  const auto body = read_object(*made);
  std::string url = body ? text_claim(*body, "id") : "";
  if (!platform.may_receive(url)) {
    return tl::unexpected(Outcome{Delivery::refused, "the platform made a column at an address that is not its own"});
  }
  commit([id = course.id, activity = grade.activity,
          url](Store& writing) { LtiStore(writing).set_line_item(id, activity, url); },
         stop);
  return url;
}

tl::expected<std::string, GradeSender::Outcome> GradeSender::access_token(const LtiPlatform& platform,
                                                                          std::string_view scope,
                                                                          const std::stop_token& stop) {
  Access& access = access_[access_key(platform, scope)];
  const WallTime now = token_time();
  if (now + token_margin_ms < access.until) return access.token;
  const Json claims = {{"iss", platform.client_id},
                       {"sub", platform.client_id},
                       {"aud", platform.token_audience},
                       {"iat", now / 1000},
                       {"exp", now / 1000 + assertion_time_s},
                       {"jti", random_secret()}};
  const std::string form =
      form_text({{"grant_type", "client_credentials"},
                 {"client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
                 {"client_assertion", keys_->current(now).sign(claims)},
                 {"scope", std::string(scope)}});
  const auto answer = send_({"POST",
                             platform.token_url,
                             {{"Accept", "application/json"}, {"Content-Type", "application/x-www-form-urlencoded"}},
                             form},
                            stop);
  if (!answer) return tl::unexpected(Outcome{Delivery::later, answer.error().message});
  const auto body = read_object(answer->body);
  if (answer->status != 200 || !body) {
    const std::string why = body ? in_quotes(text_claim(*body, "error"), 80) : "";
    // A platform may refuse an assertion because it has not fetched our new key yet: that passes.
    return tl::unexpected(Outcome{Delivery::later, fmt::format("{} gives no access, with the status {} {}",
                                                               platform.token_url, answer->status, why)});
  }
  const auto seconds = number_field(*body, "expires_in", 0, 0, 86'400);
  access.token = text_claim(*body, "access_token");
  access.until = now + seconds.value_or(0) * 1000;
  const bool fit = !access.token.empty() && access.token.size() <= max_token_bytes &&
                   std::all_of(access.token.begin(), access.token.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (!fit) {
    access = {};
    return tl::unexpected(Outcome{Delivery::later, platform.token_url + " answers without an access token"});
  }
  return access.token;
}

tl::expected<std::string, GradeSender::Outcome> GradeSender::post(const LtiPlatform& platform, std::string_view scope,
                                                                  const std::string& url, std::string_view type,
                                                                  const Json& body, const std::stop_token& stop) {
  if (!platform.may_receive(url)) {
    return tl::unexpected(Outcome{Delivery::refused, "the address " + in_quotes(url, 120) + " is not the platform's"});
  }
  const auto token = access_token(platform, scope, stop);
  if (!token) return tl::unexpected(token.error());
  const auto answer = send_({"POST",
                             url,
                             {{"Authorization", "Bearer " + *token}, {"Content-Type", std::string(type)}},
                             body.dump(-1, ' ', false, Json::error_handler_t::replace)},
                            stop);
  if (!answer) return tl::unexpected(Outcome{Delivery::later, answer.error().message});
  if (answer->status >= 200 && answer->status < 300) return answer->body;
  if (answer->status == 401) access_.erase(access_key(platform, scope));
  return tl::unexpected(Outcome{is_worth_another_try(answer->status) ? Delivery::later : Delivery::refused,
                                fmt::format("{} answers with the status {}", url, answer->status)});
}

}  // namespace paika::server
