#include "server/classes/assignment_pages.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/classes/class_pages.hpp"
#include "server/classes/csv.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

Json time_json(WallTime time) { return time == 0 ? Json(nullptr) : Json(time); }

using AttemptsByPerson = std::map<PersonId, std::vector<AttemptRow>>;

AttemptsByPerson by_person(std::vector<AttemptRow> attempts) {
  AttemptsByPerson sorted;
  for (AttemptRow& attempt : attempts) sorted[attempt.person].push_back(std::move(attempt));
  return sorted;
}

/// What is counted of one person over all tasks.
struct Progress {
  std::vector<TaskProgress> tasks;  // in their order
  int solved = 0;
  int late = 0;
  int attempts = 0;
  WallTime last = 0;  // when something was last tried
};

Progress progress_of(std::span<const Task> tasks, WallTime deadline, std::span<const AttemptRow> attempts) {
  Progress progress;
  for (const Task& task : tasks) {
    progress.tasks.push_back(progress_of(task, deadline, attempts));
    const TaskProgress& one = progress.tasks.back();
    progress.solved += one.solved != 0 ? 1 : 0;
    progress.late += one.late ? 1 : 0;
    progress.attempts += one.attempts;
  }
  for (const AttemptRow& attempt : attempts) progress.last = std::max({progress.last, attempt.begun, attempt.ended});
  return progress;
}

/// `whole`: also the game that goes on, which is the student's own.
Json task_progress_json(const Task& task, const TaskProgress& progress, bool whole) {
  Json json = {{"task", task.number},
               {"attempts", progress.attempts},
               {"reached", progress.reached},
               {"solved_ms", time_json(progress.solved)},
               {"late", progress.late}};
  if (whole) json["room"] = progress.running.empty() ? Json(nullptr) : Json(progress.running);
  return json;
}

Json progress_json(std::span<const Task> tasks, const Progress& progress, bool whole) {
  Json list = Json::array();
  for (std::size_t i = 0; i < tasks.size(); ++i) list.push_back(task_progress_json(tasks[i], progress.tasks[i], whole));
  return list;
}

/// Every member's progress, by name; who has tried nothing is there too.
Json everybody_json(const AssignmentRow& row, std::span<const Task> tasks, Store& store) {
  const auto attempts = by_person(AssignmentStore(store).attempts(row.id));
  Json list = Json::array();
  for (const MemberRow& member : ClassStore(store).members(row.class_id)) {
    const auto own = attempts.find(member.person);
    const Progress progress =
        progress_of(tasks, row.deadline, own == attempts.end() ? std::span<const AttemptRow>() : own->second);
    list.push_back({{"account", member.account},
                    {"name", member.name},
                    {"solved", progress.solved},
                    {"late", progress.late},
                    {"attempts", progress.attempts},
                    {"last_ms", time_json(progress.last)},
                    {"tasks", progress_json(tasks, progress, false)}});
  }
  return list;
}

Response list_assignments(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_class(classes, call);
  if (!in) return in.error();
  return tagged_json(call, {{"assignments", assignment_list(*in, store)}});
}

Response show_assignment(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_class(classes, call);
  if (!in) return in.error();
  const auto row = find_assignment(store, *in, call);
  if (!row) return row.error();
  return tagged_json(call, assignment_json(*row, *in, store));
}

std::string csv_row(const MemberRow& member, std::span<const Task> tasks, const Progress& progress) {
  std::string line =
      fmt::format("{},{},{},{},{},{},{}", csv_field(member.account), csv_field(member.name), progress.solved,
                  tasks.size(), progress.late, progress.attempts, date_text(progress.last));
  for (const TaskProgress& task : progress.tasks) {
    line += fmt::format(",{},{},{}", date_text(task.solved), task.attempts, task.late ? "late" : "");
  }
  return line + "\r\n";
}

LongAnswer progress_csv(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_as_teacher(classes, call);
  if (!in) return {in.error(), {}};
  const auto row = find_assignment(store, *in, call);
  if (!row) return {row.error(), {}};
  std::string head = "account,name,solved,tasks,late,attempts,last attempt";
  auto tasks = stored_tasks(row->tasks);
  for (std::size_t i = 1; i <= tasks.size(); ++i) {
    head += fmt::format(",task {} solved,task {} attempts,task {} late", i, i, i);
  }
  return {as_file("text/csv; charset=utf-8", head + "\r\n", fmt::format("assignment-{}.csv", row->id)),
          pieces_of([row = *row, tasks = std::move(tasks), members = classes.members(in->row.id),
                     at = std::size_t{0}](Store& reader) mutable -> std::optional<std::string> {
            if (at == members.size()) return std::nullopt;
            const MemberRow& member = members[at++];
            const auto attempts = AssignmentStore(reader).attempts_of(row.id, member.person);
            return csv_row(member, tasks, progress_of(tasks, row.deadline, attempts));
          })};
}

}  // namespace

