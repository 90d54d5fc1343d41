#include "server/classes/assignments_api.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/names.hpp"
#include "base/text.hpp"
#include "server/classes/assignment_pages.hpp"
#include "server/classes/assignment_tasks.hpp"
#include "server/classes/class_access.hpp"
#include "server/http/answers.hpp"
#include "server/store/assignments.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

constexpr std::size_t assignment_id_length = 10;
constexpr std::size_t max_assignments = 100;  // of a class
constexpr std::size_t max_title = 80;         // bytes
constexpr std::size_t max_assignment_text = 4000;
constexpr std::int64_t max_task_attempts = 1000;    // at one task, also where the teacher sets no limit
constexpr WallTime latest_due = 4'102'444'800'000;  // the year 2100

constexpr std::size_t max_proving = 2;  // assignments that are proven at a time: others have questions too

using AssignmentReply = std::shared_ptr<Reply>;
using AssignmentCall = std::shared_ptr<const Call>;

Response not_stored() {
  return error_response(503, "storage", "the server could not save this; nothing has changed, try again later");
}

/// A text of several lines in which everything can be seen.
Result<std::string> read_assignment_text(const Json& body, std::string_view missing) {
  auto text = text_field(body, "text", missing);
  if (!text) return text;
  *text = std::string(trimmed(*text));
  if (text->size() > max_assignment_text) return fail(R"("text" must have at most {} bytes)", max_assignment_text);
  for (std::string_view line : split(*text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const auto fine = check_title(line); !fine) return fail(R"("text": {})", fine.error().message);
  }
  return text;
}

/// Changes what the body names, but for the tasks.
Result<AssignmentRow> read_assignment(AssignmentRow row, const Json& body) {
  const auto known = only_fields(body, {"title", "text", "deadline_ms", "takes_late", "max_attempts", "open", "tasks"});
  if (!known) return tl::unexpected(known.error());
  auto title = text_field(body, "title", row.title);
  if (!title) return tl::unexpected(title.error());
  row.title = std::string(trimmed(*title));
  if (row.title.empty()) return fail(R"("title" must be given: what the assignment is called)");
  if (row.title.size() > max_title) return fail(R"("title" must have at most {} bytes)", max_title);
  if (const auto fine = check_title(row.title); !fine) return fail(R"("title": {})", fine.error().message);
  auto text = read_assignment_text(body, row.text);
  if (!text) return tl::unexpected(text.error());
  row.text = std::move(*text);
  if (body.contains("deadline_ms")) {
    const auto deadline = number_field(body, "deadline_ms", 0, 1, latest_due);
    if (!deadline) return tl::unexpected(deadline.error());
    row.deadline = *deadline;
  }
  const auto late = flag_field(body, "takes_late", row.takes_late);
  if (!late) return tl::unexpected(late.error());
  row.takes_late = *late;
  if (body.contains("max_attempts")) {
    const auto max_attempts = number_field(body, "max_attempts", 0, 1, max_task_attempts);
    if (!max_attempts) return tl::unexpected(max_attempts.error());
    row.max_attempts = static_cast<int>(*max_attempts);
  }
  const auto open = flag_field(body, "open", row.open);
  if (!open) return tl::unexpected(open.error());
  row.open = *open;
  return row;
}

/// Why nothing more can be tried at a task now; nothing if it can.
std::optional<Response> refuse_attempt(const AssignmentRow& row, const TaskProgress& progress, WallTime now) {
  if (!row.open) return error_response(409, "closed", "the teacher has closed this assignment");
  if (!row.takes_late && row.deadline != 0 && now > row.deadline) {
    return error_response(409, "deadline", "the deadline of this assignment has passed");
  }
  if (progress.solved != 0) return error_response(409, "solved", "you have already solved this task");
  const int max_attempts = row.max_attempts == 0 ? static_cast<int>(max_task_attempts) : row.max_attempts;
  if (progress.attempts >= max_attempts) {
    return error_response(409, "no_attempts", fmt::format("you have used all {} attempts at this task", max_attempts));
  }
  return std::nullopt;
}

