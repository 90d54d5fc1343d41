// The learned weights of the patterns of one size of board: the evaluation of positions.
//
// Every state of every pattern has a weight, in hundredths of a disc, by phase of the game. The evaluation of a
// position is the sum of the weights of all places, and of a few counts that have a weight for each number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

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
    const std::int16_t* const weights = weights_.data() + layout_->phase_of(counts.pawns()) * phase_length_;
    const PatternLanes::Numbers states = lanes.numbers();
    int sum = 0;
    for (std::size_t i = 0; i < states.size(); ++i) sum += weights[starts_[i] + states[i]];
    for (std::size_t i = 0; i < count_names.size(); ++i) sum += weights[i * count_values + counts.values[i]];
    return sum;
  }
  /// The same in parts, one for each pattern and then one for each count.
  [[nodiscard]] std::vector<int> parts(const PatternLanes& lanes, const Counts& counts) const;

 private:
  explicit PatternWeights(const PatternLayout& layout);
  void fill(const std::vector<std::vector<std::int16_t>>& knots, int step,
            const std::vector<std::vector<std::uint32_t>>& numbers);

  const PatternLayout* layout_;
  std::size_t phase_length_ = 0;
  std::array<std::uint32_t, PatternLanes::size> starts_{};  // by lane; of lanes without a place: a zero
  std::vector<std::int16_t> weights_;                       // by phase: the counts, a zero, the states of the patterns
};

}  // namespace paika::othello
