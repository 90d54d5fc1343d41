#include "server/classes/pairing.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace paika::server {

namespace {

bool is_on(std::span<const BotRow> bots, BotId id) {
  return std::any_of(bots.begin(), bots.end(), [&](const BotRow& bot) { return bot.id == id; });
}

using Met = std::map<std::pair<BotId, BotId>, int>;

int met(const Met& all, BotId a, BotId b) {
  const auto found = all.find(std::minmax(a, b));
  return found == all.end() ? 0 : found->second;
}

}  // namespace

std::optional<LadderPairing> next_pairing(std::span<const BotRow> free, std::span<const Meeting> meetings,
                                          std::span<const HalfPair> begun, std::int64_t last_pair, int pairs) {
  for (const HalfPair& half : begun) {
    if (!is_on(free, half.bots[0]) || !is_on(free, half.bots[1])) continue;
    return LadderPairing{half.bots[1], half.bots[0], half.pair, 2};
  }
  Met all;
  for (const Meeting& meeting : meetings) all[{meeting.first, meeting.second}] = meeting.games;
  std::vector<const BotRow*> bots;
  for (const BotRow& bot : free) bots.push_back(&bot);
  std::sort(bots.begin(), bots.end(), [](const BotRow* a, const BotRow* b) {
    return std::pair(a->games(), a->id) < std::pair(b->games(), b->id);
  });
  for (const BotRow* bot : bots) {
    const BotRow* best = nullptr;
    const auto worth = [&](const BotRow* other) {
      return std::tuple(met(all, bot->id, other->id), std::abs(bot->rating.value - other->rating.value), other->id);
    };
    for (const BotRow* other : bots) {
      if (other == bot || (bot->house() && other->house())) continue;
      if (met(all, bot->id, other->id) >= 2 * pairs) continue;
      if (best == nullptr || worth(other) < worth(best)) best = other;
    }
    if (best == nullptr) continue;
    return LadderPairing{bot->id, best->id, last_pair + 1, 1};
  }
  return std::nullopt;
}

}  // namespace paika::server
