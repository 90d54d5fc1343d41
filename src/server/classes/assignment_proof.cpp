#include "server/classes/assignment_proof.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "base/data.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "engine/exact.hpp"
#include "engine/move_value.hpp"
#include "engine/registry.hpp"
#include "server/http/answers.hpp"
#include "study/full_width.hpp"
#include "study/puzzles.hpp"

namespace paika::server {

namespace {

constexpr int max_empty = 14;  // squares of an ending that is searched
constexpr int exact_hash_mb = 16;
constexpr study::FullWidthLimits forced_wins{7, 400'000};

/// What is known of all moves, and by what.
struct Values {
  std::vector<OracleTurn> turns;  // none: nothing is known
  std::string proof;
};

Result<Values> known_values(const Session& session, const std::string& tables) {
  const Game& game = session.game();
  if (solved_by_search(game)) {
    if (empty_squares(session.board()) > max_empty) return Values{};
    auto search = ExactSearch::open(game, 1, exact_hash_mb);
    if (!search) return Values{};  // the board is too large for that
    auto turns = search_oracle(std::move(*search), max_empty)(session);
    if (!turns) return tl::unexpected(turns.error());
    return Values{std::move(*turns), "ending"};
  }
  if (!tables.empty()) {
    auto book = TableBook::open(game.notation().spec(), tables);
    if (!book) return tl::unexpected(book.error());
    if (*book) {
      auto turns = table_oracle(std::move(*book))(session);
      if (!turns) return tl::unexpected(turns.error());
      if (!turns->empty()) return Values{std::move(*turns), "table"};
    }
  }
  auto turns = study::full_width_oracle(game, forced_wins)(session);
  if (!turns) return tl::unexpected(turns.error());
  return Values{std::move(*turns), "proof"};
}

std::vector<study::Puzzle> read_all_puzzles() {
  std::vector<study::Puzzle> all;
  for (const std::string_view file : data_names()) {
    if (!file.ends_with(".tsv")) continue;
    if (auto puzzles = study::parse_puzzles(data_file(file))) all.insert(all.end(), puzzles->begin(), puzzles->end());
  }
  return all;
}

/// Those that are built in; a game without a file has none.
const std::vector<study::Puzzle>& all_puzzles() {
  static const std::vector<study::Puzzle> all = read_all_puzzles();
  return all;
}

Task puzzle_task(const study::Puzzle& puzzle) {
  Task task;
  task.kind = TaskKind::puzzle;
  task.spec = puzzle.spec;
  task.position = puzzle.position;
  task.goal = std::string(paika::name(puzzle.goal));
  task.moves = puzzle.moves;
  task.accepted = {puzzle.solution};
  task.proof = puzzle.proof;
  task.puzzle = puzzle.id;
  task.level = puzzle.level;
  return task;
}

Result<std::vector<Task>> named_puzzles(const Json& object) {
  if (const auto known = only_fields(object, {"kind", "ids"}); !known) return tl::unexpected(known.error());
  const Json& ids = object["ids"];
  if (!ids.is_array() || ids.empty() || ids.size() > max_tasks) {
    return fail(R"("ids" must be a list of 1 to {} puzzles)", max_tasks);
  }
  std::vector<Task> tasks;
  for (const Json& id : ids) {
    const auto& all = all_puzzles();
    const auto found = std::find_if(all.begin(), all.end(), [&](const study::Puzzle& one) { return id == one.id; });
    if (found == all.end()) {
      return fail("there is no puzzle {}", id.is_string() ? in_quotes(id.get<std::string>()) : id.dump());
    }
    tasks.push_back(puzzle_task(*found));
  }
  return tasks;
}

struct PuzzleChoice {
  std::string game;
  std::string theme;
  int min_level = 1;
  int max_level = study::max_puzzle_level;
  std::size_t count = 1;
};

Result<PuzzleChoice> read_choice(const Json& object) {
  const auto known = only_fields(object, {"kind", "game", "theme", "min_level", "max_level", "count"});
  if (!known) return tl::unexpected(known.error());
  PuzzleChoice choice;
  auto game = text_field(object, "game", "");
  if (!game) return tl::unexpected(game.error());
  const auto opened = open_game(*game);
  if (!opened) return tl::unexpected(opened.error());
  choice.game = (*opened)->info().name;
  auto theme = text_field(object, "theme", "");
  if (!theme) return tl::unexpected(theme.error());
  choice.theme = std::move(*theme);
  const auto min_level = number_field(object, "min_level", choice.min_level, 1, study::max_puzzle_level);
  if (!min_level) return tl::unexpected(min_level.error());
  const auto max_level = number_field(object, "max_level", choice.max_level, 1, study::max_puzzle_level);
  if (!max_level) return tl::unexpected(max_level.error());
  if (*min_level > *max_level) return fail(R"("min_level" is {}, more than "max_level", {})", *min_level, *max_level);
  choice.min_level = static_cast<int>(*min_level);
  choice.max_level = static_cast<int>(*max_level);
  const auto count = number_field(object, "count", 1, 1, static_cast<std::int64_t>(max_tasks));
  if (!count) return tl::unexpected(count.error());
  choice.count = static_cast<std::size_t>(*count);
  return choice;
}

bool fits(const study::Puzzle& puzzle, const PuzzleChoice& choice) {
  return split(puzzle.spec, ':').front() == choice.game && puzzle.level >= choice.min_level &&
         puzzle.level <= choice.max_level &&
         (choice.theme.empty() ||
          std::find(puzzle.themes.begin(), puzzle.themes.end(), choice.theme) != puzzle.themes.end());
}

}  // namespace

Result<ProvenMoves> prove_moves(const Session& session, const std::string& goal, const std::string& tables) {
  const auto values = known_values(session, tables);
  if (!values) return tl::unexpected(values.error());
  // A search for forced wins says of the other moves only that they do not win as soon, not whether they lose.
  const bool only_soonest_wins = values->proof == "proof";
  ProvenMoves proven{{}, values->proof, 0};
  for (const OracleTurn& turn : values->turns) {
    const bool wins = turn.value.kind == ValueKind::win;
    const bool counts = goal == "win" ? wins : !only_soonest_wins && (wins || turn.value.kind == ValueKind::draw);
    if (!counts) continue;
    proven.moves.push_back(turn.text);
    if (only_soonest_wins) proven.within = study::winners_moves(turn.value);
  }
  if (!proven.moves.empty()) return proven;
  if (!values->turns.empty() && !only_soonest_wins) {
    return fail("{} in this position", goal == "win" ? "no move wins" : "every move loses");
  }
  return fail("neither a table nor a search proves which moves {}: list those that count in \"moves\"",
              goal == "win" ? "win" : "do not lose");
}

Result<std::vector<Task>> draw_puzzles(const Json& object, std::uint64_t seed) {
  if (object.contains("ids")) return named_puzzles(object);
  const auto choice = read_choice(object);
  if (!choice) return tl::unexpected(choice.error());
  std::vector<const study::Puzzle*> found;
  for (const study::Puzzle& puzzle : all_puzzles()) {
    if (fits(puzzle, *choice)) found.push_back(&puzzle);
  }
  if (found.size() < choice->count) {
    return fail("there are only {} such puzzles, not {}", found.size(), choice->count);
  }
  Random random(seed);
  for (std::size_t i = 0; i < choice->count; ++i) std::swap(found[i], found[i + random.index(found.size() - i)]);
  found.resize(choice->count);
  std::sort(found.begin(), found.end(), [](const study::Puzzle* a, const study::Puzzle* b) {
    return std::tie(a->level, a->id) < std::tie(b->level, b->id);
  });
  std::vector<Task> tasks;
  tasks.reserve(found.size());
  for (const study::Puzzle* const puzzle : found) tasks.push_back(puzzle_task(*puzzle));
  return tasks;
}

}  // namespace paika::server
