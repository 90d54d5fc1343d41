// SolveSpace: a space of positions (solve/solvable.hpp) without its type, a tier at a time.
//
// Everything that is done once per place is compiled for a game's own types (solve/typed_space.hpp); what
// happens once per block or per tier is compiled once for all games.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/function_ref.hpp"
#include "rules/board.hpp"
#include "rules/tier_index.hpp"
#include "solve/finished.hpp"
#include "solve/index_set.hpp"
#include "solve/part.hpp"
#include "solve/progress_reporter.hpp"
#include "solve/value.hpp"

namespace paika {

/// The indices from `first` to before `end`.
struct IndexRun {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  [[nodiscard]] constexpr std::uint64_t size() const noexcept { return end - first; }
  [[nodiscard]] constexpr bool contains(std::uint64_t index) const noexcept { return first <= index && index < end; }
};

/// Retrograde analysis of a run of a tier's places: the whole tier, or the part that this machine or
/// this moment holds. Messages for places outside the run is handed on.
class TierAnalysis {
 public:
  TierAnalysis(IndexRun run, int threads) : run_(run), threads_(threads), part_(run.size()) {}
  TierAnalysis(const TierAnalysis&) = delete;
  TierAnalysis& operator=(const TierAnalysis&) = delete;
  virtual ~TierAnalysis() = default;

  [[nodiscard]] Part& part() noexcept { return part_; }

  /// The first look at every place of the run, with the values of lower tiers.
  virtual void look(FinishedTiers& lower, ProgressReporter& on_progress, const std::stop_token& stop) = 0;
  /// Makes ready to expand: a space that cannot take turns back has all turns of the tier listed that
  /// lead into the run. Memory for that is taken now; may throw std::bad_alloc.
  virtual void prepare(const std::stop_token& stop) = 0;
  /// Expands the places known at `level` in the blocks of the part from `first` to before `end`. Messages for
  /// other runs goes to outside(message, worker), its index counted in the whole tier.
  virtual void expand(int level, std::uint64_t first, std::uint64_t end, FunctionRef<void(Message, int)> outside,
                      ProgressReporter& on_progress) = 0;
  /// The same for all blocks.
  void expand(int level, FunctionRef<void(Message, int)> outside, ProgressReporter& on_progress) {
    expand(level, 0, part_.blocks(), outside, on_progress);
  }
  /// After the last level.
  virtual void settle();

 protected:
  [[nodiscard]] const IndexRun& run() const noexcept { return run_; }
  [[nodiscard]] int threads() const noexcept { return threads_; }

 private:
  IndexRun run_;
  int threads_;
  Part part_;
};

/// The first place, in the order of tiers and indices, whose value is not what its turns give.
struct WrongValue {
  TierIndex place;
  Value in_table;
  Value by_turns;
};

/// The members are those of Solvable, on boards instead of positions, and the work on a whole tier.
class SolveSpace {
 public:
  SolveSpace() = default;
  SolveSpace(const SolveSpace&) = delete;
  SolveSpace& operator=(const SolveSpace&) = delete;
  virtual ~SolveSpace() = default;

  [[nodiscard]] virtual std::uint32_t tiers() const = 0;
  [[nodiscard]] virtual std::uint64_t size(std::uint32_t tier) const = 0;
  /// How many positions the tier has if symmetric ones are counted each; 0 if the game does not tell.
  [[nodiscard]] virtual std::uint64_t unfolded(std::uint32_t tier) const = 0;
  [[nodiscard]] virtual std::string tier_name(std::uint32_t tier) const = 0;
  [[nodiscard]] virtual std::vector<std::uint32_t> below(std::uint32_t tier) const = 0;
  [[nodiscard]] virtual std::optional<TierIndex> place(const Board& board) const = 0;
  [[nodiscard]] virtual std::optional<Board> board(TierIndex place) const = 0;

  /// How much memory a place of the tier takes while it is worked on.
  [[nodiscard]] virtual std::uint64_t bytes_per_place(std::uint32_t tier) const = 0;
  /// May throw std::bad_alloc.
  [[nodiscard]] virtual std::unique_ptr<TierAnalysis> analyse(std::uint32_t tier, IndexRun run, int threads) const = 0;
  /// Checks one tier against the table's own values (solve/verify.hpp). Nothing is found if it was stopped before.
  [[nodiscard]] virtual std::optional<WrongValue> verify(std::uint32_t tier, int threads, FinishedTiers& values,
                                                         ProgressReporter& on_progress,
                                                         const std::stop_token& stop) const = 0;
  /// The same for these places alone; `fetch(places)` gives the table's values.
  [[nodiscard]] virtual std::optional<WrongValue> check(
      std::span<const TierIndex> places, FunctionRef<std::vector<Value>(std::span<const TierIndex>)> fetch) const = 0;
  /// The places that the best turns of these lead to, by the table's values.
  [[nodiscard]] virtual std::vector<TierIndex> best_next(
      std::span<const TierIndex> places, FunctionRef<std::vector<Value>(std::span<const TierIndex>)> fetch) const = 0;
  /// The places that games from `start` can come to, by tier (solve/reach.hpp). Empty if it was stopped.
  [[nodiscard]] virtual std::vector<IndexSet> reachable(const Board& start, int threads,
                                                        const std::stop_token& stop) const = 0;
};

}  // namespace paika
