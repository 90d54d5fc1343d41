// StepsBack: the paikas that can have led to a position, on boards whose points fit into a word.
//
// The solver asks this for every position of a table and mostly hears "none". So sets of points are
// plain words here and all eight directions are worked on side by side, in loops over arrays that the
// compiler turns into a few wide instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/device.hpp"
#include "board/square.hpp"
#include "games/fanorona/lines.hpp"

namespace paika::fanorona {

template <class Word>
class StepsBack {
 public:
  /// For the board with these lines. Requires that its points fit into a word.
  template <class Shape>
  StepsBack(const Shape& shape, const Lines<Shape>& lines) : all_(static_cast<Word>(shape.all().words[0])) {
    for (const Direction d : all_directions) {
      const auto lane = static_cast<std::size_t>(d);
      const int delta = shape.delta(d);
      forward_[lane] = static_cast<Word>(delta > 0 ? delta : 0);
      backward_[lane] = static_cast<Word>(delta < 0 ? -delta : 0);
      for (int i = 0; i < shape.size(); ++i) {
        const Square next = step(shape.square(i), d);
        if (!shape.contains(next) || !lines.joined(i).test(shape.index(next))) continue;
        const Word point = Word{1} << i;
        entered_[lane] |= Word{1} << shape.index(next);
        if (shape.contains(step(next, d))) ahead_[lane] |= point;
        if (shape.contains(step(shape.square(i), opposite(d)))) behind_[lane] |= point;
      }
    }
  }

  /// Finds the paikas with which the side `stepped` can have brought about the position without a block in
  /// which the side `stood` is to move, and calls emit(before) with its stones as they stood before each. Such
  /// a step is legal if no stone could capture before it (2.3).
  template <class Emit>
  PAIKA_HD void find(Word stood, Word stepped, Emit&& emit) const {
    const Word empty = all_ & ~(stood | stepped);
    // Where a step takes stones if it goes from a stone to an empty point (2.1). It is the same before and
    // after a paika, which moves no stone that can be taken.
    Lanes takes;
    for (std::size_t d = 0; d < 8; ++d) {
      takes[d] = (ahead_[d] & before(before(stood, d), d)) | (behind_[d] & after(stood, d));
    }
    const auto [a, b] = suspects(takes, stepped, empty);
    if ((a.to | b.to) == 0) return;
    Lanes steps;
    for (std::size_t d = 0; d < 8; ++d) {
      const Word suspected = (a.to & after(a.from, d)) | (b.to & after(b.from, d));
      steps[d] = suspected & stepped & entered_[d] & after(empty, d);
    }
    for (std::size_t d = 0; d < 8; ++d) {
      for (Word left = steps[d]; left != 0; left &= left - 1) {
        const Word to = left & (~left + 1);
        const Word changed = to | before(to, d);
        if (!can_capture(takes, stepped ^ changed, empty ^ changed)) emit(stepped ^ changed);
      }
    }
  }

 private:
  using Lanes = std::array<Word, 8>;  // by direction

  /// The steps that are left to look at: to a point of `to` from one of `from`.
  struct Suspects {
    Word to = 0;
    Word from = 0;
  };

  static constexpr bool at_most_one(Word set) noexcept { return (set & (set - 1)) == 0; }

  [[nodiscard]] PAIKA_HD bool can_capture(const Lanes& takes, Word own, Word empty) const noexcept {
    Word capturing = 0;
    for (std::size_t d = 0; d < 8; ++d) capturing |= own & takes[d] & before(empty, d);
    return capturing != 0;
  }

  // A capture that the side that stepped could make now, if it were its turn, was there before the step,
  // too, unless the step was that stone's own or came from the point it would go to. One step must
  // account for all of them: seen from one capturing stone, either it stepped, and came from where all
  // others would go; or something came from its only target, which did all that goes elsewhere.
  [[nodiscard]] PAIKA_HD std::array<Suspects, 2> suspects(const Lanes& takes, Word stepped, Word empty) const noexcept {
    Lanes now;
    Word capturing = 0;
    for (std::size_t d = 0; d < 8; ++d) {
      now[d] = stepped & takes[d] & before(empty, d);
      capturing |= now[d];
    }
    if (capturing == 0) return {Suspects{stepped, empty}, Suspects{}};
    const Word one = capturing & (~capturing + 1);
    Word targets = 0;
    Word others_targets = 0;
    for (std::size_t d = 0; d < 8; ++d) {
      targets |= after(now[d] & one, d);
      others_targets |= after(now[d] & ~one, d);
    }
    std::array<Suspects, 2> found{};
    if (at_most_one(others_targets)) found[0] = {one, others_targets != 0 ? others_targets : empty};
    if (!at_most_one(targets)) return found;
    Word elsewhere = 0;
    for (std::size_t d = 0; d < 8; ++d) elsewhere |= now[d] & ~before(targets, d);
    if (at_most_one(elsewhere)) found[1] = {(elsewhere != 0 ? elsewhere : stepped) & ~one, targets};
    return found;
  }

  /// The points from which a step in a direction ends in `set`, and those where one from `set` ends.
  /// Beyond the edge of the board they are wrong: every use masks the points that have a line there.
  [[nodiscard, gnu::always_inline]] PAIKA_HD Word before(Word set, std::size_t lane) const noexcept {
    return (set >> forward_[lane]) << backward_[lane];
  }
  [[nodiscard, gnu::always_inline]] PAIKA_HD Word after(Word set, std::size_t lane) const noexcept {
    return (set << forward_[lane]) >> backward_[lane];
  }

  Word all_;
  Lanes forward_{};   // how far a step raises the index of a point
  Lanes backward_{};  // or lowers it
  Lanes ahead_{};     // the points with a line in the direction (1.3) and two points ahead
  Lanes behind_{};    // those with a line in the direction and a point behind
  Lanes entered_{};   // those that a line in the direction leads to
};

}  // namespace paika::fanorona
