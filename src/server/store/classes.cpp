// Classes and their members in the store.
#include "server/store/classes.hpp"

#include "server/store/impl.hpp"

namespace paika::server {

namespace {

/// A row of classes_shown.
ClassRow class_of(const Query& query) {
  ClassRow row;
  row.id = query.text(0);
  row.name = query.text(1);
  row.teacher = query.number(2);
  row.spec = query.text(3);
  row.turn_ms = static_cast<int>(query.number(4));
  row.memory_mb = static_cast<int>(query.number(5));
  row.uploads_per_day = static_cast<int>(query.number(6));
  row.pairs = static_cast<int>(query.number(7));
  row.deadline = query.number(8);
  row.code = query.text(9);
  row.state = class_state(query.text(10)).value_or(ClassState::archived);
  row.created = query.number(11);
  row.teacher_name = query.text(12);
  return row;
}

std::optional<ClassRow> one_class(Query query) {
  if (!query.next()) return std::nullopt;
  return class_of(query);
}

std::vector<ClassRow> all_classes(Query query) {
  std::vector<ClassRow> rows;
  while (query.next()) rows.push_back(class_of(query));
  return rows;
}

MemberRow member_of(const Query& query) { return {query.number(0), query.text(1), query.text(2), query.number(3)}; }

}  // namespace

std::string_view name(ClassState state) noexcept {
  switch (state) {
    case ClassState::open: return "open";
    case ClassState::locked: return "locked";
    case ClassState::archived: return "archived";
  }
  return "";
}

std::optional<ClassState> class_state(std::string_view word) noexcept {
  for (const ClassState state : {ClassState::open, ClassState::locked, ClassState::archived}) {
    if (name(state) == word) return state;
  }
  return std::nullopt;
}

Database& ClassStore::database() { return store_.impl_->database; }

void ClassStore::add_class(const ClassRow& row) {
  database().run(
      "INSERT INTO classes (id, name, teacher, spec, turn_ms, memory_mb, uploads_per_day, pairs, deadline, code, state,"
      " created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      row.id, row.name, row.teacher, row.spec, row.turn_ms, row.memory_mb, row.uploads_per_day, row.pairs, row.deadline,
      row.code, server::name(row.state), row.created);
}

std::optional<ClassRow> ClassStore::find(std::string_view id) {
  return one_class(database().query("SELECT * FROM classes_shown WHERE id = ?", id));
}

std::optional<ClassRow> ClassStore::find_by_code(std::string_view code) {
  return one_class(database().query("SELECT * FROM classes_shown WHERE code = ?", code));
}

std::vector<ClassRow> ClassStore::taught_by(PersonId teacher) {
  return all_classes(
      database().query("SELECT * FROM classes_shown WHERE teacher = ? ORDER BY created DESC, id", teacher));
}

std::vector<ClassRow> ClassStore::joined_by(PersonId member) {
  return all_classes(database().query(
      "SELECT c.* FROM members m JOIN classes_shown c ON c.id = m.class WHERE m.person = ? ORDER BY joined DESC, c.id",
      member));
}

std::vector<ClassRow> ClassStore::alive() {
  return all_classes(database().query("SELECT * FROM classes_shown WHERE state <> 'archived' ORDER BY id"));
}

void ClassStore::change_class(const ClassRow& row) {
  database().run(
      "UPDATE classes SET name = ?, turn_ms = ?, memory_mb = ?, uploads_per_day = ?, pairs = ?, deadline = ?, code = ?,"
      " state = ? WHERE id = ?",
      row.name, row.turn_ms, row.memory_mb, row.uploads_per_day, row.pairs, row.deadline, row.code,
      server::name(row.state), row.id);
}

void ClassStore::drop_class(std::string_view id) { database().run("DELETE FROM classes WHERE id = ?", id); }

void ClassStore::add_member(std::string_view class_id, PersonId person, std::string_view name, WallTime now) {
  database().run(
      "INSERT INTO members (class, person, name, joined) VALUES (?, ?, ?, ?) ON CONFLICT (class, person) DO NOTHING",
      class_id, person, name, now);
}

std::optional<MemberRow> ClassStore::member(std::string_view class_id, PersonId person) {
  Query query = database().query(
      "SELECT person, p.name, m.name, joined FROM members m JOIN people p ON p.id = person WHERE class = ? AND"
      " person = ?",
      class_id, person);
  if (!query.next()) return std::nullopt;
  return member_of(query);
}

std::vector<MemberRow> ClassStore::members(std::string_view class_id) {
  std::vector<MemberRow> rows;
  Query query = database().query(
      "SELECT person, p.name, m.name, joined FROM members m JOIN people p ON p.id = person WHERE class = ?"
      " ORDER BY m.name COLLATE NOCASE, person",
      class_id);
  while (query.next()) rows.push_back(member_of(query));
  return rows;
}

bool ClassStore::drop_member(std::string_view class_id, PersonId person) {
  return database().run("DELETE FROM members WHERE class = ? AND person = ?", class_id, person) > 0;
}

}  // namespace paika::server
