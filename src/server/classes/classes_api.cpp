#include "server/classes/classes_api.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/names.hpp"
#include "server/classes/assignment_pages.hpp"
#include "server/classes/class_access.hpp"
#include "server/classes/class_pages.hpp"
#include "server/classes/class_requests.hpp"
#include "server/classes/hand_in.hpp"
#include "server/classes/house_bots.hpp"
#include "server/http/answers.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

constexpr std::size_t id_length = 10;
constexpr std::size_t code_length = 8;   // 40 random bits
constexpr std::size_t max_classes = 50;  // of one teacher

using ReplyPtr = std::shared_ptr<Reply>;
using CallPtr = std::shared_ptr<const Call>;

Response storage_failed() {
  return error_response(503, "storage", "the server could not save this; nothing has changed, try again later");
}

Response no_class_by_code() { return error_response(404, "no_class", "no class has this code"); }

/// A student who looks like the teacher could speak as the teacher.
bool is_like_teacher(ClassStore& classes, const ClassRow& row, std::string_view name) {
  const std::string look = look_of(name);
  const auto as_member = classes.member(row.id, row.teacher);
  return look == look_of(row.teacher_name) || (as_member && look == look_of(as_member->name));
}

/// The functions behind the routes that change something. What is asked is decided where it is written, in one
/// transaction, so that nothing can change in between.
class Classes {
 public:
  explicit Classes(const ClassesDeps& deps) : deps_(deps) {}

  void found(const CallPtr& call, const ReplyPtr& reply) {
    auto row = read_new_class(call->body);
    if (!row) return reply->send(bad_request(row.error()));
    row->id = random_name(id_length);
    row->code = random_name(code_length);
    row->teacher = call->person->id;
    row->created = wall_now();
    const Json& house = call->body.value("house_bots", Json(true));
    if (!house.is_boolean()) return reply->send(bad_request(Error{R"("house_bots" must be true or false)"}));
    change(reply, [row = *row, with_house = house.get<bool>(), approved_only = deps_.approved_teachers](Store& store) {
      ClassStore classes(store);
      const auto teacher = store.person(row.teacher);
      if (!teacher || (approved_only && !teacher->approved)) {
        return error_response(403, "not_approved",
                              "only teachers whom the operator of this server has approved can open classes");
      }
      if (classes.taught_by(row.teacher).size() >= max_classes) {
        return error_response(409, "too_many_classes",
                              fmt::format("you cannot have more than {} classes", max_classes));
      }
      classes.add_class(row);
      if (with_house) {
        for (const BotRow& bot : house_bots(row.created)) classes.add_house_bot(row, bot);
      }
      return json_response(class_json({*classes.find(row.id), row.teacher, true}, row.created), 201);
    });
  }

  void join(const CallPtr& call, const ReplyPtr& reply) {
    const auto request = read_join(call->body);
    if (!request) return reply->send(bad_request(request.error()));
    change(reply, [request = *request, person = *call->person](Store& store) {
      ClassStore classes(store);
      const auto row = classes.find_by_code(request.code);
      if (!row) return no_class_by_code();
      if (row->state != ClassState::open && !classes.member(row->id, person.id)) {
        return error_response(409, "locked", "the class no longer takes new members");
      }
      const std::string& name = request.name.empty() ? person.name : request.name;
      if (row->teacher != person.id && is_like_teacher(classes, *row, name)) {
        return error_response(409, "name_taken", "this name looks like the teacher's; choose another one");
      }
      classes.add_member(row->id, person.id, name, wall_now());
      return json_response(class_json({*row, person.id, row->teacher == person.id}, wall_now()));
    });
  }

  void leave(const CallPtr& call, const ReplyPtr& reply) {
    change(reply, [call](Store& store) {
      ClassStore classes(store);
      const auto in = enter_class(classes, *call);
      if (!in) return in.error();
      return json_response({{"left", classes.drop_member(in->row.id, in->viewer)}});
    });
  }

