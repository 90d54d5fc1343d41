#include "server/store/studies.hpp"

#include <algorithm>

#include "server/store/impl.hpp"

namespace paika::server {

namespace {

#define PAIKA_STUDY_COLUMNS "s.id, s.owner, p.name, s.title, s.access, s.version, s.created, s.changed"

StudyRow study_of(const Query& row) {
  return {
      row.text(0),   row.number(1), row.text(2),  row.text(3), study_access(row.text(4)).value_or(StudyAccess::closed),
      row.number(5), row.number(6), row.number(7)};
}

}  // namespace

std::string_view name(StudyAccess access) noexcept {
  switch (access) {
    case StudyAccess::closed: return "private";
    case StudyAccess::link: return "link";
    case StudyAccess::listed: return "public";
  }
  return "";
}

std::optional<StudyAccess> study_access(std::string_view word) noexcept {
  for (const StudyAccess access : {StudyAccess::closed, StudyAccess::link, StudyAccess::listed}) {
    if (name(access) == word) return access;
  }
  return std::nullopt;
}

Database& StudyStore::database() { return store_.impl_->database; }

// ---- Studies ----

void StudyStore::add(const StudyRow& row) {
  database().run(
      "INSERT INTO studies (id, owner, title, access, version, created, changed) VALUES (?, ?, ?, ?, 1, ?, ?)", row.id,
      row.owner, row.title, name(row.access), row.created, row.created);
}

std::optional<StudyRow> StudyStore::find(std::string_view id) {
  return first_row(
      database().query("SELECT " PAIKA_STUDY_COLUMNS " FROM studies s JOIN people p ON p.id = s.owner WHERE s.id = ?",
                       id),
      study_of);
}

bool StudyStore::change(const StudyRow& row, WallTime now) {
  return database().run(
             "UPDATE studies SET title = ?, access = ?, version = version + 1, changed = ? WHERE id = ? AND version = "
             "?",
             row.title, name(row.access), now, row.id, row.version) > 0;
}

void StudyStore::drop(std::string_view id) { database().run("DELETE FROM studies WHERE id = ?", id); }

std::vector<StudyRow> StudyStore::of_person(PersonId person) {
  return all_rows(
      database().query("SELECT " PAIKA_STUDY_COLUMNS
                       " FROM studies s JOIN people p ON p.id = s.owner WHERE s.id IN (SELECT id FROM studies WHERE"
                       " owner = ?1 UNION SELECT study FROM study_editors WHERE person = ?1)"
                       " ORDER BY s.changed DESC, s.id",
                       person),
      study_of);
}

std::vector<StudyRow> StudyStore::listed(int most) {
  return all_rows(database().query("SELECT " PAIKA_STUDY_COLUMNS
                                   " FROM studies s JOIN people p ON p.id = s.owner WHERE s.access = 'public'"
                                   " ORDER BY s.changed DESC, s.id LIMIT ?",
                                   most),
                  study_of);
}

// ---- Editors ----

bool StudyStore::is_editor(std::string_view id, PersonId person) {
  Query row = database().query("SELECT 1 FROM study_editors WHERE study = ? AND person = ?", id, person);
  return row.next();
}

std::vector<std::string> StudyStore::editors(std::string_view id) {
  return all_rows(
      database().query("SELECT p.name FROM study_editors e JOIN people p ON p.id = e.person WHERE e.study = ?"
                       " ORDER BY p.name",
                       id),
      [](const Query& row) { return row.text(0); });
}

void StudyStore::add_editor(std::string_view id, PersonId person) {
  database().run("INSERT INTO study_editors (study, person) VALUES (?, ?) ON CONFLICT DO NOTHING", id, person);
}

bool StudyStore::drop_editor(std::string_view id, PersonId person) {
  return database().run("DELETE FROM study_editors WHERE study = ? AND person = ?", id, person) > 0;
}

// ---- Chapters ----

std::vector<ChapterRow> StudyStore::chapters(std::string_view study) {
  return all_rows(database().query("SELECT id, title, version FROM chapters WHERE study = ? ORDER BY place, id", study),
                  [](const Query& row) { return ChapterRow{row.number(0), row.text(1), "", "", row.number(2)}; });
}

std::optional<ChapterRow> StudyStore::chapter(std::string_view study, std::int64_t id) {
  return first_row(
      database().query("SELECT id, title, text, tree, version FROM chapters WHERE study = ? AND id = ?", study, id),
      [](const Query& row) { return ChapterRow{row.number(0), row.text(1), row.text(2), row.text(3), row.number(4)}; });
}

std::int64_t StudyStore::add_chapter(std::string_view study, const ChapterRow& row, WallTime now) {
  Query added = database().query(
      "INSERT INTO chapters (study, place, title, text, tree, version) VALUES (?1,"
      " (SELECT coalesce(max(place) + 1, 0) FROM chapters WHERE study = ?1), ?2, ?3, ?4, 1) RETURNING id",
      study, row.title, row.text, row.tree);
  const std::int64_t id = added.next() ? added.number(0) : 0;
  while (added.next()) {
  }
  database().run("UPDATE studies SET changed = ? WHERE id = ?", now, study);
  return id;
}

bool StudyStore::change_chapter(std::string_view study, const ChapterRow& row, WallTime now) {
  const int changed = database().run(
      "UPDATE chapters SET title = ?, text = ?, tree = ?, version = version + 1"
      " WHERE study = ? AND id = ? AND version = ?",
      row.title, row.text, row.tree, study, row.id, row.version);
  if (changed > 0) database().run("UPDATE studies SET changed = ? WHERE id = ?", now, study);
  return changed > 0;
}

void StudyStore::move_chapter(std::string_view study, std::int64_t id, std::size_t place) {
  std::vector<std::int64_t> order;
  for (const ChapterRow& row : chapters(study)) {
    if (row.id != id) order.push_back(row.id);
  }
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(std::min(place, order.size())), id);
  for (std::size_t i = 0; i < order.size(); ++i)
    database().run("UPDATE chapters SET place = ? WHERE study = ? AND id = ?", i, study, order[i]);
}

