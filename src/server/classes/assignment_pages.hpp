// What people of a class see of its assignments: the tasks, their own progress, and for the teacher everybody's.
#pragma once

#include <span>
#include <vector>

#include "server/classes/assignment_tasks.hpp"
#include "server/http/route.hpp"
#include "server/store/assignments.hpp"

namespace paika::server {

/// How far somebody is with a task.
struct TaskProgress {
  int attempts = 0;
  int reached = 0;      // times the goal was reached, of Task::games
  WallTime solved = 0;  // when that was often enough; 0: not yet
  bool late = false;    // after the deadline
  RoomId running;       // a game that goes on
};
[[nodiscard]] TaskProgress progress_of(const Task& task, WallTime deadline, std::span<const AttemptRow> attempts);

/// An assignment in a list, with the viewer's own progress.
[[nodiscard]] Json assignment_summary(const AssignmentRow& row, const SeenClass& in, AssignmentStore& assignments);
/// All of a class, the newest first.
[[nodiscard]] Json assignment_list(const SeenClass& in, Store& store);
/// One of them whole: as in the list, with its text, the tasks and the progress, and for the teacher everybody's.
[[nodiscard]] Json assignment_json(const AssignmentRow& row, const SeenClass& in, Store& store);
/// What a person tried in a class, for the export of an account.
[[nodiscard]] Json attempts_json(std::string_view class_id, PersonId person, Store& store);

/// The assignment of the path (404 no_assignment).
[[nodiscard]] Entered<AssignmentRow> find_assignment(Store& store, const SeenClass& in, const Call& call);

[[nodiscard]] std::vector<Route> assignment_page_routes();

}  // namespace paika::server
