#include "play/start.hpp"

#include <utility>

#include "base/check.hpp"

namespace paika::play {

Result<std::unique_ptr<Session>> start_at(const Game& game, std::string_view start) {
  if (start.empty()) return game.start();
  return game.start_from_text(start);
}

std::unique_ptr<Session> known_start(const Game& game, std::string_view start) {
  auto session = start_at(game, start);
  PAIKA_CHECK(session.has_value());
  return std::move(*session);
}

}  // namespace paika::play
