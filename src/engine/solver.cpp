#include "engine/solver.hpp"

#include <algorithm>

#include "engine/module.hpp"

namespace paika {

void ValueCounts::add(Value value) noexcept {
  switch (value.kind()) {
    case ValueKind::win:
      ++wins;
      if (value.has_distance()) longest_win = std::max(longest_win, value.turns());
      break;
    case ValueKind::loss:
      ++losses;
      if (value.has_distance()) longest_loss = std::max(longest_loss, value.turns());
      break;
    case ValueKind::draw: ++draws; break;
    case ValueKind::none: break;
  }
}

std::string value_text(Value value) {
  if (!value.has_distance()) return value.is_win() ? "won" : "lost";
  switch (value.kind()) {
    case ValueKind::win: return fmt::format("won in {}", value.turns());
    case ValueKind::loss: return fmt::format("lost in {}", value.turns());
    case ValueKind::draw: return "drawn";
    case ValueKind::none: break;
  }
  return "no position";
}

namespace {

Result<const GameModule*> find_solved(std::string_view spec, int stones) {
  auto module = find_module(spec_name(spec));
  if (module && (*module)->solver == nullptr) {
    const std::string_view name = (*module)->info().name;
    if ((*module)->exact_squares == 0) return fail("{} is not solved by tables in this program", name);
    return fail("{} is not solved by tables: its positions never repeat, so it is solved by search", name);
  }
  if (module && stones != 0) {
    const int most = (*module)->max_stones;
    if (most == 0) return fail("{} has no tables of positions with few stones", (*module)->info().name);
    if (stones < min_table_stones || stones > most) {
      return fail("tables are made of positions with at most {} to {} stones, not {}", min_table_stones, most, stones);
    }
  }
  return module;
}

}  // namespace

Result<std::string> table_label(std::string_view spec, int stones) {
  const auto module = find_solved(spec, stones);
  if (!module) return tl::unexpected(module.error());
  return stones == 0 ? (*module)->table_label(spec) : (*module)->endgame_label(spec, stones);
}

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec, int stones) {
  const auto module = find_solved(spec, stones);
  if (!module) return tl::unexpected(module.error());
  return stones == 0 ? (*module)->solver(spec) : (*module)->endgame_solver(spec, stones);
}

std::vector<TableKind> table_kinds(std::string_view spec) {
  std::vector<TableKind> kinds;
  const auto add = [&](int stones) {
    if (auto label = table_label(spec, stones)) kinds.push_back({std::move(*label), stones});
  };
  add(0);
  const auto module = find_module(spec_name(spec));
  for (int stones = module ? (*module)->max_stones : 0; stones >= min_table_stones; --stones) add(stones);
  return kinds;
}

}  // namespace paika
