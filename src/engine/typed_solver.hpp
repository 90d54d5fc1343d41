// TypedSolver: the solver (engine/solver.hpp) over one Solvable space.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/effect_text.hpp"
#include "engine/solver.hpp"
#include "rules/notation.hpp"
#include "solve/job.hpp"
#include "solve/progress_reporter.hpp"
#include "solve/reach.hpp"
#include "solve/verify.hpp"

namespace paika {

/// "won in 5", "lost in 4", "drawn": what a value means for the side to move.
[[nodiscard]] std::string value_text(Value value);

/// Tables are of landscape boards, as wide as high or wider: a portrait one is a landscape one with columns and rows
/// exchanged, in games whose rules make no difference between them. The options of the board that lies.
template <class Options>
[[nodiscard]] Options landscape(Options options) {
  if (options.rows > options.cols) std::swap(options.rows, options.cols);
  return options;
}

template <Solvable S>
class TypedSolver final : public Solver {
 public:
  /// `turns_left(board)` tells how many turns the game's limit still allows.
  using TurnsLeft = std::function<int(const Board&)>;

  /// `notation` and `space` are of the game that `label` names, on a landscape board; portrait ones may be asked for.
  TypedSolver(std::string label, std::unique_ptr<Notation> notation, std::unique_ptr<const S> space,
              TurnsLeft turns_left)
      : label_(std::move(label)),
        notation_(std::move(notation)),
        space_(std::move(space)),
        turns_left_(std::move(turns_left)) {}

  [[nodiscard]] const std::string& label() const override { return label_; }

  [[nodiscard]] std::vector<TierPlan> plan(std::uint64_t memory) const override {
    std::vector<TierPlan> plans;
    for (std::uint32_t tier = 0; tier < space_->tiers(); ++tier) plans.push_back(plan_tier(*space_, tier, memory));
    return plans;
  }

  [[nodiscard]] Result<void> solve(SolveSettings settings) const override {
    settings.spec = label_;
    return SolveJob<S>(*space_, std::move(settings)).run();
  }

  [[nodiscard]] Result<std::optional<std::string>> verify(const ValueTable& table,
                                                          const TableWork& work) const override {
    auto finished = finished_tiers(table, work);
    if (!finished) return tl::unexpected(finished.error());
    ProgressReporter reporter(table.positions(), default_progress_interval, work.on_progress);
    for (std::uint32_t tier = 0; tier < space_->tiers(); ++tier) {
      auto needed = space_->below(tier);
      needed.insert(needed.begin(), tier);
      if (auto done = (*finished)->prepare(needed, work.memory); !done) return tl::unexpected(done.error());
      const auto wrong = verify_tier(
          *space_, tier, work.threads, [&](TierIndex place, int worker) { return (*finished)->at(place, worker); },
          std::ref(reporter), work.stop);
      if (const auto failure = (*finished)->failure()) return tl::unexpected(*failure);
      if (work.stop.stop_requested()) return fail("stopped before the end");
      if (wrong) return description(*wrong);
    }
    return std::optional<std::string>();
  }

  [[nodiscard]] Result<ValueCounts> count_reachable(const ValueTable& table, const Board& start,
                                                    const TableWork& work) const override {
    auto finished = finished_tiers(table, work);
    if (!finished) return tl::unexpected(finished.error());
    const auto reached = reachable_places(*space_, of_table(start), work.threads, work.stop);
    if (reached.empty()) return fail("stopped before the end");
    ValueCounts counts;
    TableReader reader = table.reader(std::size_t{1} << 20);
    for (std::uint32_t tier = 0; tier < space_->tiers(); ++tier) {
      const auto count = [&](std::uint64_t first, std::span<const std::uint16_t> codes) {
        for (std::uint64_t i = 0; i < codes.size(); ++i) {
          if (reached[tier].contains(first + i)) counts.add(Value::from_code(codes[i]));
        }
      };
      if (auto done = table.tiers()[tier].for_each_piece(reader, count); !done) return tl::unexpected(done.error());
    }
    return counts;
  }

  [[nodiscard]] std::optional<TierIndex> place(const Board& board) const override {
    return space_->place(of_table(board));
  }

  [[nodiscard]] Value within_limits(const Board& board, Value value) const override {
    // docs/solving.md: who needs more turns than are left does not get there; the other side only
    // had to hold out, which the longest way allows.
    return value.turns() > turns_left_(board) ? Value::draw() : value;
  }

 private:
  /// The position of the table's game that a board asked for is.
  [[nodiscard]] typename S::RulesType::Position of_table(const Board& board) const {
    const bool stands = board.cells.rows() > board.cells.cols();
    return space_->rules().from_board(stands ? transformed(board, {.map = Dihedral::transpose}) : board);
  }

  /// The table's tiers; an error if they are not those of this game.
  [[nodiscard]] Result<std::unique_ptr<FinishedTiers>> finished_tiers(const ValueTable& table,
                                                                      const TableWork& work) const {
    bool fits = table.spec() == label_ && table.tiers().size() == space_->tiers();
    for (std::uint32_t tier = 0; fits && tier < space_->tiers(); ++tier) {
      const TableSection& section = table.tiers()[tier];
      fits = section.name() == space_->tier_name(tier) && section.positions() == space_->size(tier);
    }
    if (!fits)
      return fail("the table is of \"{}\", not of \"{}\", or was made by another version", table.spec(), label_);
    auto finished = std::make_unique<FinishedTiers>(space_->tiers(), work.threads);
    for (std::uint32_t tier = 0; tier < space_->tiers(); ++tier) finished->add(tier, table.tiers()[tier]);
    return finished;
  }

  [[nodiscard]] std::string description(const WrongValue& wrong) const {
    const auto p = space_->position(wrong.place);
    return fmt::format("tier {}, index {}{}: the table says {}, its moves say {}", space_->tier_name(wrong.place.tier),
                       wrong.place.index, p ? " (" + notation_->position_text(space_->rules().to_board(*p)) + ")" : "",
                       value_text(wrong.in_table), value_text(wrong.by_turns));
  }

  std::string label_;
  std::unique_ptr<Notation> notation_;
  std::unique_ptr<const S> space_;
  TurnsLeft turns_left_;
};

}  // namespace paika
