// Reach: which places of a space a game from a given position can come to.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "solve/index_set.hpp"
#include "solve/solvable.hpp"
#include "solve/workers.hpp"

namespace paika {

/// The places that games from `start` can come to, by tier; those of finished games only if the space
/// holds them. Takes three bits a place. Empty sets if it was stopped.
template <Solvable S>
[[nodiscard]] std::vector<IndexSet> reachable_places(const S& space, const typename S::RulesType::Position& start,
                                                     int threads, const std::stop_token& stop) {
  std::vector<IndexSet> reached;
  for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) reached.emplace_back(space.size(tier));
  const auto first = space.place(start);
  if (!first) return reached;
  reached[first->tier].add(first->index);
  // No turn leads to a higher tier, so a tier is complete when those above it are and it has settled.
  for (std::uint32_t tier = first->tier + 1; tier-- > 0;) {
    IndexSet expanded(space.size(tier));
    std::atomic<bool> more{true};
    while (more.exchange(false) && !stop.stop_requested()) {
      constexpr std::uint64_t block = 64;  // words
      const std::uint64_t words = reached[tier].words().size();
      share_out(threads, (words + block - 1) / block, [&](std::uint64_t b, int) {
        for (std::uint64_t w = b * block; w < std::min(words, (b + 1) * block); ++w) {
          std::uint64_t fresh =
              std::atomic_ref(reached[tier].words()[w]).load(std::memory_order_relaxed) & ~expanded.words()[w];
          expanded.words()[w] |= fresh;
          for (; fresh != 0; fresh &= fresh - 1) {
            const auto p = space.position({tier, w * 64 + static_cast<std::uint64_t>(std::countr_zero(fresh))});
            space.rules().for_each_turn(*p, [&](const typename S::RulesType::Move& m) {
              const auto next = space.place(space.rules().play(*p, m));
              if (next && reached[next->tier].add(next->index) && next->tier == tier) {
                more.store(true, std::memory_order_relaxed);
              }
              return true;
            });
          }
        }
      });
    }
  }
  if (stop.stop_requested()) reached.clear();
  return reached;
}

}  // namespace paika