  void set(const CallPtr& call, const ReplyPtr& reply) {
    change(reply, [call](Store& store) {
      ClassStore classes(store);
      auto in = enter_as_teacher(classes, *call);
      if (!in) return in.error();
      const auto row = read_changed_class(in->row, call->body);
      if (!row) return bad_request(row.error());
      classes.change_class(*row);
      in->row = *row;
      return json_response(class_json(*in, wall_now()));
    });
  }

  void new_code(const CallPtr& call, const ReplyPtr& reply) {
    change(reply, [call](Store& store) {
      ClassStore classes(store);
      auto in = enter_as_teacher(classes, *call);
      if (!in) return in.error();
      in->row.code = random_name(code_length);
      classes.change_class(in->row);
      return json_response(class_json(*in, wall_now()));
    });
  }

  void drop(const CallPtr& call, const ReplyPtr& reply) {
    change(reply, [call](Store& store) {
      ClassStore classes(store);
      const auto in = enter_as_teacher(classes, *call);
      if (!in) return in.error();
      classes.drop_class(in->row.id);
      return json_response({{"dropped", true}});
    });
  }

  void drop_member(const CallPtr& call, const ReplyPtr& reply) {
    change(reply, [call](Store& store) {
      ClassStore classes(store);
      const auto in = enter_as_teacher(classes, *call);
      if (!in) return in.error();
      const auto person = store.person_named(call->params.at("account"));
      if (!person || !classes.drop_member(in->row.id, person->id)) {
        return error_response(404, "no_member", "there is no such member in this class");
      }
      return json_response({{"dropped", true}});
    });
  }

  /// Reading the files takes a moment, and so does trying the a sandbox for the first time: both are done on the work
  /// queue.
  void hand_in(const CallPtr& call, const ReplyPtr& reply) {
    auto refused = deps_.queue_work(call->client, [this, call, reply] {
      auto answer = std::make_shared<Response>();
      const auto sandbox = deps_.ladder.takes_bots();
      auto request = read_bot(call->body);
      if (!sandbox) {
        *answer = error_response(503, "no_sandbox", "this server cannot take bots: " + sandbox.error().message);
      } else if (!request) {
        *answer = bad_request(request.error());
      } else {
        auto bot = std::make_shared<const BotRequest>(std::move(*request));
        return deps_.post([this, call, reply, bot] { commit_bot(call, reply, bot); });
      }
      deps_.post([reply, answer] { reply->send(std::move(*answer)); });
    });
    if (refused) reply->send(std::move(*refused));
  }

 private:
  /// Answers with what `work` returns, once that is kept; then the ladder looks what is new.
  void change(const ReplyPtr& reply, std::function<Response(Store&)> work) {
    const auto answer = std::make_shared<Response>();
    deps_.writer.submit([answer, work = std::move(work)](Store& store) { *answer = work(store); },
                        [this, answer, reply](const std::optional<std::string>& failure) {
                          if (failure) deps_.log_event("class_not_committed", {{"what", *failure}});
                          reply->send(failure ? storage_failed() : std::move(*answer));
                          if (!failure) deps_.ladder.poke();
                        });
  }

  void commit_bot(const CallPtr& call, const ReplyPtr& reply, const std::shared_ptr<const BotRequest>& bot) {
    change(reply, [call, bot](Store& store) {
      ClassStore classes(store);
      const auto in = enter_class(classes, *call);
      if (!in) return in.error();
      const auto added = add_handed_in(classes, *in, *bot, wall_now());
      return added ? json_response(bot_json(*added), 201) : added.error();
    });
  }

  ClassesDeps deps_;
};

}  // namespace

