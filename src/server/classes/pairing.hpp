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

/// The next game between bots that are `free`: on the ladder, and not playing at the moment. The second game of a pair
/// that was begun, if there is one; house bots never meet each other; else the bot with the fewest games against those
/// it has met least, and of these the one nearest in rating. A new pair is the one after `last_pair`. Nobody meets
/// anybody more than 2 * `pairs` times.
[[nodiscard]] std::optional<LadderPairing> next_pairing(std::span<const BotRow> free, std::span<const Meeting> meetings,
                                                        std::span<const HalfPair> begun, std::int64_t last_pair,
                                                        int pairs);

}  // namespace paika::server
