// 4.1: the size of the board follows from the length of a position's text.
#include <fmt/format.h>

#include "base/text.hpp"
#include "games/othello/game.hpp"

namespace paika::othello {

std::string spec_for_position(std::string_view spec, std::string_view position) {
  if (spec.find(':') != std::string_view::npos) return std::string(spec);
  const std::string_view text = trimmed(position);
  const std::size_t cells = std::min(text.find_first_of(" \t\r\n;"), text.size());
  for (std::size_t n = min_size; n <= max_size; n += 2) {
    if (n * n == cells) return fmt::format("{}:{}x{}", spec, n, n);
  }
  return std::string(spec);
}

}  // namespace paika::othello