std::vector<Route> class_routes(const ClassesDeps& deps) {
  const auto classes = std::make_shared<Classes>(deps);
  const auto late = [classes](void (Classes::*function)(const CallPtr&, const ReplyPtr&)) -> LateHandler {
    return [classes, function](const CallPtr& call, const ReplyPtr& reply) { ((*classes).*function)(call, reply); };
  };
  std::vector<Route> routes = {
      {"POST", "/api/classes", Rate::opening, Need::member, late(&Classes::found)},
      {"POST", "/api/classes/join", Rate::secrets, Need::member, late(&Classes::join)},
      {"POST", "/api/classes/{class}/leave", Rate::command, Need::member, late(&Classes::leave)},
      {"POST", "/api/classes/{class}/settings", Rate::command, Need::member, late(&Classes::set)},
      {"POST", "/api/classes/{class}/code", Rate::command, Need::member, late(&Classes::new_code)},
      {"DELETE", "/api/classes/{class}", Rate::command, Need::member, late(&Classes::drop)},
      {"DELETE", "/api/classes/{class}/members/{account}", Rate::command, Need::member, late(&Classes::drop_member)},
      {"POST", "/api/classes/{class}/bots", Rate::opening, Need::member, late(&Classes::hand_in)},
  };
  for (auto& more : {class_page_routes(deps.ladder), class_export_routes()}) {
    routes.insert(routes.end(), more.begin(), more.end());
  }
  return routes;
}

namespace {

/// Classes and bots one after the other. Files are long: they are read in slices.
class OwnClasses {
 public:
  explicit OwnClasses(PersonId person) : person_(person) {}

  std::optional<std::string> next(Store& store) {
    ClassStore classes(store);
    if (!begun_) return begin(classes);
    if (bot_) return more_files(classes);
    if (!bots_.empty()) return next_bot(classes);
    if (in_class_) {
      in_class_ = false;
      return "]}";
    }
    if (!joined_.empty()) return next_class(classes, store);
    if (std::exchange(ended_, true)) return std::nullopt;
    return "]}";
  }

 private:
  std::string begin(ClassStore& classes) {
    begun_ = true;
    Json taught = Json::array();
    for (const ClassRow& row : classes.taught_by(person_)) taught.push_back(class_json({row, person_, true}, 0));
    joined_ = classes.joined_by(person_);
    std::reverse(joined_.begin(), joined_.end());
    return fmt::format(R"({{"taught":{},"joined":[)", json_response(taught).body);
  }

  std::string next_class(ClassStore& classes, Store& store) {
    const ClassRow row = std::move(joined_.back());
    joined_.pop_back();
    for (const BotRow& bot : classes.bots_of(row.id, person_)) bots_.push_back(bot.id);
    std::reverse(bots_.begin(), bots_.end());
    in_class_ = true;
    first_bot_ = true;
    const std::string comma = std::exchange(first_class_, false) ? "" : ",";
    return comma + fmt::format(R"({{"class":{},"assignments":{},"bots":[)",
                               json_response(class_json({row, person_, false}, 0)).body,
                               json_response(attempts_json(row.id, person_, store)).body);
  }

  std::string next_bot(ClassStore& classes) {
    const BotId id = bots_.back();
    bots_.pop_back();
    const auto bot = classes.bot(id);
    if (!bot) return "";  // it was deleted meanwhile
    bot_ = id;
    sent_ = 0;
    std::string text = json_response(bot_json(*bot)).body;
    text.pop_back();
    return (std::exchange(first_bot_, false) ? "" : ",") + text + R"(,"files":)";
  }

  std::string more_files(ClassStore& classes) {
    const std::string files = classes.bot_files(*bot_);
    std::string slice = files.substr(std::min(sent_, files.size()), piece_bytes);
    sent_ += slice.size();
    if (sent_ < files.size()) return slice;
    bot_.reset();
    return slice + "}";
  }

  PersonId person_;
  std::vector<ClassRow> joined_;  // those to come, the next one last; so with the bots
  std::vector<BotId> bots_;
  std::optional<BotId> bot_;  // whose files are being sent
  std::size_t sent_ = 0;      // of them, in bytes
  bool begun_ = false, in_class_ = false, first_class_ = true, first_bot_ = true, ended_ = false;
};

}  // namespace

std::function<std::optional<std::string>(Store&)> classes_of_person(PersonId person) {
  return [own = std::make_shared<OwnClasses>(person)](Store& store) { return own->next(store); };
}

}  // namespace paika::server
