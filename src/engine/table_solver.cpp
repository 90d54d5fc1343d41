#include "engine/table_solver.hpp"

#include <optional>
#include <span>
#include <vector>

#include "engine/effect_text.hpp"
#include "solve/device_job.hpp"
#include "solve/finished.hpp"
#include "solve/job.hpp"
#include "solve/progress_reporter.hpp"

namespace paika {

namespace {

class TableSolver final : public Solver {
 public:
  TableSolver(std::string label, std::unique_ptr<Notation> notation, std::unique_ptr<const SolveSpace> space,
              TurnsLeft turns_left, OpenDevice open_device)
      : Solver(std::move(label), std::move(turns_left)),
        notation_(std::move(notation)),
        space_(std::move(space)),
        open_device_(std::move(open_device)) {}

  [[nodiscard]] std::vector<TierPlan> plan(std::uint64_t memory) const override {
    std::vector<TierPlan> plans;
    for (std::uint32_t tier = 0; tier < space_->tiers(); ++tier) plans.push_back(plan_tier(*space_, tier, memory));
    return plans;
  }

  [[nodiscard]] Result<void> solve(SolveSettings settings) const override {
    settings.spec = label();
    return solve_space(*space_, std::move(settings));
  }

  [[nodiscard]] Result<std::unique_ptr<TierDevice>> open_device() const override {
    if (!open_device_) return fail("{} is not solved on GPUs by this program", label());
    return open_device_();
  }

  [[nodiscard]] Result<DeviceReport> solve_on(TierDevice& device, DeviceSettings settings) const override {
    settings.spec = label();
    if (settings.start) settings.start = of_table(*settings.start);
    return solve_on_device(*space_, device, settings);
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
      const auto wrong = space_->verify(tier, work.threads, **finished, reporter, work.stop);
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
    const auto reached = space_->reachable(of_table(start), work.threads, work.stop);
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

  [[nodiscard]] std::optional<Board> board(TierIndex place) const override { return space_->board(place); }

 private:
  [[nodiscard]] std::optional<TierIndex> number(const Board& board) const override { return space_->place(board); }

  /// The table's tiers; an error if they are not those of this game.
  [[nodiscard]] Result<std::unique_ptr<FinishedTiers>> finished_tiers(const ValueTable& table,
                                                                      const TableWork& work) const {
    bool fits = table.spec() == label() && table.tiers().size() == space_->tiers();
    for (std::uint32_t tier = 0; fits && tier < space_->tiers(); ++tier) {
      const TableSection& section = table.tiers()[tier];
      fits = section.name() == space_->tier_name(tier) && section.positions() == space_->size(tier);
    }
    if (!fits)
      return fail("the table is of \"{}\", not of \"{}\", or was made by another version", table.spec(), label());
    auto finished = std::make_unique<FinishedTiers>(space_->tiers(), work.threads);
    for (std::uint32_t tier = 0; tier < space_->tiers(); ++tier) finished->add(tier, table.tiers()[tier]);
    return finished;
  }

  [[nodiscard]] std::string description(const WrongValue& wrong) const {
    const auto board = space_->board(wrong.place);
    return fmt::format("tier {}, index {}{}: the table says {}, its moves say {}", space_->tier_name(wrong.place.tier),
                       wrong.place.index, board ? " (" + notation_->position_text(*board) + ")" : "",
                       value_text(wrong.in_table), value_text(wrong.by_turns));
  }

  std::unique_ptr<Notation> notation_;
  std::unique_ptr<const SolveSpace> space_;
  OpenDevice open_device_;
};

}  // namespace

std::unique_ptr<Solver> make_table_solver(std::string label, std::unique_ptr<Notation> notation,
                                          std::unique_ptr<const SolveSpace> space, TurnsLeft turns_left,
                                          OpenDevice open_device) {
  return std::make_unique<TableSolver>(std::move(label), std::move(notation), std::move(space), std::move(turns_left),
                                       std::move(open_device));
}

}  // namespace paika
