#include "engine/look.hpp"

namespace paika {

std::string_view name(Ground ground) noexcept {
  switch (ground) {
    case Ground::points: return "points";
    case Ground::hollows: return "hollows";
    case Ground::grid: return "grid";
    case Ground::chequered: break;
  }
  return "chequered";
}

std::string_view name(PieceShape shape) noexcept {
  switch (shape) {
    case PieceShape::stone: return "stone";
    case PieceShape::marble: return "marble";
    case PieceShape::disc: return "disc";
    case PieceShape::figure: break;
  }
  return "figure";
}

}  // namespace paika
