// The tasks of an assignment: what a teacher asks for, read and proven; and whether what somebody played solves them.
//
// A task is a position in which a move is to be found, a puzzle of data/puzzles, or games against the engine. Which
// moves solve a position is decided when the task is set, by a table, a search or the teacher's own list; an attempt is
// then compared with them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/json.hpp"
#include "server/classes/class_access.hpp"
#include "server/rooms/room.hpp"

namespace paika::server {

inline constexpr std::size_t max_tasks = 50;  // of an assignment

enum class TaskKind : unsigned char { position, puzzle, game };
[[nodiscard]] std::string_view name(TaskKind kind) noexcept;

struct Task {
  int number = 0;  // in its assignment
  TaskKind kind = TaskKind::position;
  std::string note;      // what the teacher says about it
  std::string spec;      // canonical
  std::string position;  // empty: the game's own start
  std::string goal;      // win or draw; move: one that the teacher has listed
  int moves = 0;         // to win in so many moves; 0: at any time
  // Of positions and puzzles.
  std::vector<std::string> accepted;  // the moves that solve it, canonical
  std::string proof;                  // by what they were found: table, proof or ending; list: by the teacher
  std::string puzzle;                 // its id
  int level = 0;                      // of the puzzle, or of the engine
  // Of games.
  int games = 1;  // so many have to end well
  std::string side = "random";
  std::int64_t move_ms = 0;  // time per move, or for the game with an increment per move; 0: none
  std::int64_t clock_ms = 0;
  std::int64_t increment_ms = 0;
};

/// As it is stored, and as the teacher sees it. Others do not see the solution (`with_answers`).
[[nodiscard]] Json task_json(const Task& task, bool with_answers);
[[nodiscard]] Json tasks_json(std::span<const Task> tasks, bool with_answers);
/// Tasks again from what was stored.
[[nodiscard]] std::vector<Task> stored_tasks(std::string_view text);
/// Nothing if there is none of this number.
[[nodiscard]] const Task* find_task(std::span<const Task> tasks, std::string_view number);

/// What is needed to make tasks.
struct TaskSources {
  std::string tables;      // the folder of perfect play; empty: none
  std::uint64_t seed = 0;  // by which puzzles are drawn
};

/// The list of tasks that a teacher sends: {"task": N} stands for one of `known` as it is, everything else is a new
/// one;
/// {"kind": "puzzles", …} becomes as many tasks as it asks for. An error names the element. May take seconds.
[[nodiscard]] Result<std::vector<Task>> read_tasks(const Json& list, std::span<const Task> known,
                                                   const TaskSources& sources);

struct JudgedMove {
  std::string move;  // canonical
  bool solved = false;
};
/// Judges a move at a position or a puzzle; 422 illegal if the rules forbid it.
[[nodiscard]] Entered<JudgedMove> judge_move(const Task& task, const std::string& move);

/// The room for a game of the task. Moves cannot be taken back there: the engine would agree to everything.
[[nodiscard]] Result<RoomPlan> game_plan(const Task& task);

}  // namespace paika::server
