#include "rules/turn.hpp"

#include <algorithm>

namespace paika {

std::string_view name(StepKind kind) noexcept {
  switch (kind) {
    case StepKind::place: return "place";
    case StepKind::pass: return "pass";
    case StepKind::from: return "from";
    case StepKind::to: return "to";
    case StepKind::approach: return "approach";
    case StepKind::withdraw: return "withdraw";
    case StepKind::sacrifice: return "sacrifice";
    case StepKind::fling: return "fling";
  }
  return "";
}

bool squares_fit_kinds(const Turn& turn) noexcept {
  return std::all_of(turn.begin(), turn.end(),
                     [](const Step& s) { return has_square(s.kind) || s.square == Square{}; });
}

Turn transformed(const Turn& turn, Dihedral map, int cols, int rows) {
  Turn out = turn;
  for (Step& s : out)
    if (has_square(s.kind)) s.square = mapped(s.square, map, cols, rows);
  return out;
}

}  // namespace paika
