#include "server/store/lti.hpp"

#include "base/check.hpp"
#include "server/store/impl.hpp"

namespace paika::server {

namespace {

CourseRow course_row(const Query& row) {
  return {row.number(0), {row.text(1), row.text(2), row.text(3), row.text(4)}, row.text(5), row.text(6), row.text(7),
          row.number(8)};
}

GradeRow grade_row(const Query& row) {
  return {row.number(0),
          row.text(1),
          row.number(2),
          row.text(3),
          row.text(4),
          row.text(5),
          row.real(6),
          row.real(7),
          row.text(8),
          row.text(9),
          static_cast<int>(row.number(10)),
          row.number(11),
          row.number(12),
          row.text(13)};
}

}  // namespace

Database& LtiStore::database() { return store_.impl_->database; }

std::optional<CourseRow> LtiStore::find(const CourseKey& key) {
  return first_row(
      database().query("SELECT id, issuer, client, deployment, context, title, class, line_items, created"
                       " FROM lti_courses WHERE issuer = ? AND client = ? AND deployment = ? AND context = ?",
                       key.issuer, key.client, key.deployment, key.context),
      course_row);
}

std::optional<CourseRow> LtiStore::course(CourseId id) {
  return first_row(database().query("SELECT id, issuer, client, deployment, context, title, class, line_items, created"
                                    " FROM lti_courses WHERE id = ?",
                                    id),
                   course_row);
}

std::vector<CourseRow> LtiStore::of_class(std::string_view class_id) {
  return all_rows(database().query("SELECT id, issuer, client, deployment, context, title, class, line_items, created"
                                   " FROM lti_courses WHERE class = ? ORDER BY id",
                                   class_id),
                  course_row);
}

CourseId LtiStore::add_course(const CourseRow& row) {
  Query added = database().query(
      "INSERT INTO lti_courses (issuer, client, deployment, context, title, class, line_items, created)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
      row.key.issuer, row.key.client, row.key.deployment, row.key.context, row.title, row.class_id, row.line_items,
      row.created);
  PAIKA_CHECK(added.next());
  const CourseId id = added.number(0);
  PAIKA_CHECK(!added.next());  // at its end, so that it is committed
  return id;
}

void LtiStore::change_course(CourseId id, std::string_view title, std::string_view line_items) {
  database().run("UPDATE lti_courses SET title = ?, line_items = ? WHERE id = ?", title, line_items, id);
}

bool LtiStore::drop_course(std::string_view class_id, CourseId id) {
  return database().run("DELETE FROM lti_courses WHERE class = ? AND id = ?", class_id, id) > 0;
}

void LtiStore::set_member(CourseId course, PersonId person, std::string_view subject, bool learner) {
  // Who was linked to another account before is that person no more.
  database().run("DELETE FROM lti_members WHERE course = ? AND subject = ? AND person <> ?", course, subject, person);
  database().run(
      "INSERT INTO lti_members (course, person, subject, learner) VALUES (?, ?, ?, ?)"
      " ON CONFLICT (course, person) DO UPDATE SET subject = excluded.subject, learner = excluded.learner",
      course, person, subject, learner);
}

int LtiStore::count_learners(CourseId course) {
  return static_cast<int>(*first_row(
      database().query("SELECT count(*) FROM lti_members WHERE course = ? AND learner = 1", course), first_column));
}

std::string LtiStore::line_item(CourseId course, std::string_view activity) {
  return first_row(
             database().query("SELECT url FROM lti_line_items WHERE course = ? AND activity = ?", course, activity),
             [](const Query& row) { return row.text(0); })
      .value_or("");
}

void LtiStore::set_line_item(CourseId course, std::string_view activity, std::string_view url) {
  database().run(
      "INSERT INTO lti_line_items (course, activity, url) VALUES (?, ?, ?)"
      " ON CONFLICT (course, activity) DO UPDATE SET url = excluded.url",
      course, activity, url);
}

int LtiStore::add_grades(std::string_view class_id, const GradedActivity& activity, std::span<const Grade> grades,
                         WallTime now) {
  int added = 0;
  store_.atomically([&] {
    for (const Grade& grade : grades) {
      added += database().run(
          "INSERT INTO lti_grades (course, activity, person, label, given, maximum, comment, state, tries, due,"
          " changed, error)"
          " SELECT course, ?2, person, ?4, ?5, ?6, ?7, 'waiting', 0, ?8, ?8, '' FROM lti_members m"
          " JOIN lti_courses c ON c.id = m.course WHERE c.class = ?1 AND m.person = ?3 AND m.learner = 1"
          " ON CONFLICT (course, activity, person) DO UPDATE SET label = excluded.label, given = excluded.given,"
          " maximum = excluded.maximum, comment = excluded.comment, state = 'waiting', tries = 0,"
          " due = excluded.due, changed = greatest(lti_grades.changed + 1, excluded.changed), error = ''",
          class_id, activity.tag, grade.person, activity.label, grade.given, activity.maximum, grade.comment, now);
    }
  });
  return added;
}

std::vector<GradeRow> LtiStore::due_grades(WallTime now, int most) {
  return all_rows(
      database().query("SELECT g.course, activity, g.person, '', subject, label, given, maximum, comment, state, tries,"
                       " due, changed, error FROM lti_grades g"
                       " JOIN lti_members m ON m.course = g.course AND m.person = g.person"
                       " WHERE state = 'waiting' AND due <= ? ORDER BY due, g.course, g.person LIMIT ?",
                       now, most),
      grade_row);
}

std::optional<WallTime> LtiStore::next_due() {
  return first_row(database().query("SELECT due FROM lti_grades WHERE state = 'waiting' ORDER BY due LIMIT 1"),
                   first_column);
}

void LtiStore::set_result(const GradeRow& row) {
  database().run(
      "UPDATE lti_grades SET state = ?, tries = ?, due = ?, error = ?"
      " WHERE course = ? AND activity = ? AND person = ? AND changed = ?",
      row.state, row.tries, row.due, row.error, row.course, row.activity, row.person, row.changed);
}

std::vector<GradeRow> LtiStore::grades_of_class(std::string_view class_id) {
  return all_rows(
      database().query(
          "SELECT g.course, activity, g.person, coalesce(nullif(n.name, ''), p.name) COLLATE NOCASE, subject,"
          " label, given, maximum, comment, g.state, tries, due, changed, error FROM lti_grades g"
          " JOIN lti_members m ON m.course = g.course AND m.person = g.person"
          " JOIN lti_courses c ON c.id = g.course JOIN people p ON p.id = g.person"
          " LEFT JOIN members n ON n.class = c.class AND n.person = g.person"
          " WHERE c.class = ? ORDER BY 4, activity, g.course",
          class_id),
      grade_row);
}

}  // namespace paika::server
