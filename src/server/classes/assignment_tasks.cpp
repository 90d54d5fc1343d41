#include "server/classes/assignment_tasks.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/names.hpp"
#include "base/text.hpp"
#include "engine/registry.hpp"
#include "play/settings.hpp"
#include "play/start.hpp"
#include "server/classes/assignment_proof.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_note = 500;       // bytes
constexpr std::size_t max_position = 2000;  // bytes
constexpr std::size_t max_listed = 50;      // moves of a teacher's list
constexpr int max_task_games = 20;
constexpr std::ptrdiff_t max_proofs = 10;  // each takes up to some seconds
constexpr Milliseconds task_grace(20'000);

std::optional<TaskKind> task_kind(std::string_view word) {
  for (const TaskKind kind : {TaskKind::position, TaskKind::puzzle, TaskKind::game}) {
    if (name(kind) == word) return kind;
  }
  return std::nullopt;
}

Result<std::string> read_note(const Json& object) {
  auto note = text_field(object, "note", "");
  if (!note) return note;
  *note = std::string(trimmed(*note));
  if (note->size() > max_note) return fail(R"("note" must have at most {} bytes)", max_note);
  if (const auto fine = check_title(*note); !fine) return fail(R"("note": {})", fine.error().message);
  return note;
}

/// The game and the position of a task, read into it; the session at that position.
Result<std::unique_ptr<Session>> read_position(const Json& object, Task& task) {
  const auto spec = text_field(object, "spec", "");
  if (!spec) return tl::unexpected(spec.error());
  if (spec->empty()) return fail(R"("spec" must be given: the game, such as "othello")");
  const auto position = text_field(object, "position", "");
  if (!position) return tl::unexpected(position.error());
  if (position->size() > max_position) return fail(R"("position" must have at most {} bytes)", max_position);
  const auto game = position->empty() ? open_game(*spec) : open_game_for(*spec, *position);
  if (!game) return tl::unexpected(game.error());
  auto session = play::start_at(**game, *position);
  if (!session) return fail("bad position for {}: {}", (*game)->notation().spec(), session.error().message);
  if ((*session)->outcome().over()) return fail("the game is over in this position");
  task.spec = (*game)->notation().spec();
  task.position = position->empty() ? "" : (*session)->position_text();
  return session;
}

Result<std::string> read_goal(const Json& object) {
  auto goal = text_field(object, "goal", "win");
  if (goal && *goal != "win" && *goal != "draw")
    return fail(R"("goal" must be "win" or "draw", not {})", in_quotes(*goal));
  return goal;
}

Result<std::vector<std::string>> read_listed(const Json& list, const Session& session) {
  if (!list.is_array() || list.empty() || list.size() > max_listed) {
    return fail(R"("moves" must be a list of 1 to {} moves)", max_listed);
  }
  std::vector<std::string> moves;
  for (const Json& one : list) {
    if (!one.is_string()) return fail(R"("moves" must be a list of texts)");
    const auto text = one.get<std::string>();
    const auto turn = session.read_turn(text);
    if (!turn) {
      return fail(R"("moves": {} cannot be played: {})", in_quotes(text),
                  refusal_json(session.notation(), turn.error())["message"].get<std::string>());
    }
    moves.push_back(session.notation().turn_text(session.board(), *turn));
  }
  return moves;
}

Result<Task> read_position_task(const Json& object, const TaskSources& sources) {
  if (const auto known = only_fields(object, {"kind", "note", "spec", "position", "goal", "moves"}); !known) {
    return tl::unexpected(known.error());
  }
  Task task;
  auto note = read_note(object);
  if (!note) return tl::unexpected(note.error());
  task.note = std::move(*note);
  const auto session = read_position(object, task);
  if (!session) return tl::unexpected(session.error());
  if (object.contains("moves") && !object["moves"].is_null()) {
    auto moves = read_listed(object["moves"], **session);
    if (!moves) return tl::unexpected(moves.error());
    task.accepted = std::move(*moves);
    task.goal = "move";
    task.proof = "list";
    return task;
  }
  auto goal = read_goal(object);
  if (!goal) return tl::unexpected(goal.error());
  task.goal = std::move(*goal);
  auto proven = prove_moves(**session, task.goal, sources.tables);
  if (!proven) return tl::unexpected(proven.error());
  task.accepted = std::move(proven->moves);
  task.moves = proven->within;
  task.proof = std::move(proven->proof);
  return task;
}

/// A time of the body in milliseconds; 0 if it is not given.
Result<void> read_time(const Json& object, std::string_view field, std::int64_t least, std::int64_t& time) {
  const auto given = number_field(object, field, 0, least, play::max_time.count());
  if (!given) return tl::unexpected(given.error());
  time = *given;
  return {};
}

Result<void> read_task_clock(const Json& object, Task& task) {
  if (auto read = read_time(object, "move_ms", 1, task.move_ms); !read) return read;
  if (auto read = read_time(object, "clock_ms", 1, task.clock_ms); !read) return read;
  if (auto read = read_time(object, "increment_ms", 0, task.increment_ms); !read) return read;
  if (task.move_ms != 0 && task.clock_ms != 0) return fail(R"("move_ms" and "clock_ms" cannot both be given)");
  if (task.increment_ms != 0 && task.clock_ms == 0) return fail(R"("increment_ms" needs "clock_ms")");
  return {};
}

Result<Task> read_game_task(const Json& object) {
  const auto known = only_fields(object, {"kind", "note", "spec", "position", "goal", "level", "games", "side",
                                          "move_ms", "clock_ms", "increment_ms"});
  if (!known) return tl::unexpected(known.error());
  Task task;
  task.kind = TaskKind::game;
  auto note = read_note(object);
  if (!note) return tl::unexpected(note.error());
  task.note = std::move(*note);
  if (const auto session = read_position(object, task); !session) return tl::unexpected(session.error());
  auto goal = read_goal(object);
  if (!goal) return tl::unexpected(goal.error());
  task.goal = std::move(*goal);
  const auto level = number_field(object, "level", weakest_level, weakest_level, full_level);
  if (!level) return tl::unexpected(level.error());
  task.level = static_cast<int>(*level);
  const auto games = number_field(object, "games", 1, 1, max_task_games);
  if (!games) return tl::unexpected(games.error());
  task.games = static_cast<int>(*games);
  auto side = text_field(object, "side", "random");
  if (!side) return tl::unexpected(side.error());
  if (*side != "first" && *side != "second" && *side != "random") {
    return fail(R"("side" must be "first", "second" or "random", not {})", in_quotes(*side));
  }
  task.side = std::move(*side);
  if (const auto clock = read_task_clock(object, task); !clock) return tl::unexpected(clock.error());
  return task;
}

/// True if a search or a table has to say which moves are right.
bool needs_proof(const Json& object) {
  return object.is_object() && object.value("kind", Json()) == "position" && object.value("moves", Json()).is_null();
}

/// What one element of the list stands for.
Result<std::vector<Task>> read_element(const Json& object, std::span<const Task> known, const TaskSources& sources) {
  if (!object.is_object()) return fail("a task must be an object, not {}", object.type_name());
  if (object.contains("task")) {
    if (const auto fields = only_fields(object, {"task"}); !fields) return tl::unexpected(fields.error());
    const auto number = number_field(object, "task", 0, 1, std::int64_t{1} << 30);
    if (!number) return tl::unexpected(number.error());
    const Task* const task = find_task(known, std::to_string(*number));
    if (task == nullptr) return fail("there is no task {} to keep", *number);
    return std::vector{*task};
  }
  const auto kind = text_field(object, "kind", "");
  if (!kind) return tl::unexpected(kind.error());
  if (*kind == "puzzles") return draw_puzzles(object, sources.seed);
  if (*kind != "position" && *kind != "game") {
    return fail(R"("kind" must be "position", "puzzles" or "game", not {})", in_quotes(*kind));
  }
  auto task = *kind == "game" ? read_game_task(object) : read_position_task(object, sources);
  if (!task) return tl::unexpected(task.error());
  return std::vector{std::move(*task)};
}

}  // namespace

