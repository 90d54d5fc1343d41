// The learned weights of the patterns of one size of board: the evaluation of positions.
//
// Every state of every pattern has a weight, in hundredths of a disc, by phase of the game. The evaluation of a
// position is the sum of the weights of all places, and of a few counts that have a weight for each number. What is
// read are the weights of the knots; those of a phase are worked out when it is first asked for, since a search needs
// few.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/large_pages.hpp"
#include "base/result.hpp"
#include "games/othello/patterns.hpp"

namespace paika::othello {

inline constexpr std::size_t count_values = 128;
inline constexpr std::array<std::string_view, 3> count_names = {"placings", "opponent's placings",
                                                                "pawns on the board"};
/// The counts that have weights of their own, each less than count_values.
struct Counts {
  std::array<std::uint8_t, count_names.size()> values{};
  [[nodiscard]] int pawns() const noexcept { return values.back(); }
};

class PatternWeights {
 public:
  /// Reads a weights file: text lines, the last of them "data", then the coded weights (tools/tune/othello/README.md).
  [[nodiscard]] static Result<PatternWeights> read(std::string_view file);
  /// Those built into the program for a size of board; null if there are none.
  [[nodiscard]] static const PatternWeights* built_in(int size);

  [[nodiscard]] const PatternLayout& layout() const noexcept { return *layout_; }

  /// How good a position is for the mover, whose patterns are in the states numbered `lanes`.
  [[nodiscard]] int evaluate(const PatternLanes& lanes, const Counts& counts) const noexcept {
    const std::int16_t* const weights = phase(layout_->phase_of(counts.pawns()));
    const PatternLanes::Numbers states = lanes.numbers();
    int sum = 0;
    for (std::size_t i = 0; i < states.size(); ++i) sum += weights[starts_[i] + states[i]];
    for (std::size_t i = 0; i < count_names.size(); ++i) sum += weights[i * count_values + counts.values[i]];
    return sum;
  }
  /// The same in parts, one for each pattern and then one for each count.
  [[nodiscard]] std::vector<int> parts(const PatternLanes& lanes, const Counts& counts) const;

 private:
  /// The weights of each phase: the counts, a zero, the states of the patterns. Null until they were worked out.
  class Phases {
   public:
    Phases(std::size_t count, std::size_t length) : weights_(count), length_(length) {}
    Phases(const Phases&) = delete;
    Phases& operator=(const Phases&) = delete;
    ~Phases();

    [[nodiscard]] std::size_t length() const noexcept { return length_; }
    [[nodiscard]] const std::int16_t* find(std::size_t phase) const noexcept {
      return weights_[phase].load(std::memory_order_acquire);
    }
    /// Adds a phase that `fill(weights)` works out. If another thread is faster, its weights are kept.
    template <class Fill>
    const std::int16_t* add(std::size_t phase, Fill&& fill);

   private:
    std::vector<std::atomic<std::int16_t*>> weights_;
    std::size_t length_;
  };

  explicit PatternWeights(const PatternLayout& layout);

  [[nodiscard, gnu::always_inline]] const std::int16_t* phase(std::size_t number) const noexcept {
    const std::int16_t* const weights = phases_->find(number);
    return weights != nullptr ? weights : work_out(number);
  }
  /// A phase by what lies between its knots. Ends the program if it gets no memory for it: an evaluation has no way to
  /// fail.
  const std::int16_t* work_out(std::size_t phase) const noexcept;

  const PatternLayout* layout_;
  std::array<std::uint32_t, PatternLanes::size> starts_{};  // in a phase, by lane; of lanes without a place: a zero
  std::vector<std::uint32_t> numbers_;                      // which weight of a knot each state of each pattern has
  std::vector<std::vector<std::int16_t>> knots_;            // the weights of the patterns, then those of the counts
  int step_ = 1;                                            // what a weight of a knot is a multiple of
  std::unique_ptr<Phases> phases_;
};

}  // namespace paika::othello
