#include "games/fanorona/tiers.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "board/subsets.hpp"

namespace paika::fanorona {

Tiers::Tiers(int points, int stones, int total, bool sacrifice, PairCount pairs) : points_(points), stones_(stones) {
  PAIKA_CHECK(stones <= max_stones);
  const int most = std::min(total, 2 * stones);
  for (int sum = 2; sum <= most; ++sum) {
    for (int more = (sum + 1) / 2; more <= std::min(stones, sum - 1); ++more) {
      add_tier(pairs, more, sum - more, false);
      if (sacrifice && sum < most) add_tier(pairs, more, sum - more, true);
    }
  }
  if (count_ == 0) count_ = 1;
}

void Tiers::add_tier(PairCount pairs, int more, int fewer, bool block) {
  Tier& tier = tiers_[count_++];
  tier = {.more = static_cast<std::int8_t>(more), .fewer = static_cast<std::int8_t>(fewer), .block = block};
  add_part(pairs, more, fewer, block);
  tier.turned = tier.size;
  // A block was a stone of the side not to move (4.1): with all the others on the board it is too many.
  if (more != fewer && !(block && more == stones_)) add_part(pairs, fewer, more, block);
}

void Tiers::add_part(PairCount pairs, int own, int opp, bool block) {
  Tier& tier = tiers_[count_ - 1];
  Part& part = parts_[block ? 1 : 0][static_cast<std::size_t>(own)][static_cast<std::size_t>(opp)];
  part = {.first = tier.size,
          .tier = count() - 1,
          .own = static_cast<std::int8_t>(own),
          .opp = static_cast<std::int8_t>(opp),
          .block = block};
  if (block) part.block_points = static_cast<std::uint8_t>(points_ - own - opp);
  tier.size += pairs(own, opp) * part.block_points;
}

std::uint64_t Tiers::unfolded(std::uint32_t tier) const noexcept {
  std::uint64_t sum = 0;
  for (const auto& by_own : parts_[tiers_[tier].block ? 1 : 0]) {
    for (const Part& part : by_own) {
      if (part.tier != tier) continue;
      sum += choose(points_, part.own) * choose(points_ - part.own, part.opp) * part.block_points;
    }
  }
  return sum;
}

std::string Tiers::name(std::uint32_t tier) const {
  const Tier& t = tiers_[tier];
  return std::to_string(t.more) + '-' + std::to_string(t.fewer) + (t.block ? "x" : "");
}

std::vector<std::uint32_t> Tiers::below(std::uint32_t tier) const {
  std::vector<std::uint32_t> found;
  const auto add = [&](int own, int opp, bool block) {
    const std::uint32_t to = part(own, opp, block).tier;
    if (to != nowhere && to != tier) found.push_back(to);
  };
  const auto add_turns = [&](const Part& from) {
    add(from.opp, from.own, false);                                              // paikas
    for (int left = from.opp - 1; left > 0; --left) add(left, from.own, false);  // captures
    if (from.own > 1) add(from.opp, from.own - 1, true);                         // sacrifices
  };
  const Tier& t = tiers_[tier];
  if (t.size > 0) add_turns(part_at(tier, 0));
  if (t.size > t.turned) add_turns(part_at(tier, t.turned));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace paika::fanorona