std::string_view name(TaskKind kind) noexcept {
  switch (kind) {
    case TaskKind::position: return "position";
    case TaskKind::puzzle: return "puzzle";
    case TaskKind::game: return "game";
  }
  return "";
}

Json task_json(const Task& task, bool with_answers) {
  Json json = {{"task", task.number},
               {"kind", name(task.kind)},
               {"note", task.note},
               {"spec", task.spec},
               {"position", task.position.empty() ? Json(nullptr) : Json(task.position)},
               {"goal", task.goal}};
  if (task.kind == TaskKind::game) {
    json["level"] = task.level;
    json["games"] = task.games;
    json["side"] = task.side;
    if (task.move_ms != 0) json["move_ms"] = task.move_ms;
    if (task.clock_ms != 0) {
      json["clock_ms"] = task.clock_ms;
      json["increment_ms"] = task.increment_ms;
    }
    return json;
  }
  if (task.moves != 0) json["moves"] = task.moves;
  json["proof"] = task.proof;
  if (task.kind == TaskKind::puzzle) json["level"] = task.level;
  if (!with_answers) return json;
  json["accepted"] = task.accepted;
  if (task.kind == TaskKind::puzzle) json["puzzle"] = task.puzzle;
  return json;
}

Json tasks_json(std::span<const Task> tasks, bool with_answers) {
  Json list = Json::array();
  for (const Task& task : tasks) list.push_back(task_json(task, with_answers));
  return list;
}