TaskProgress progress_of(const Task& task, WallTime deadline, std::span<const AttemptRow> attempts) {
  TaskProgress progress;
  for (const AttemptRow& attempt : attempts) {
    if (attempt.task != task.number) continue;
    ++progress.attempts;
    if (attempt.ended == 0 && !attempt.room.empty()) progress.running = attempt.room;
    if (!attempt.solved || ++progress.reached != task.games) continue;
    progress.solved = attempt.ended;
    progress.late = deadline != 0 && attempt.ended > deadline;
  }
  return progress;
}

Json assignment_summary(const AssignmentRow& row, const SeenClass& in, AssignmentStore& assignments) {
  const auto tasks = stored_tasks(row.tasks);
  const Progress own = progress_of(tasks, row.deadline, assignments.attempts_of(row.id, in.viewer));
  return {{"assignment", row.id},
          {"title", row.title},
          {"deadline_ms", time_json(row.deadline)},
          {"takes_late", row.takes_late},
          {"max_attempts", row.max_attempts == 0 ? Json(nullptr) : Json(row.max_attempts)},
          {"open", row.open},
          {"created_ms", row.created},
          {"tasks", tasks.size()},
          {"solved", own.solved},
          {"late", own.late}};
}

Json assignment_list(const SeenClass& in, Store& store) {
  AssignmentStore assignments(store);
  Json list = Json::array();
  for (const AssignmentRow& row : assignments.of_class(in.row.id)) {
    list.push_back(assignment_summary(row, in, assignments));
  }
  return list;
}

Json assignment_json(const AssignmentRow& row, const SeenClass& in, Store& store) {
  AssignmentStore assignments(store);
  Json json = assignment_summary(row, in, assignments);
  const auto tasks = stored_tasks(row.tasks);
  const Progress own = progress_of(tasks, row.deadline, assignments.attempts_of(row.id, in.viewer));
  json["class"] = {{"id", in.row.id}, {"name", in.row.name}, {"role", in.teacher ? "teacher" : "member"}};
  json["text"] = row.text;
  json["tasks"] = tasks_json(tasks, in.teacher);
  json["mine"] = progress_json(tasks, own, true);
  if (in.teacher) json["members"] = everybody_json(row, tasks, store);
  return json;
}

Json attempts_json(std::string_view class_id, PersonId person, Store& store) {
  AssignmentStore assignments(store);
  Json list = Json::array();
  for (const AssignmentRow& row : assignments.of_class(class_id)) {
    Json tried = Json::array();
    for (const AttemptRow& attempt : assignments.attempts_of(row.id, person)) {
      tried.push_back({{"task", attempt.task},
                       {"begun_ms", attempt.begun},
                       {"ended_ms", time_json(attempt.ended)},
                       {"move", attempt.move.empty() ? Json(nullptr) : Json(attempt.move)},
                       {"room", attempt.room.empty() ? Json(nullptr) : Json(attempt.room)},
                       {"solved", attempt.solved}});
    }
    if (!tried.empty()) list.push_back({{"assignment", row.id}, {"title", row.title}, {"attempts", tried}});
  }
  return list;
}

Entered<AssignmentRow> find_assignment(Store& store, const SeenClass& in, const Call& call) {
  auto row = AssignmentStore(store).find(in.row.id, call.params.at("assignment"));
  if (!row) return refuse(404, "no_assignment", "there is no such assignment in this class");
  return std::move(*row);
}

std::vector<Route> assignment_page_routes() {
  constexpr const char* one = "/api/classes/{class}/assignments/{assignment}";
  return {
      {"GET", "/api/classes/{class}/assignments", Rate::reading, Need::person, SlowHandler{list_assignments}},
      {"GET", one, Rate::reading, Need::person, SlowHandler{show_assignment}},
      {"GET", std::string(one) + "/progress.csv", Rate::position, Need::person, LongHandler{progress_csv}},
  };
}

}  // namespace paika::server
