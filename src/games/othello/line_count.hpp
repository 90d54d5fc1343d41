// LineCount: how many lines of play there are (perft), in bulk, on boards of one word.
//
// Placings are collected by how many turns are to follow them. When there are enough they are played in the lanes of a
// vector, one in each, and their replies are collected in turn; those that one turn follows are only counted. No
// placing waits for another, and nothing has to be joined. The vectors are as wide as the processor's, which is found
// out at run time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace paika::othello {

/// Placings with the positions that they are made in. The words of each kind lie together.
struct PlacingBatch {
  // Played as soon as there are `full`; one vector of placings adds fewer than `spare`.
  static constexpr std::size_t full = 128;
  static constexpr std::size_t spare = std::size_t{8} * 40;

  std::size_t size = 0;
  alignas(64) std::array<std::uint64_t, full + spare> own;
  alignas(64) std::array<std::uint64_t, full + spare> opponent;
  alignas(64) std::array<std::uint64_t, full + spare> square;  // a single bit
};

class LineCount {
 public:
  /// With vectors of at most so many lanes. Requires an even size of 6 or 8, and depth >= 2.
  LineCount(int size, int depth, std::size_t max_lanes = 8);

  /// The lines of `depth` turns from a position.
  [[nodiscard]] std::uint64_t count(std::uint64_t own, std::uint64_t opponent);

  /// How placings are played on one kind of processor.
  struct Kernel {
    std::size_t lanes;
    /// Plays the placings of one vector from `first` on, which `turns` are to follow, and adds their replies to the
    /// counter's next batch; calls its pass() where there are none.
    void (*expand)(LineCount& counter, const PlacingBatch& batch, std::size_t first, int turns);
    /// How many turns follow the placings of a batch at once: replies, or a pass.
    std::uint64_t (*count)(const PlacingBatch& batch);
    std::uint64_t (*placings)(std::uint64_t own, std::uint64_t opponent);
  };

  PlacingBatch& batch(int turns) { return batches_[static_cast<std::size_t>(turns)]; }
  /// The mover has no reply, and `turns` are to follow.
  void pass(std::uint64_t own, std::uint64_t opponent, int turns);

 private:
  /// Collects the placings of `squares`, which `turns` are to follow.
  void collect(std::uint64_t own, std::uint64_t opponent, std::uint64_t squares, int turns);
  /// Plays what is in the batch; `all`: even if the last vector is not full.
  void play(int turns, bool all);

  const Kernel* kernel_;
  int depth_;
  std::uint64_t total_ = 0;
  std::vector<PlacingBatch> batches_;  // by how many turns are to follow
};

}  // namespace paika::othello
