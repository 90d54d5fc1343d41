// StepsBack: the paikas that can have led to a position, on boards of at most 32 points.
//
// The solver asks this for every position of a table and mostly hears "none". So sets of points are
// plain words here and all eight directions are worked on side by side, in loops over arrays that the
// compiler turns into a few wide instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "board/square.hpp"
#include "games/fanorona/lines.hpp"

namespace paika::fanorona {

class StepsBack {
 public:
  static constexpr int max_stones = 12;
  /// The stones of the side that stepped, as they stood before each of the steps found.
  using Found = std::array<std::uint32_t, std::size_t{8} * max_stones>;

  /// For the board with these lines. Requires at most 32 points and 13 columns.
  template <class Shape>
  StepsBack(const Shape& shape, const Lines<Shape>& lines) : all_(static_cast<std::uint32_t>(shape.all().words[0])) {
    for (const Direction d : all_directions) {
      const auto lane = static_cast<std::size_t>(d);
      const int delta = shape.delta(d);
      forward_[lane] = static_cast<std::uint32_t>(delta > 0 ? delta : 0);
      backward_[lane] = static_cast<std::uint32_t>(delta < 0 ? -delta : 0);
      for (int i = 0; i < shape.size(); ++i) {
        const Square next = step(shape.square(i), d);
        if (!shape.contains(next) || !lines.joined(i).test(shape.index(next))) continue;
        const std::uint32_t point = std::uint32_t{1} << i;
        entered_[lane] |= std::uint32_t{1} << shape.index(next);
        if (shape.contains(step(next, d))) ahead_[lane] |= point;
        if (shape.contains(step(shape.square(i), opposite(d)))) behind_[lane] |= point;
      }
    }
  }

  /// Finds the paikas with which the side `stepped`, of at most max_stones stones, can have brought
  /// about the position without a block in which the side `stood` is to move; returns how many. Such a
  /// step is legal if no stone could capture before it (2.3).
  int find(std::uint32_t stood, std::uint32_t stepped, Found& found) const noexcept;

 private:
  using Lanes = std::array<std::uint32_t, 8>;  // by direction

  /// The steps that are left to look at: to a point of `to` from one of `from`.
  struct Suspects {
    std::uint32_t to = 0;
    std::uint32_t from = 0;
  };

  [[nodiscard]] std::array<Suspects, 2> suspects(const Lanes& takes, std::uint32_t stepped,
                                                 std::uint32_t empty) const noexcept;
  [[nodiscard]] bool can_capture(const Lanes& takes, std::uint32_t own, std::uint32_t empty) const noexcept;

  /// The points from which a step in a direction ends in `set`, and those where one from `set` ends.
  /// Beyond the edge of the board they are wrong: every use masks the points that have a line there.
  [[nodiscard, gnu::always_inline]] std::uint32_t before(std::uint32_t set, std::size_t lane) const noexcept {
    return (set >> forward_[lane]) << backward_[lane];
  }
  [[nodiscard, gnu::always_inline]] std::uint32_t after(std::uint32_t set, std::size_t lane) const noexcept {
    return (set << forward_[lane]) >> backward_[lane];
  }

  std::uint32_t all_;
  Lanes forward_{};   // how far a step raises the index of a point
  Lanes backward_{};  // or lowers it
  Lanes ahead_{};     // the points with a line in the direction (1.3) and two points ahead
  Lanes behind_{};    // those with a line in the direction and a point behind
  Lanes entered_{};   // those that a line in the direction leads to
};

}  // namespace paika::fanorona
