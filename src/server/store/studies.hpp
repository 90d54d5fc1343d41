// StudyStore: studies in the store: chapters of text and trees of moves, who may read and edit them, and comments.
//
// Studies and chapters have version numbers that grow with every change: whoever changes one names the version that was
// read, and is told of a newer one instead of overwriting it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/store.hpp"

namespace paika::server {

/// Who may read a study beside its owner and editors: nobody, whoever has the link, or everybody, by a list too.
enum class StudyAccess : unsigned char { closed, link, listed };
/// "private", "link", "public".
[[nodiscard]] std::string_view name(StudyAccess access) noexcept;
[[nodiscard]] std::optional<StudyAccess> study_access(std::string_view word) noexcept;

struct StudyRow {
  std::string id;
  PersonId owner = 0;
  std::string owner_name;
  std::string title;
  StudyAccess access = StudyAccess::closed;
  std::int64_t version = 1;
  WallTime created = 0;
  WallTime changed = 0;
};

struct ChapterRow {
  std::int64_t id = 0;
  std::string title;
  std::string text;  // for people, plain
  std::string tree;  // canonical text of one game tree (docs/records.md); empty: none
  std::int64_t version = 1;
};

struct StudyComment {
  std::int64_t id = 0;
  PersonId person = 0;
  std::string name;
  std::int64_t chapter = 0;  // 0: of the whole study
  std::string text;
  WallTime at = 0;
};

class StudyStore {
 public:
  explicit StudyStore(Store& store) : store_(store) {}

  void add(const StudyRow& row);
  [[nodiscard]] std::optional<StudyRow> find(std::string_view id);
  /// Title and access of the row, and one version more. False if there is no such study with the row's version.
  bool change(const StudyRow& row, WallTime now);
  void drop(std::string_view id);
  /// Those that a person owns or edits, the last changed first.
  [[nodiscard]] std::vector<StudyRow> of_person(PersonId person);
  [[nodiscard]] std::vector<StudyRow> listed(int most);

  [[nodiscard]] bool is_editor(std::string_view id, PersonId person);
  /// The names of the editors, the owner not among them.
  [[nodiscard]] std::vector<std::string> editors(std::string_view id);
  void add_editor(std::string_view id, PersonId person);
  bool drop_editor(std::string_view id, PersonId person);

  /// All chapters in their order, without texts and trees.
  [[nodiscard]] std::vector<ChapterRow> chapters(std::string_view study);
  [[nodiscard]] std::optional<ChapterRow> chapter(std::string_view study, std::int64_t id);
  /// At the end; its number.
  std::int64_t add_chapter(std::string_view study, const ChapterRow& row, WallTime now);
  /// Title, text and tree. False if there is no such chapter with the row's version.
  bool change_chapter(std::string_view study, const ChapterRow& row, WallTime now);
  /// Puts a chapter at a place in the order, from 0.
  void move_chapter(std::string_view study, std::int64_t id, std::size_t place);
  bool drop_chapter(std::string_view study, std::int64_t id);
  /// Bytes of all texts and trees but those of one chapter.
  [[nodiscard]] std::int64_t bytes_without(std::string_view study, std::int64_t chapter);

  /// The oldest first.
  [[nodiscard]] std::vector<StudyComment> comments(std::string_view study);
  std::int64_t add_comment(std::string_view study, const StudyComment& comment);
  bool drop_comment(std::string_view study, std::int64_t id);

 private:
  [[nodiscard]] Database& database();
  Store& store_;
};

}  // namespace paika::server
