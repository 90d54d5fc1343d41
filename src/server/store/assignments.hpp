// AssignmentStore: the part of the store about assignments: what a teacher sets a class, and what its people tried.
//
// A view of a Store, made where it is needed and used by the same thread. The tasks are kept as text, and nothing here
// looks into them (server/classes/assignment_tasks.hpp does).
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

using AssignmentId = std::string;

struct AssignmentRow {
  AssignmentId id;
  ClassId class_id;
  std::string title;
  std::string text;
  WallTime deadline = 0;   // 0: none
  bool takes_late = true;  // after the deadline, and shows it
  int max_attempts = 0;    // at one task; 0: any number
  bool open = true;
  std::string tasks = "[]";  // JSON
  WallTime created = 0;
};

/// What somebody tried at a task: a move, or a game.
struct AttemptRow {
  PersonId person = 0;
  int task = 0;
  WallTime begun = 0;
  WallTime ended = 0;  // 0: the game goes on
  std::string move;    // empty: a game
  RoomId room;         // of a game; empty if it is gone
  bool solved = false;
};

class AssignmentStore {
 public:
  explicit AssignmentStore(Store& store) : store_(store) {}

  void add(const AssignmentRow& row);
  [[nodiscard]] std::optional<AssignmentRow> find(std::string_view class_id, std::string_view id);
  /// The newest first.
  [[nodiscard]] std::vector<AssignmentRow> of_class(std::string_view class_id);
  [[nodiscard]] std::size_t count(std::string_view class_id);
  /// Everything but id, class and created.
  void change(const AssignmentRow& row);
  /// Forgets what was tried at tasks that are not among these.
  void keep_tasks(std::string_view id, std::span<const int> tasks);
  void drop(std::string_view id);

  /// A move that was judged.
  void add_move(std::string_view id, int task, PersonId person, std::string_view move, bool solved, WallTime now);
  /// A game that begins; its end is noted when the room has ended. `wanted` is win or draw.
  void add_game(std::string_view id, int task, PersonId person, const RoomId& room, std::string_view wanted,
                WallTime now);
  /// What a person tried, the first first.
  [[nodiscard]] std::vector<AttemptRow> attempts_of(std::string_view id, PersonId person);
  /// What everybody tried, the first first.
  [[nodiscard]] std::vector<AttemptRow> attempts(std::string_view id);

 private:
  [[nodiscard]] Database& database();
  Store& store_;
};

}  // namespace paika::server