std::vector<Task> stored_tasks(std::string_view text) {
  std::vector<Task> tasks;
  const Json list = Json::parse(text, nullptr, false);
  if (!list.is_array()) return tasks;
  for (const Json& json : list) {
    const auto kind = task_kind(json.value("kind", ""));
    if (!kind) continue;
    Task task;
    task.number = json.value("task", 0);
    task.kind = *kind;
    task.note = json.value("note", "");
    task.spec = json.value("spec", "");
    if (json.contains("position") && json["position"].is_string()) task.position = json["position"].get<std::string>();
    task.goal = json.value("goal", "win");
    task.moves = json.value("moves", 0);
    if (json.contains("accepted")) task.accepted = json["accepted"].get<std::vector<std::string>>();
    task.proof = json.value("proof", "");
    task.puzzle = json.value("puzzle", "");
    task.level = json.value("level", 0);
    task.games = json.value("games", 1);
    task.side = json.value("side", "random");
    task.move_ms = json.value("move_ms", std::int64_t{0});
    task.clock_ms = json.value("clock_ms", std::int64_t{0});
    task.increment_ms = json.value("increment_ms", std::int64_t{0});
    tasks.push_back(std::move(task));
  }
  return tasks;
}

const Task* find_task(std::span<const Task> tasks, std::string_view number) {
  const auto wanted = parse_int(number);
  const auto found =
      std::find_if(tasks.begin(), tasks.end(), [&](const Task& task) { return wanted && task.number == *wanted; });
  return found == tasks.end() ? nullptr : &*found;
}

Result<std::vector<Task>> read_tasks(const Json& list, std::span<const Task> known, const TaskSources& sources) {
  if (!list.is_array() || list.empty()) return fail(R"("tasks" must be a list of at least one task)");
  if (std::count_if(list.begin(), list.end(), needs_proof) > max_proofs) {
    return fail("at most {} positions are proven at a time: list the moves of the others, or add them later",
                max_proofs);
  }
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list.size() > max_tasks || tasks.size() > max_tasks) break;
    auto more = read_element(list[i], known, {sources.tables, sources.seed + i});
    if (!more) return fail("task {}: {}", i + 1, more.error().message);
    tasks.insert(tasks.end(), more->begin(), more->end());
  }
  if (list.size() > max_tasks || tasks.size() > max_tasks) return fail("an assignment has at most {} tasks", max_tasks);
  int last = 0;
  for (const Task& task : known) last = std::max(last, task.number);
  std::vector<int> numbers;
  for (Task& task : tasks) {
    if (task.number == 0) task.number = ++last;
    if (std::find(numbers.begin(), numbers.end(), task.number) != numbers.end()) {
      return fail("task {} is there twice", task.number);
    }
    numbers.push_back(task.number);
  }
  return tasks;
}

Entered<JudgedMove> judge_move(const Task& task, const std::string& move) {
  const auto game = task.position.empty() ? open_game(task.spec) : open_game_for(task.spec, task.position);
  if (!game) return refuse(500, "internal", game.error().message);
  const auto session = play::start_at(**game, task.position);
  if (!session) return refuse(500, "internal", session.error().message);
  const Notation& notation = (*game)->notation();
  const auto turn = (*session)->read_turn(move);
  if (!turn) {
    Json details = refusal_json(notation, turn.error());
    const auto message = details["message"].get<std::string>();
    details.erase("message");
    return tl::unexpected(error_response(422, "illegal", message, details));
  }
  const Board board = (*session)->board();
  JudgedMove judged{notation.turn_text(board, *turn), false};
  (*session)->play(*turn);
  const std::string reached = (*session)->position_text();
  // A move that has two names is the same move: what counts is the position that it leads to.
  judged.solved = std::any_of(task.accepted.begin(), task.accepted.end(), [&](const std::string& accepted) {
    if (accepted == judged.move) return true;
    const auto other = play::start_at(**game, task.position);
    return other && (*other)->try_play(accepted) && (*other)->position_text() == reached;
  });
  return judged;
}

Result<RoomPlan> game_plan(const Task& task) {
  auto game = task.position.empty() ? open_game(task.spec) : open_game_for(task.spec, task.position);
  if (!game) return tl::unexpected(game.error());
  RoomPlan plan;
  plan.game = std::move(*game);
  plan.start = task.position;
  if (task.move_ms != 0) plan.turn_time = Milliseconds(task.move_ms);
  if (task.clock_ms != 0) plan.clock = GameClock{Milliseconds(task.clock_ms), Milliseconds(task.increment_ms)};
  if (plan.turn_time) plan.grace = std::min(task_grace, *plan.turn_time);
  if (plan.clock) plan.grace = std::min(task_grace, plan.clock->left);
  if (task.side != "random") plan.side = task.side == "first" ? Side::first : Side::second;
  plan.engine_level = task.level;
  plan.takebacks = false;
  return plan;
}

}  // namespace paika::server