bool StudyStore::drop_chapter(std::string_view study, std::int64_t id) {
  return database().run("DELETE FROM chapters WHERE study = ? AND id = ?", study, id) > 0;
}

std::int64_t StudyStore::bytes_without(std::string_view study, std::int64_t chapter) {
  Query row = database().query(
      "SELECT coalesce(sum(octet_length(text) + octet_length(tree)), 0) FROM chapters"
      " WHERE study = ? AND id <> ?",
      study, chapter);
  return row.next() ? row.number(0) : 0;
}

// ---- Comments ----

std::vector<StudyComment> StudyStore::comments(std::string_view study) {
  return all_rows(database().query("SELECT c.id, c.person, p.name, coalesce(c.chapter, 0), c.text, c.at FROM"
                                   " study_comments c JOIN people p ON p.id = c.person WHERE c.study = ? ORDER BY c.id",
                                   study),
                  [](const Query& row) {
                    return StudyComment{row.number(0), row.number(1), row.text(2),
                                        row.number(3), row.text(4),   row.number(5)};
                  });
}

std::int64_t StudyStore::add_comment(std::string_view study, const StudyComment& comment) {
  Query added = database().query(
      "INSERT INTO study_comments (study, person, chapter, text, at) VALUES (?, ?, nullif(?, 0), ?, ?) RETURNING id",
      study, comment.person, comment.chapter, comment.text, comment.at);
  const std::int64_t id = added.next() ? added.number(0) : 0;
  while (added.next()) {
  }
  return id;
}

bool StudyStore::drop_comment(std::string_view study, std::int64_t id) {
  return database().run("DELETE FROM study_comments WHERE study = ? AND id = ?", study, id) > 0;
}

}  // namespace paika::server
