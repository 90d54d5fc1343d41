#include "server/classes/git_api.hpp"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "server/classes/class_access.hpp"
#include "server/classes/hand_in.hpp"
#include "server/classes/push_hook.hpp"
#include "server/classes/push_review.hpp"
#include "server/git/git_exchange.hpp"
#include "server/git/git_program.hpp"
#include "server/http/answers.hpp"
#include "server/http/guard.hpp"
#include "server/store/thread_reader.hpp"

namespace paika::server {

namespace {

using ReplyPtr = std::shared_ptr<Reply>;
using CallPtr = std::shared_ptr<const Call>;

constexpr std::string_view receive_pack = "git-receive-pack";
constexpr std::string_view upload_pack = "git-upload-pack";

/// An error as git shows it to people, who see the text of an answer only if it is plain.
Response in_plain_text(Response response) {
  const Json body = Json::parse(response.body, nullptr, false);
  if (!body.is_object() || !body.contains("error")) return response;
  response.body = body["error"].value("message", "") + "\n";
  response.type = "text/plain; charset=utf-8";
  if (response.status == 401)
    response.headers.emplace_back("WWW-Authenticate", R"(Basic realm="Paika", charset="UTF-8")");
  return response;
}

/// What a request asks for.
struct Wanted {
  std::string service;
  bool discovering = false;  // which references there are
};

Entered<Wanted> read_wanted(const Request& request) {
  if (request.method == "GET") {
    const auto given = request.query.find("service");
    if (given == request.query.end() || (given->second != receive_pack && given->second != upload_pack)) {
      return refuse(403, "no_service", "this server speaks git's smart protocol only: clone or push with git itself");
    }
    return Wanted{given->second, true};
  }
  const std::string service = request.path.substr(request.path.rfind('/') + 1);
  if (request.header("content-type") != fmt::format("application/x-{}-request", service)) {
    return refuse(415, "bad_type", "this is not a request of git");
  }
  // Git itself never compresses a push, which is compressed already; a bomb would be.
  if (service == receive_pack && !request.header("content-encoding").empty()) {
    return refuse(415, "bad_encoding", "a push must not be compressed again");
  }
  return Wanted{service, false};
}

/// A repository that somebody may use.
struct Opened {
  SeenClass in;
  PersonId owner = 0;
};

class GitApi {
 public:
  explicit GitApi(GitDeps deps) : deps_(std::move(deps)) {}

  void answer(const CallPtr& call, const ReplyPtr& reply) {
    const auto wanted = check(*call);
    if (!wanted) return reply->send(in_plain_text(wanted.error()));
    const bool pushes = wanted->service == receive_pack && !wanted->discovering;
    auto refused = deps_.queue(
        call->client, pushes,
        [this, call, reply, wanted = *wanted](const std::stop_token& stop) { serve(wanted, call, reply, stop); });
    if (refused) reply->send(in_plain_text(std::move(*refused)));
  }

 private:
  static Entered<Wanted> check(const Call& call) {
    if (!find_git()) {
      return refuse(
          503, "no_git",
          "this server takes no pushes: " + find_git().error().message + "; hand in your bot on the page of the class");
    }
    if (!call.person || !basic_login(call.request)) {
      return refuse(401, "no_person",
                    "log in with the name of your account, and with a token of it as the password: the page of the "
                    "class creates one");
    }
    if (!call.person->member) return refuse(403, "members_only", "this is for members: create an account first");
    return read_wanted(call.request);
  }

  void serve(const Wanted& wanted, const CallPtr& call, const ReplyPtr& reply, const std::stop_token& stop) {
    const auto refuse_with = [&](Response response) {
      deps_.post([reply, response = std::make_shared<Response>(in_plain_text(std::move(response)))] {
        reply->send(std::move(*response));
      });
    };
    try {
      Store* const store = thread_reader(deps_.database);
      if (store == nullptr) throw StoreError("the storage cannot be opened");
      auto opened = open(wanted, *call, *store);
      if (!opened) return refuse_with(opened.error());
      exchange(wanted, *opened, call, reply, stop);
    } catch (const std::exception& error) {
      deps_.log_event("git_failed", {{"what", error.what()}});
      refuse_with(error_response(503, "storage", "the server cannot read its storage now"));
    }
  }

  [[nodiscard]] Entered<Opened> open(const Wanted& wanted, const Call& call, Store& store) {
    const auto named = store.person_named(basic_login(call.request)->name);
    if (!named || named->id != call.person->id) {
      return refuse(401, "no_person", "this token belongs to another name");
    }
    ClassStore classes(store);
    auto in = enter_class(classes, call);
    if (!in) return tl::unexpected(in.error());
    const auto account = call.params.find("account");
    if (account != call.params.end()) return open_of_member(wanted, std::move(*in), store, account->second);
    if (!classes.member(in->row.id, in->viewer)) {
      return refuse(403, "members_of_class",
                    "you are no member of this class. Its teacher reads the repository of a member at "
                    "/git/CLASS/ACCOUNT");
    }
    if (wanted.service == receive_pack) {
      if (auto may = may_hand_in(classes, *in, wall_now()); !may) return refuse_as_forbidden(may.error());
      if (deps_.repositories.bytes(in->row.id, in->viewer) > max_repository_bytes) {
        return refuse(403, "too_large",
                      fmt::format("the repository has more than {} MiB", max_repository_bytes >> 20U));
      }
    }
    if (const auto made = deps_.repositories.make(in->row.id, in->viewer); !made) {
      deps_.log_event("git_failed", {{"what", made.error().message}});
      return refuse(503, "git_failed", "the server cannot create the repository now");
    }
    const PersonId owner = in->viewer;
    return Opened{std::move(*in), owner};
  }

