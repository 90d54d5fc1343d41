// LtiStore: the part of the store about courses of learning platforms: their classes, their people and their grades.
//
// A view of a Store, made where it is needed and used by the same thread. Whatever has a grade to give (the ladder,
// assignments) calls add_grades(); server/sso/grade_sender.hpp delivers them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/classes.hpp"
#include "server/store/store.hpp"

namespace paika::server {

using CourseId = std::int64_t;

/// A course as its platform names it.
struct CourseKey {
  std::string issuer;
  std::string client;
  std::string deployment;
  std::string context;
};

struct CourseRow {
  CourseId id = 0;
  CourseKey key;
  std::string title;
  ClassId class_id;
  std::string line_items;  // where columns of grades are made; empty: the platform offers none
  WallTime created = 0;
};

/// What is graded: a column of the platform's grade book. The empty tag is the class itself, whose column comes with
/// the launch; others ("assignment:7") get a column of their own.
struct GradedActivity {
  std::string tag;
  std::string label;  // what the column is called
  double maximum = 100;
};

struct Grade {
  PersonId person = 0;
  double given = 0;  // 0 to the activity's maximum
  std::string comment;
};

/// A grade and what became of it.
struct GradeRow {
  CourseId course = 0;
  std::string activity;
  PersonId person = 0;
  std::string name;     // of the member in the class
  std::string subject;  // who it is to the platform
  std::string label;
  double given = 0;
  double maximum = 0;
  std::string comment;
  std::string state;  // "waiting", "sent" or "failed"
  int tries = 0;
  WallTime due = 0;      // when it is tried next
  WallTime changed = 0;  // when it was given
  std::string error;     // of the last try
};

class LtiStore {
 public:
  explicit LtiStore(Store& store) : store_(store) {}

  // ---- Courses ----

  [[nodiscard]] std::optional<CourseRow> find(const CourseKey& key);
  [[nodiscard]] std::optional<CourseRow> course(CourseId id);
  [[nodiscard]] std::vector<CourseRow> of_class(std::string_view class_id);
  /// Its id is the answer; that of the row does not count.
  CourseId add_course(const CourseRow& row);
  /// Title, and where columns are made: as the last launch says.
  void change_course(CourseId id, std::string_view title, std::string_view line_items);
  /// False if the class has no such course.
  bool drop_course(std::string_view class_id, CourseId id);

  /// Notes who a person is in a course; learners get grades.
  void set_member(CourseId course, PersonId person, std::string_view subject, bool learner);
  [[nodiscard]] int count_learners(CourseId course);

  // ---- Grades ----

  /// The address of an activity's column; empty: none is known.
  [[nodiscard]] std::string line_item(CourseId course, std::string_view activity);
  void set_line_item(CourseId course, std::string_view activity, std::string_view url);

  /// Gives grades to those of the people who are learners in a course of the class; each replaces an earlier one of the
  /// same activity and waits to be sent. How many wait now because of this.
  int add_grades(std::string_view class_id, const GradedActivity& activity, std::span<const Grade> grades,
                 WallTime now);
  /// Those to be sent by now, the first first.
  [[nodiscard]] std::vector<GradeRow> due_grades(WallTime now, int most);
  /// When the next one is due; nothing if none waits.
  [[nodiscard]] std::optional<WallTime> next_due();
  /// What became of a try; nothing happens if the grade was replaced meanwhile.
  void set_result(const GradeRow& row);
  [[nodiscard]] std::vector<GradeRow> grades_of_class(std::string_view class_id);

 private:
  [[nodiscard]] Database& database();
  Store& store_;
};

}  // namespace paika::server
