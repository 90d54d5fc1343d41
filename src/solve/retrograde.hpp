// Retrograde analysis of a run of a tier's places (solve/space.hpp) over one Solvable space.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stop_token>

#include "solve/part.hpp"
#include "solve/solvable.hpp"
#include "solve/space.hpp"
#include "solve/steps.hpp"
#include "solve/turn_lists.hpp"
#include "solve/workers.hpp"

namespace paika {

template <Solvable S>
class Analysis final : public TierAnalysis {
 public:
  Analysis(const S& space, std::uint32_t tier, IndexRun run, int threads)
      : TierAnalysis(run, threads), space_(space), tier_(tier), part_(part()), run_(run) {}

  void look(FinishedTiers& lower, ProgressReporter& on_progress, const std::stop_token& stop) override {
    share_out(threads(), part_.blocks(), [&](std::uint64_t b, int worker) {
      if (stop.stop_requested()) return;
      FirstLooks looks(space_, tier_, Below{lower, worker});
      looks(run_.first + b * Part::block, run_.first + block_end(b),
            [&](std::uint64_t i, const FirstLook& look) { part_.set(i - run_.first, look); });
      on_progress(block_end(b) - b * Part::block);
    });
  }

  void prepare([[maybe_unused]] const std::stop_token& stop) override {
    if constexpr (!GoesBack<S>) {
      lists_ = std::make_unique<TurnLists>(run_.size());
      each_inner_turn(stop, [&](std::uint64_t /*from*/, std::uint64_t to) { lists_->count(to); });
      lists_->make_room();
      each_inner_turn(stop, [&](std::uint64_t from, std::uint64_t to) { lists_->keep(from, to); });
    }
  }

  void expand(int level, std::uint64_t first, std::uint64_t end, FunctionRef<void(Message, int)> outside,
              ProgressReporter& on_progress) override {
    PAIKA_CHECK(level + 1 < Value::unknown_turns);
    threads() > 1 ? expand_as<true>(level, first, end, outside, on_progress)
                  : expand_as<false>(level, first, end, outside, on_progress);
  }

  void settle() override {
    lists_.reset();
    TierAnalysis::settle();
  }

 private:
  using Move = typename S::RulesType::Move;
  /// The values of finished tiers, for FirstLooks.
  struct Below {
    FinishedTiers& tiers;
    int worker;
    void ask(TierIndex place) const { tiers.prefetch(place); }
    [[nodiscard]] Value value(TierIndex place) const { return tiers.at(place, worker); }
  };

  [[nodiscard]] std::uint64_t block_end(std::uint64_t b) const noexcept {
    return std::min(part_.size(), (b + 1) * Part::block);
  }

  /// Calls use(from, to) for the inner turns of the whole tier that lead into the run; `from` counts in
  /// the tier, `to` in the run.
  template <class Use>
  void each_inner_turn(const std::stop_token& stop, Use&& use) const {
    const std::uint64_t size = space_.size(tier_);
    share_out(threads(), (size + Part::block - 1) / Part::block, [&](std::uint64_t b, int) {
      if (stop.stop_requested()) return;
      for (std::uint64_t from = b * Part::block; from < std::min(size, (b + 1) * Part::block); ++from) {
        const auto p = space_.position(TierIndex{tier_, from});
        if (!p) continue;
        space_.rules().for_each_turn(*p, [&](const Move& m) {
          if (!space_.stays(*p, m)) return true;
          const std::uint64_t to = space_.place(space_.rules().play(*p, m))->index;
          if (run_.contains(to)) use(from, to - run_.first);
          return true;
        });
      }
    });
  }

  template <bool Shared>
  void expand_as(int level, std::uint64_t first, std::uint64_t end, FunctionRef<void(Message, int)> outside,
                 ProgressReporter& on_progress) {
    share_out(threads(), end - first, [&](std::uint64_t number, int worker) {
      const std::uint64_t b = first + number;
      if (!part_.may_hold(b, level)) return;
      Messenger<Shared> messenger(part_, level);
      std::uint64_t expanded = 0;
      // Copies, because an update may write anything for all that the compiler knows.
      const IndexRun run = run_;
      part_.scan(b, level, [&](std::uint64_t i, bool lost) {
        ++expanded;
        each_source(i, [&messenger, &outside, worker, run, lost](std::uint64_t from) {
          if (run.contains(from)) {
            messenger.send(Message(from - run.first, lost));
          } else {
            outside(Message(from, lost), worker);
          }
        });
      });
      if (expanded != 0) on_progress(expanded);
    });
  }

  template <class Visit>
  void each_source(std::uint64_t i, Visit&& visit) const {
    if constexpr (GoesBack<S>) {
      space_.for_each_predecessor(TierIndex{tier_, run_.first + i}, visit);
    } else {
      lists_->for_each(i, visit);
    }
  }

  const S& space_;
  std::uint32_t tier_;
  Part& part_;
  IndexRun run_;
  std::unique_ptr<TurnLists> lists_;
};

}  // namespace paika