  /// Teachers read what their students have pushed.
  [[nodiscard]] Entered<Opened> open_of_member(const Wanted& wanted, SeenClass in, Store& store,
                                               std::string_view account) const {
    if (!in.teacher) return refuse(403, "teacher_only", "only the teacher of the class may do that");
    if (wanted.service == receive_pack) return refuse(403, "read_only", "only its owner pushes to a repository");
    const auto person = store.person_named(account);
    if (!person || !ClassStore(store).member(in.row.id, person->id)) {
      return refuse(404, "no_member", "there is no such member in this class");
    }
    if (!deps_.repositories.has(in.row.id, person->id)) {
      return refuse(404, "no_repository", "this member has pushed nothing yet");
    }
    return Opened{std::move(in), person->id};
  }

  /// Git shows the text of 403 before it asks for a name and a password again.
  static tl::unexpected<Response> refuse_as_forbidden(Response response) {
    response.status = 403;
    return tl::unexpected(std::move(response));
  }

  void exchange(const Wanted& wanted, const Opened& opened, const CallPtr& call, const ReplyPtr& reply,
                const std::stop_token& stop) {
    Repositories& repositories = deps_.repositories;
    const ClassId& class_id = opened.in.row.id;
    const auto use = repositories.use(class_id, opened.owner);
    const auto wake = std::make_shared<ExchangeWake>();
    const bool pushes = wanted.service == receive_pack && !wanted.discovering;
    std::optional<PushReview> review;
    if (pushes) review.emplace(PushReviewDeps{deps_.writer, deps_.ladder, deps_.database}, opened.in, *use, wake);
    GitRequest request;
    request.order.words = {"http-backend"};
    request.order.variables =
        cgi_variables(call->request, repositories.folder(), Repositories::name_of(class_id, opened.owner),
                      wanted.service, wanted.discovering);
    request.order.folder = repositories.folder();
    request.order.hooks = repositories.hooks();
    request.order.answered = pushes;
    request.body = call->request.rest;
    request.reply = reply;
    request.wake = wake;
    request.judge = review ? &*review : nullptr;
    request.max_message = max_hook_message;
    request.post = deps_.post;
    request.log = [this](std::string_view what) { deps_.log_event("git_said", {{"what", std::string(what)}}); };
    serve_git(request, stop);
    if (!review || !review->accepted()) return;
    deps_.log_event("pushed", {{"class", class_id}, {"person", opened.owner}});
    repositories.tidy(class_id, opened.owner);
  }

  GitDeps deps_;
};

}  // namespace

std::vector<std::string> cgi_variables(const Request& request, const std::string& root, const std::string& repository,
                                       const std::string& service, bool discovering) {
  const auto variable = [](std::string_view name, std::string_view value) { return fmt::format("{}={}", name, value); };
  std::vector<std::string> list = {
      variable("GIT_PROJECT_ROOT", root),
      variable("GIT_HTTP_EXPORT_ALL", "1"),
      variable("PATH_INFO", fmt::format("/{}/{}", repository, discovering ? "info/refs" : service)),
      variable("REQUEST_METHOD", discovering ? "GET" : "POST"),
      variable("QUERY_STRING", discovering ? "service=" + service : ""),
      variable("CONTENT_TYPE", discovering ? "" : fmt::format("application/x-{}-request", service)),
      variable("REMOTE_USER", "paika"),
      variable("REMOTE_ADDR", "localhost")};
  const std::string_view encoding = request.header("content-encoding");
  if (encoding == "gzip" || encoding == "x-gzip") list.push_back(variable("HTTP_CONTENT_ENCODING", encoding));
  const std::string_view protocol = request.header("git-protocol");
  for (const std::string_view known : {"version=1", "version=2"}) {
    if (protocol == known) list.push_back(variable("GIT_PROTOCOL", known));
  }
  return list;
}

std::vector<Route> git_routes(const GitDeps& deps) {
  const auto api = std::make_shared<GitApi>(deps);
  const LateHandler handler = [api](const CallPtr& call, const ReplyPtr& reply) { api->answer(call, reply); };
  return {
      {"GET", "/git/{class}/info/refs", Rate::command, Need::nobody, handler},
      {"POST", "/git/{class}/git-upload-pack", Rate::command, Need::nobody, handler},
      {"POST", "/git/{class}/git-receive-pack", Rate::opening, Need::nobody, handler},
      {"GET", "/git/{class}/{account}/info/refs", Rate::command, Need::nobody, handler},
      {"POST", "/git/{class}/{account}/git-upload-pack", Rate::command, Need::nobody, handler},
  };
}

}  // namespace paika::server
