#include "rules/turn.hpp"

#include <algorithm>

namespace paika {

std::string_view name(StepKind kind) noexcept {
  switch (kind) {
    case StepKind::place: return translatable("place");
    case StepKind::pass: return translatable("pass");
    case StepKind::from: return translatable("from");
    case StepKind::to: return translatable("to");
    case StepKind::approach: return translatable("approach");
    case StepKind::withdraw: return translatable("withdraw");
    case StepKind::sacrifice: return translatable("sacrifice");
    case StepKind::fling: return translatable("fling");
  }
  return "";
}

Phrase step_phrase(StepKind kind) { return phrase_of(name(kind)); }

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
