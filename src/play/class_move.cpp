#include "play/class_move.hpp"

#include <fmt/format.h>
#include <utility>

namespace paika::play {

std::string class_move(const Turn& turn, const Coordinates& coordinates) {
  const auto point = [&](Square s) { return fmt::format(" {} {}", s.col + 1, coordinates.row_number(s.row)); };
  std::string text;
  Square at{};
  Square from{};
  for (const Step& step : turn) {
    switch (step.kind) {
      case StepKind::from: at = step.square; break;
      case StepKind::to: from = std::exchange(at, step.square); break;
      case StepKind::sacrifice: return "S" + point(at);
      case StepKind::approach:
      case StepKind::withdraw:
        text += fmt::format("{}{}{}{}", text.empty() ? "" : " + ", step.kind == StepKind::approach ? 'A' : 'W',
                            point(from), point(at));
        break;
      default: break;  // no other steps in Fanorona
    }
  }
  return text.empty() ? "P" + point(from) + point(at) : text;
}

}  // namespace paika::play
