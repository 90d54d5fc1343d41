#include "engine/solver.hpp"

#include <algorithm>

#include "engine/module.hpp"

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

Result<const GameModule*> find_solved(std::string_view spec) {
  auto module = find_module(spec_name(spec));
  if (module && (*module)->solver == nullptr) {
    const std::string_view name = (*module)->info().name;
    if ((*module)->exact_squares == 0) return fail("{} is not solved by tables in this program", name);
    return fail("{} is not solved by tables: its positions never repeat, so it is solved by search", name);
  }
  return module;
}

}  // namespace

Result<std::string> table_label(std::string_view spec) {
  const auto module = find_solved(spec);
  if (!module) return tl::unexpected(module.error());
  return (*module)->table_label(spec);
}

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec) {
  const auto module = find_solved(spec);
  if (!module) return tl::unexpected(module.error());
  return (*module)->solver(spec);
}

}  // namespace paika
