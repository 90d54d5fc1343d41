#include "engine/solver.hpp"

#include <algorithm>

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

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec) {
  const auto game = find_game(spec.substr(0, spec.find(':')));
  if (!game) return tl::unexpected(game.error());
  const std::string_view name = (*game)->name;
  if (name == "abalone") return open_abalone_solver(spec);
  if (name == "fanorona") return open_fanorona_solver(spec);
  if (name == "wildebeest") return open_wildebeest_solver(spec);
  return fail("{} is not solved by tables: its positions never come back, so it is solved by search", name);
}

}  // namespace paika