/// A task as somebody who wants to try it finds it.
struct FoundTask {
  SeenClass in;
  AssignmentRow row;
  Task task;
  TaskProgress progress;
};

Entered<FoundTask> enter_task(Store& store, const Call& call) {
  ClassStore classes(store);
  auto in = enter_class(classes, call);
  if (!in) return tl::unexpected(in.error());
  auto row = find_assignment(store, *in, call);
  if (!row) return tl::unexpected(row.error());
  const auto tasks = stored_tasks(row->tasks);
  const Task* const task = find_task(tasks, call.params.at("task"));
  if (task == nullptr) return refuse(404, "no_task", "there is no such task in this assignment");
  const auto attempts = AssignmentStore(store).attempts_of(row->id, in->viewer);
  return FoundTask{*in, *row, *task, progress_of(*task, row->deadline, attempts)};
}

Response wrong_kind(const char* path) {
  return error_response(409, "wrong_kind", fmt::format("this task is solved with POST …/{}", path));
}

class Assignments : public std::enable_shared_from_this<Assignments> {
 public:
  explicit Assignments(AssignmentsDeps deps) : deps_(std::move(deps)) {}

  /// Who asks is looked at first: proving positions takes time, which only a teacher gets.
  void set(const AssignmentCall& call, const AssignmentReply& reply) {
    look<SeenClass>(
        call->client, reply,
        [call](Store& store) {
          ClassStore classes(store);
          return enter_as_teacher(classes, *call);
        },
        [this, call, reply](const SeenClass&) {
          make(call, reply, AssignmentRow{}, [this, call, reply](const AssignmentRow& row) { add(call, reply, row); });
        });
  }

  void edit(const AssignmentCall& call, const AssignmentReply& reply) {
    look<AssignmentRow>(
        call->client, reply, [call](Store& store) { return as_teacher(store, *call); },
        [this, call, reply](const AssignmentRow& row) {
          make(call, reply, row, [this, call, reply](const AssignmentRow& made) { change(call, reply, made); });
        });
  }

  void drop(const AssignmentCall& call, const AssignmentReply& reply) {
    write(reply, [call](Store& store) {
      const auto row = as_teacher(store, *call);
      if (!row) return row.error();
      AssignmentStore(store).drop(row->id);
      return json_response({{"dropped", true}});
    });
  }

  void try_move(const AssignmentCall& call, const AssignmentReply& reply) {
    if (const auto known = only_fields(call->body, {"move"}); !known) return reply->send(bad_request(known.error()));
    auto move = text_field(call->body, "move", "");
    if (!move) return reply->send(bad_request(move.error()));
    if (move->empty() || move->size() > max_turn_text) {
      return reply->send(bad_request({fmt::format(R"("move" must be a text of 1 to {} bytes)", max_turn_text)}));
    }
    look<JudgedMove>(
        call->client, reply,
        [call, move = *move](Store& store) -> Entered<JudgedMove> {
          const auto found = enter_task(store, *call);
          if (!found) return tl::unexpected(found.error());
          if (found->task.kind == TaskKind::game) return tl::unexpected(wrong_kind("games"));
          if (auto refused = refuse_attempt(found->row, found->progress, wall_now())) {
            return tl::unexpected(std::move(*refused));
          }
          return judge_move(found->task, move);
        },
        [this, call, reply](const JudgedMove& judged) { count(call, reply, judged); });
  }

  void begin_game(const AssignmentCall& call, const AssignmentReply& reply) {
    look<FoundTask>(
        call->client, reply,
        [call](Store& store) -> Entered<FoundTask> {
          auto found = enter_task(store, *call);
          if (!found) return found;
          if (found->task.kind != TaskKind::game) return tl::unexpected(wrong_kind("attempts"));
          auto refused = refuse_attempt(found->row, found->progress, wall_now());
          // Who has a game that goes on goes on with it.
          if (refused && (found->progress.running.empty() || found->progress.solved != 0)) {
            return tl::unexpected(std::move(*refused));
          }
          return found;
        },
        [this, call, reply](const FoundTask& found) { open_game_of(call, reply, found); });
  }

