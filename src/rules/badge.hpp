// Badges: what a piece is at the moment, where the board alone does not show it.
#pragma once

#include <string_view>

#include "board/square.hpp"

namespace paika {

enum class BadgeKind : unsigned char {
  frozen,     // may not be moved this turn
  paralysed,  // cannot move while its neighbour stands
  charged,    // will do something by itself after the turn
  jet         // carries what it once came upon
};

[[nodiscard]] constexpr std::string_view name(BadgeKind kind) noexcept {
  switch (kind) {
    case BadgeKind::frozen: return "frozen";
    case BadgeKind::paralysed: return "paralysed";
    case BadgeKind::charged: return "charged";
    case BadgeKind::jet: return "jet";
  }
  return "";
}

struct Badge {
  Square square;
  BadgeKind kind = BadgeKind::frozen;

  friend bool operator==(const Badge&, const Badge&) = default;
};

}  // namespace paika
