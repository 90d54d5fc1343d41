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

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec, int stones) {
  if (const auto label = table_label(spec, stones); !label) return tl::unexpected(label.error());
  const GameModule& module = **find_module(spec_name(spec));
  if (module.solver == nullptr) return fail("this program reads tables of {} and makes none", module.info().name);
  return module.solver(spec, stones);
}

}  // namespace paika