 private:
  static Entered<AssignmentRow> as_teacher(Store& store, const Call& call) {
    ClassStore classes(store);
    const auto in = enter_as_teacher(classes, call);
    if (!in) return tl::unexpected(in.error());
    return find_assignment(store, *in, call);
  }

  /// Reads from the store on another thread, then goes on with what was found, or answers why not.
  template <class Found>
  void look(const Client& client, const AssignmentReply& reply, std::function<Entered<Found>(Store&)> read,
            std::function<void(const Found&)> then) {
    const auto found = std::make_shared<Entered<Found>>(tl::unexpected(not_stored()));
    auto refused = deps_.read(
        client, [found, read = std::move(read)](Store& store) { *found = read(store); },
        [found, reply, then = std::move(then)](bool ok) {
          if (!ok) return reply->send(not_stored());
          if (!*found) return reply->send(std::move(found->error()));
          then(**found);
        });
    if (refused) reply->send(std::move(*refused));
  }

  /// Answers with what `work` returns, once that is kept.
  void write(const AssignmentReply& reply, std::function<Response(Store&)> work) {
    const auto answer = std::make_shared<Response>();
    deps_.writer.submit([answer, work = std::move(work)](Store& store) { *answer = work(store); },
                        [self = shared_from_this(), answer, reply](const std::optional<std::string>& failure) {
                          if (failure) self->deps_.log_event("assignment_not_committed", {{"what", *failure}});
                          reply->send(failure ? not_stored() : std::move(*answer));
                        });
  }

  /// Reads what the teacher has sent into the row; its tasks are proven where that may take time.
  void make(const AssignmentCall& call, const AssignmentReply& reply, const AssignmentRow& row,
            std::function<void(const AssignmentRow&)> then) {
    auto changed = read_assignment(row, call->body);
    if (!changed) return reply->send(bad_request(changed.error()));
    if (!call->body.contains("tasks") && !row.id.empty()) return then(*changed);
    if (proving_.size() >= max_proving || !proving_.insert(call->person->id).second) {
      return reply->send(busy_response());
    }
    // However the work ends, the teacher may set the next assignment then.
    std::shared_ptr<void> proving(nullptr, [self = shared_from_this(), teacher = call->person->id](void*) {
      self->deps_.post([self, teacher] { self->proving_.erase(teacher); });
    });
    auto refused = deps_.queue_work(call->client, [self = shared_from_this(), proving = std::move(proving), call, reply,
                                                   row = std::move(*changed), then = std::move(then)]() mutable {
      const Json list = call->body.value("tasks", Json());
      const TaskSources sources{self->deps_.tables, static_cast<std::uint64_t>(wall_now())};
      const auto tasks = read_tasks(list, stored_tasks(row.tasks), sources);
      proving.reset();  // before the answer: who has it may go on at once
      if (!tasks) {
        return self->deps_.post([reply, error = tasks.error()] { reply->send(bad_request(error)); });
      }
      row.tasks = tasks_json(*tasks, true).dump(-1, ' ', false, Json::error_handler_t::replace);
      self->deps_.post([row = std::move(row), then = std::move(then)] { then(row); });
    });
    if (refused) reply->send(std::move(*refused));
  }

  void add(const AssignmentCall& call, const AssignmentReply& reply, const AssignmentRow& made) {
    write(reply, [call, row = made](Store& store) mutable {
      ClassStore classes(store);
      const auto in = enter_as_teacher(classes, *call);
      if (!in) return in.error();
      AssignmentStore assignments(store);
      if (assignments.count(in->row.id) >= max_assignments) {
        return error_response(409, "too_many_assignments",
                              fmt::format("a class has at most {} assignments: delete some first", max_assignments));
      }
      row.id = random_name(assignment_id_length);
      row.class_id = in->row.id;
      row.created = wall_now();
      assignments.add(row);
      return json_response(assignment_json(row, *in, store), 201);
    });
  }

