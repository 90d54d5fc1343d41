#include "server/store/assignments.hpp"

#include <algorithm>

#include "server/store/impl.hpp"

namespace paika::server {

namespace {

#define PAIKA_ASSIGNMENT_COLUMNS "id, class, title, text, deadline, takes_late, max_attempts, is_open, tasks, created"
#define PAIKA_ATTEMPT_COLUMNS "person, task, begun, ended, move, coalesce(room, ''), solved"

AssignmentRow assignment_of(const Query& query) {
  AssignmentRow row;
  row.id = query.text(0);
  row.class_id = query.text(1);
  row.title = query.text(2);
  row.text = query.text(3);
  row.deadline = query.number(4);
  row.takes_late = query.number(5) != 0;
  row.max_attempts = static_cast<int>(query.number(6));
  row.open = query.number(7) != 0;
  row.tasks = query.text(8);
  row.created = query.number(9);
  return row;
}

AttemptRow attempt_of(const Query& query) {
  return {query.number(0),     static_cast<int>(query.number(1)),
          query.number(2),     query.number(3),
          query.text(4),       query.text(5),
          query.number(6) != 0};
}

}  // namespace

Database& AssignmentStore::database() { return store_.impl_->database; }

void AssignmentStore::add(const AssignmentRow& row) {
  database().run("INSERT INTO assignments (" PAIKA_ASSIGNMENT_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row.id,
                 row.class_id, row.title, row.text, row.deadline, row.takes_late, row.max_attempts, row.open, row.tasks,
                 row.created);
}

std::optional<AssignmentRow> AssignmentStore::find(std::string_view class_id, std::string_view id) {
  return first_row(
      database().query("SELECT " PAIKA_ASSIGNMENT_COLUMNS " FROM assignments WHERE id = ? AND class = ?", id, class_id),
      assignment_of);
}

std::vector<AssignmentRow> AssignmentStore::of_class(std::string_view class_id) {
  return all_rows(
      database().query("SELECT " PAIKA_ASSIGNMENT_COLUMNS " FROM assignments WHERE class = ? ORDER BY created DESC, id",
                       class_id),
      assignment_of);
}

std::size_t AssignmentStore::count(std::string_view class_id) {
  return static_cast<std::size_t>(
      *first_row(database().query("SELECT count(*) FROM assignments WHERE class = ?", class_id), first_column));
}

void AssignmentStore::change(const AssignmentRow& row) {
  database().run(
      "UPDATE assignments SET title = ?2, text = ?3, deadline = ?4, takes_late = ?5, max_attempts = ?6, is_open = ?7,"
      " tasks = ?8 WHERE id = ?1",
      row.id, row.title, row.text, row.deadline, row.takes_late, row.max_attempts, row.open, row.tasks);
}

void AssignmentStore::keep_tasks(std::string_view id, std::span<const int> tasks) {
  const auto tried =
      all_rows(database().query("SELECT DISTINCT task FROM attempts WHERE assignment = ?", id), first_column);
  for (const std::int64_t task : tried) {
    if (std::find(tasks.begin(), tasks.end(), static_cast<int>(task)) != tasks.end()) continue;
    database().run("DELETE FROM attempts WHERE assignment = ? AND task = ?", id, task);
  }
}

void AssignmentStore::drop(std::string_view id) { database().run("DELETE FROM assignments WHERE id = ?", id); }

void AssignmentStore::add_move(std::string_view id, int task, PersonId person, std::string_view move, bool solved,
                               WallTime now) {
  database().run(
      "INSERT INTO attempts (assignment, task, person, begun, ended, move, wanted, solved)"
      " VALUES (?1, ?2, ?3, ?4, ?4, ?5, '', ?6)",
      id, task, person, now, move, solved);
}

void AssignmentStore::add_game(std::string_view id, int task, PersonId person, const RoomId& room,
                               std::string_view wanted, WallTime now) {
  database().run(
      "INSERT INTO attempts (assignment, task, person, begun, ended, move, room, wanted, solved)"
      " SELECT ?1, ?2, ?3, ?4, 0, '', ?5, ?6, 0 FROM assignments WHERE id = ?1",
      id, task, person, now, room, wanted);
}

std::vector<AttemptRow> AssignmentStore::attempts_of(std::string_view id, PersonId person) {
  return all_rows(
      database().query("SELECT " PAIKA_ATTEMPT_COLUMNS " FROM attempts WHERE assignment = ? AND person = ? ORDER BY id",
                       id, person),
      attempt_of);
}

std::vector<AttemptRow> AssignmentStore::attempts(std::string_view id) {
  return all_rows(
      database().query("SELECT " PAIKA_ATTEMPT_COLUMNS " FROM attempts WHERE assignment = ? ORDER BY id", id),
      attempt_of);
}

}  // namespace paika::server
