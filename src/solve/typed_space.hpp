// TypedSpace: the space of one game behind SolveSpace (solve/space.hpp).
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solve/reach.hpp"
#include "solve/retrograde.hpp"
#include "solve/space.hpp"
#include "solve/verify.hpp"

namespace paika {

template <Solvable S>
class TypedSpace final : public SolveSpace {
 public:
  template <class... Arguments>
  explicit TypedSpace(Arguments&&... arguments) : space_(std::forward<Arguments>(arguments)...) {}

  [[nodiscard]] std::uint32_t tiers() const override { return space_.tiers(); }
  [[nodiscard]] std::uint64_t size(std::uint32_t tier) const override { return space_.size(tier); }
  [[nodiscard]] std::uint64_t unfolded([[maybe_unused]] std::uint32_t tier) const override {
    if constexpr (requires { space_.unfolded(tier); }) return space_.unfolded(tier);
    return 0;
  }
  [[nodiscard]] std::string tier_name(std::uint32_t tier) const override { return space_.tier_name(tier); }
  [[nodiscard]] std::vector<std::uint32_t> below(std::uint32_t tier) const override { return space_.below(tier); }
  [[nodiscard]] std::optional<TierIndex> place(const Board& board) const override {
    return space_.place(space_.rules().from_board(board));
  }
  [[nodiscard]] std::optional<Board> board(TierIndex place) const override {
    const auto p = space_.position(place);
    if (!p) return std::nullopt;
    return space_.rules().to_board(*p);
  }

  [[nodiscard]] std::uint64_t bytes_per_place([[maybe_unused]] std::uint32_t tier) const override {
    if constexpr (GoesBack<S>) {
      return Part::bytes_per_place;
    } else {
      // The turns are listed: a sample tells how many there are.
      constexpr std::uint64_t sample = 2000;
      const std::uint64_t size = space_.size(tier);
      const std::uint64_t step = std::max<std::uint64_t>(1, size / sample);
      std::uint64_t turns = 0;
      std::uint64_t looked = 0;
      for (std::uint64_t i = 0; i < size; i += step, ++looked) {
        if (const auto p = space_.position(TierIndex{tier, i})) turns += space_.rules().count_turns(*p);
      }
      const std::uint64_t mean = looked == 0 ? 0 : (turns + looked - 1) / looked;
      return Part::bytes_per_place + TurnLists::target_bytes + (mean + 1) * TurnLists::turn_bytes;
    }
  }
  [[nodiscard]] std::unique_ptr<TierAnalysis> analyse(std::uint32_t tier, IndexRun run, int threads) const override {
    return std::make_unique<Analysis<S>>(space_, tier, run, threads);
  }
  [[nodiscard]] std::optional<WrongValue> verify(std::uint32_t tier, int threads, FinishedTiers& values,
                                                 ProgressReporter& on_progress,
                                                 const std::stop_token& stop) const override {
    return verify_tier(
        space_, tier, threads, [&](TierIndex place, int worker) { return values.at(place, worker); },
        std::ref(on_progress), stop);
  }
  [[nodiscard]] std::optional<WrongValue> check(
      std::span<const TierIndex> places,
      FunctionRef<std::vector<Value>(std::span<const TierIndex>)> fetch) const override {
    return check_places(space_, places, fetch);
  }
  [[nodiscard]] std::vector<TierIndex> best_next(
      std::span<const TierIndex> places,
      FunctionRef<std::vector<Value>(std::span<const TierIndex>)> fetch) const override {
    return best_next_places(space_, places, fetch);
  }
  [[nodiscard]] std::vector<IndexSet> reachable(const Board& start, int threads,
                                                const std::stop_token& stop) const override {
    return reachable_places(space_, space_.rules().from_board(start), threads, stop);
  }

 private:
  S space_;
};

}  // namespace paika