  void change(const AssignmentCall& call, const AssignmentReply& reply, const AssignmentRow& made) {
    write(reply, [call, row = made](Store& store) {
      ClassStore classes(store);
      const auto in = enter_as_teacher(classes, *call);
      if (!in) return in.error();
      if (const auto still = find_assignment(store, *in, *call); !still) return still.error();
      AssignmentStore assignments(store);
      assignments.change(row);
      std::vector<int> numbers;
      for (const Task& task : stored_tasks(row.tasks)) numbers.push_back(task.number);
      assignments.keep_tasks(row.id, numbers);
      return json_response(assignment_json(row, *in, store));
    });
  }

  /// Keeps a judged move, if it may still be tried: two that come at once are two attempts.
  void count(const AssignmentCall& call, const AssignmentReply& reply, const JudgedMove& judged) {
    write(reply, [call, judged](Store& store) {
      const auto found = enter_task(store, *call);
      if (!found) return found.error();
      const WallTime now = wall_now();
      if (auto refused = refuse_attempt(found->row, found->progress, now)) return std::move(*refused);
      AssignmentStore(store).add_move(found->row.id, found->task.number, found->in.viewer, judged.move, judged.solved,
                                      now);
      const bool late = found->row.deadline != 0 && now > found->row.deadline;
      return json_response({{"move", judged.move},
                            {"solved", judged.solved},
                            {"late", judged.solved && late},
                            {"attempts", found->progress.attempts + 1}});
    });
  }

  void open_game_of(const AssignmentCall& call, const AssignmentReply& reply, const FoundTask& found) {
    const auto in_room = [](const RoomId& room, int status) {
      return json_response({{"room", room}, {"path", "/room/" + room}}, status);
    };
    if (!found.progress.running.empty()) return reply->send(in_room(found.progress.running, 200));
    const auto plan = game_plan(found.task);
    if (!plan) return reply->send(bad_request(plan.error()));
    const auto key = std::pair(found.in.viewer, found.row.id + "/" + std::to_string(found.task.number));
    if (!opening_.insert(key).second) return reply->send(error_response(409, "opening", "this game is being opened"));
    const Person& person = *call->person;
    deps_.open_room(
        *plan, {person.id, person.name, person.member}, call->client,
        [found](Store& store, const RoomId& room) {
          AssignmentStore(store).add_game(found.row.id, found.task.number, found.in.viewer, room, found.task.goal,
                                          wall_now());
        },
        [self = shared_from_this(), reply, key, in_room](const tl::expected<RoomId, Refused>& room) {
          self->opening_.erase(key);
          reply->send(room ? in_room(*room, 201) : refusal_response(room.error()));
        });
  }

  AssignmentsDeps deps_;
  std::set<PersonId> proving_;                          // whose tasks are being proven: one at a time for each teacher
  std::set<std::pair<PersonId, std::string>> opening_;  // games that are being opened: one at a time
};

}  // namespace

std::vector<Route> assignment_routes(const AssignmentsDeps& deps) {
  const auto assignments = std::make_shared<Assignments>(deps);
  const auto late = [assignments](void (Assignments::*function)(const AssignmentCall&, const AssignmentReply&)) {
    return LateHandler([assignments, function](const AssignmentCall& call, const AssignmentReply& reply) {
      ((*assignments).*function)(call, reply);
    });
  };
  const std::string all = "/api/classes/{class}/assignments";
  const std::string one = all + "/{assignment}";
  const std::string task = one + "/tasks/{task}";
  std::vector<Route> routes = {
      {"POST", all, Rate::opening, Need::member, late(&Assignments::set)},
      {"POST", one, Rate::command, Need::member, late(&Assignments::edit)},
      {"DELETE", one, Rate::command, Need::member, late(&Assignments::drop)},
      {"POST", task + "/attempts", Rate::command, Need::member, late(&Assignments::try_move)},
      {"POST", task + "/games", Rate::opening, Need::member, late(&Assignments::begin_game)},
  };
  auto pages = assignment_page_routes();
  routes.insert(routes.end(), pages.begin(), pages.end());
  return routes;
}

}  // namespace paika::server
