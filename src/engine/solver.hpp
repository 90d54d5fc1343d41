// Solver: perfect play behind an abstract interface. Solves the positions of one game and reads its tables.
//
// A table covers the positions of a game without regard to move limits and repetition; what it covers
// is named by its label. Everything here is plain values: boards, values, files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/numbering.hpp"
#include "rules/board.hpp"
#include "solve/settings.hpp"
#include "solve/table_file.hpp"
#include "solve/value.hpp"

namespace paika {

// solve/device_job.hpp
struct DeviceReport;
struct DeviceSettings;
class TierDevice;

/// How many positions there are of each value, up to symmetry.
struct ValueCounts {
  std::uint64_t wins = 0;
  std::uint64_t losses = 0;
  std::uint64_t draws = 0;
  int longest_win = 0;
  int longest_loss = 0;

  void add(Value value) noexcept;
  [[nodiscard]] std::uint64_t positions() const noexcept { return wins + losses + draws; }
};

/// For work on a whole table.
struct TableWork {
  std::uint64_t memory = std::uint64_t{2} << 30;
  int threads = 1;
  std::stop_token stop{};
  std::function<void(double done)> on_progress{};  // now and then, from any thread, one at a time
};

class Solver : public Numbering {
 public:
  using Numbering::Numbering;

  /// The tiers in the order in which they are solved, and how each would be worked on.
  [[nodiscard]] virtual std::vector<TierPlan> plan(std::uint64_t memory) const = 0;
  /// Solves everything and writes the table; goes on with work that was interrupted. The spec of the
  /// settings is set to label().
  [[nodiscard]] virtual Result<void> solve(SolveSettings settings) const = 0;
  /// A GPU that the positions can be solved on. An error if there is none, or no program for it.
  [[nodiscard]] virtual Result<std::unique_ptr<TierDevice>> open_device() const = 0;
  /// Solves everything on a device that open_device() gave. The spec of the settings is set to label().
  [[nodiscard]] virtual Result<DeviceReport> solve_on(TierDevice& device, DeviceSettings settings) const = 0;
  /// Derives every value from those of the next positions. Nothing: all are right; else which is not.
  /// An error if the table cannot be read, or is of another game.
  [[nodiscard]] virtual Result<std::optional<std::string>> verify(const ValueTable& table,
                                                                  const TableWork& work) const = 0;
  /// Counts the positions that games from `start` can come to and that are in the table.
  [[nodiscard]] virtual Result<ValueCounts> count_reachable(const ValueTable& table, const Board& start,
                                                            const TableWork& work) const = 0;
  /// The position at a place of the table, on its landscape board; nothing if no position has that place.
  [[nodiscard]] virtual std::optional<Board> board(TierIndex place) const = 0;
};

/// The solver for a spec. The same errors as for table_label.
[[nodiscard]] Result<std::unique_ptr<Solver>> open_solver(std::string_view spec, int stones = 0);

/// "won in 5", "lost in 4", "drawn": what a value means for the side to move.
[[nodiscard]] std::string value_text(Value value);

}  // namespace paika
