// Retrograde analysis of a run of a tier's places: the whole tier, or the part that this machine or
// this moment holds. Messages for places outside the run is handed on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stop_token>

#include "solve/part.hpp"
#include "solve/solvable.hpp"
#include "solve/steps.hpp"
#include "solve/turn_lists.hpp"
#include "solve/workers.hpp"

namespace paika {

/// The indices from `first` to before `end`.
struct IndexRun {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  [[nodiscard]] constexpr std::uint64_t size() const noexcept { return end - first; }
  [[nodiscard]] constexpr bool contains(std::uint64_t index) const noexcept { return first <= index && index < end; }
};

template <Solvable S>
class Analysis {
 public:
  Analysis(const S& space, std::uint32_t tier, IndexRun run, int threads)
      : space_(space), tier_(tier), run_(run), threads_(threads), part_(run.size()) {}

  [[nodiscard]] Part& part() noexcept { return part_; }
  [[nodiscard]] const IndexRun& run() const noexcept { return run_; }

  /// The first look at every place of the run. `lower(place, worker)` gives values of lower tiers;
  /// `tell(places)` hears from any thread how many more places are done.
  template <class Lower, class OnProgress>
  void look(Lower&& lower, OnProgress&& on_progress, const std::stop_token& stop) {
    share_out(threads_, part_.blocks(), [&](std::uint64_t b, int worker) {
      if (stop.stop_requested()) return;
      const auto value = [&](TierIndex place) { return lower(place, worker); };
      for (std::uint64_t i = b * Part::block; i < block_end(b); ++i) {
        part_.set(i, first_look(space_, TierIndex{tier_, run_.first + i}, value));
      }
      on_progress(block_end(b) - b * Part::block);
    });
  }

  /// Makes ready to expand: a space that cannot take turns back has all turns of the tier listed that
  /// lead into the run. Memory for that is taken now; may throw std::bad_alloc.
  void prepare(const std::stop_token& stop) {
    if constexpr (!GoesBack<S>) {
      lists_ = std::make_unique<TurnLists>(run_.size());
      each_inner_turn(stop, [&](std::uint64_t /*from*/, std::uint64_t to) { lists_->count(to); });
      lists_->make_room();
      each_inner_turn(stop, [&](std::uint64_t from, std::uint64_t to) { lists_->keep(from, to); });
    }
  }

  /// Expands the places known at `level` in the blocks of the part from `first` to before `end`. Messages for
  /// other runs goes to outside(message, worker), its index counted in the whole tier.
  template <class Outside, class OnProgress>
  void expand(int level, std::uint64_t first, std::uint64_t end, Outside&& outside, OnProgress&& on_progress) {
    PAIKA_CHECK(level < Value::max_turns);
    threads_ > 1 ? expand_as<true>(level, first, end, outside, on_progress)
                 : expand_as<false>(level, first, end, outside, on_progress);
  }
  /// The same for all blocks.
  template <class Outside, class OnProgress>
  void expand(int level, Outside&& outside, OnProgress&& on_progress) {
    expand(level, 0, part_.blocks(), outside, on_progress);
  }

  /// After the last level.
  void settle() {
    lists_.reset();
    share_out(threads_, part_.blocks(), [&](std::uint64_t b, int) { part_.settle(b); });
  }

 private:
  using Move = typename S::RulesType::Move;

  [[nodiscard]] std::uint64_t block_end(std::uint64_t b) const noexcept {
    return std::min(part_.size(), (b + 1) * Part::block);
  }

  /// Calls use(from, to) for the inner turns of the whole tier that lead into the run; `from` counts in
  /// the tier, `to` in the run.
  template <class Use>
  void each_inner_turn(const std::stop_token& stop, Use&& use) const {
    const std::uint64_t size = space_.size(tier_);
    share_out(threads_, (size + Part::block - 1) / Part::block, [&](std::uint64_t b, int) {
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

  template <bool Shared, class Outside, class OnProgress>
  void expand_as(int level, std::uint64_t first, std::uint64_t end, Outside& outside, OnProgress& on_progress) {
    share_out(threads_, end - first, [&](std::uint64_t number, int worker) {
      const std::uint64_t b = first + number;
      if (!part_.may_hold(b, level)) return;
      Messenger<Shared> messenger(part_, level);
      std::uint64_t expanded = 0;
      part_.scan(b, level, [&](std::uint64_t i, bool lost) {
        ++expanded;
        each_source(i, [&](std::uint64_t from) {
          if (run_.contains(from)) {
            messenger.send(Message(from - run_.first, lost));
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
  IndexRun run_;
  int threads_;
  Part part_;
  std::unique_ptr<TurnLists> lists_;
};

}  // namespace paika
