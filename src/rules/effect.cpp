#include "rules/effect.hpp"

namespace paika {

std::string_view name(EffectKind kind) noexcept {
  switch (kind) {
    case EffectKind::placed: return "placed";
    case EffectKind::moved: return "moved";
    case EffectKind::captured: return "captured";
    case EffectKind::pushed: return "pushed";
    case EffectKind::flung: return "flung";
    case EffectKind::poisoned: return "poisoned";
    case EffectKind::transformed: return "transformed";
    case EffectKind::swept: return "swept";
    case EffectKind::teleported: return "teleported";
    case EffectKind::exploded: return "exploded";
    case EffectKind::flipped: return "flipped";
    case EffectKind::sacrificed: return "sacrificed";
    case EffectKind::removed: return "removed";
    case EffectKind::passed: return "passed";
  }
  return "";
}

Grid<Cell> replayed(Grid<Cell> grid, std::span<const Effect> effects, const std::function<Cell(Square)>& empty) {
  for (std::size_t begin = 0; begin < effects.size();) {
    std::size_t end = begin;
    while (end < effects.size() && effects[end].stage == effects[begin].stage) ++end;
    const auto stage = effects.subspan(begin, end - begin);
    for (const Effect& e : stage)
      if (e.from) grid[*e.from] = empty(*e.from);
    for (const Effect& e : stage)
      if (e.to) grid[*e.to] = e.piece;
    begin = end;
  }
  return grid;
}

}  // namespace paika
