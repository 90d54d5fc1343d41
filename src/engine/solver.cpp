#include "engine/solver.hpp"

#include <algorithm>
#include <array>

#include "engine/registry.hpp"
#include "engine/typed_solver.hpp"

namespace paika {

void ValueCounts::add(Value value) noexcept {
  switch (value.kind()) {
    case ValueKind::win:
      ++wins;
      longest_win = std::max(longest_win, value.turns());
      break;
    case ValueKind::loss:
      ++losses;
      longest_loss = std::max(longest_loss, value.turns());
      break;
    case ValueKind::draw: ++draws; break;
    case ValueKind::none: break;
  }
}

std::string value_text(Value value) {
  switch (value.kind()) {
    case ValueKind::win: return fmt::format("won in {}", value.turns());
    case ValueKind::loss: return fmt::format("lost in {}", value.turns());
    case ValueKind::draw: return "drawn";
    case ValueKind::none: break;
  }
  return "no position";
}

namespace {

/// What each game that is solved by tables offers.
struct SolvedGame {
  std::string_view name;
  Result<std::string> (*label)(std::string_view spec);
  Result<std::unique_ptr<Solver>> (*open)(std::string_view spec);
};

constexpr std::array<SolvedGame, 3> solved_games = {{{"abalone", abalone_table_label, open_abalone_solver},
                                                     {"fanorona", fanorona_table_label, open_fanorona_solver},
                                                     {"wildebeest", wildebeest_table_label, open_wildebeest_solver}}};

Result<const SolvedGame*> find_solved(std::string_view spec) {
  const auto game = find_game(spec.substr(0, spec.find(':')));
  if (!game) return tl::unexpected(game.error());
  for (const SolvedGame& solved : solved_games) {
    if (solved.name == (*game)->name) return &solved;
  }
  return fail("{} is not solved by tables: its positions never repeat, so it is solved by search", (*game)->name);
}

}  // namespace

Result<std::string> table_label(std::string_view spec) {
  const auto game = find_solved(spec);
  if (!game) return tl::unexpected(game.error());
  return (*game)->label(spec);
}

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec) {
  const auto game = find_solved(spec);
  if (!game) return tl::unexpected(game.error());
  return (*game)->open(spec);
}

}  // namespace paika
