// Who plays whom next on the ladder of a class.
#pragma once

#include <optional>
#include <span>

#include "server/store/classes.hpp"

namespace paika::server {

/// One game of a pair: both games have the same opening, with swapped colours.
struct LadderPairing {
  BotId first = 0;  // moves first
  BotId second = 0;
  std::int64_t pair = 1;
  int leg = 1;
};

/// The next game, if there is one: the second of a pair that was begun, as long as both are on the ladder; else the bot
/// with the fewest games against those it has met least, and of these the one nearest in rating. Nobody meets anybody
/// more than 2 * `pairs` times.
[[nodiscard]] std::optional<LadderPairing> next_pairing(std::span<const BotRow> ladder,
                                                        std::span<const Meeting> meetings,
                                                        const std::optional<LadderGameRow>& last, int pairs);

}  // namespace paika::server
