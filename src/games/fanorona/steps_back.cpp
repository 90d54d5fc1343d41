#include "games/fanorona/steps_back.hpp"

namespace paika::fanorona {

namespace {

constexpr bool at_most_one(std::uint32_t set) noexcept { return (set & (set - 1)) == 0; }

}  // namespace

bool StepsBack::can_capture(const Lanes& takes, std::uint32_t own, std::uint32_t empty) const noexcept {
  std::uint32_t capturing = 0;
  for (std::size_t d = 0; d < 8; ++d) capturing |= own & takes[d] & before(empty, d);
  return capturing != 0;
}

// A capture that the side that stepped could make now, if it were its turn, was there before the step,
// too, unless the step was that stone's own or came from the point it would go to. One step must
// account for all of them: seen from one capturing stone, either it stepped, and came from where all
// others would go; or something came from its only target, which did all that goes elsewhere.
std::array<StepsBack::Suspects, 2> StepsBack::suspects(const Lanes& takes, std::uint32_t stepped,
                                                       std::uint32_t empty) const noexcept {
  Lanes now;
  std::uint32_t capturing = 0;
  for (std::size_t d = 0; d < 8; ++d) {
    now[d] = stepped & takes[d] & before(empty, d);
    capturing |= now[d];
  }
  if (capturing == 0) return {Suspects{stepped, empty}, Suspects{}};
  const std::uint32_t one = capturing & (~capturing + 1);
  std::uint32_t targets = 0;
  std::uint32_t others_targets = 0;
  for (std::size_t d = 0; d < 8; ++d) {
    targets |= after(now[d] & one, d);
    others_targets |= after(now[d] & ~one, d);
  }
  std::array<Suspects, 2> found{};
  if (at_most_one(others_targets)) found[0] = {one, others_targets != 0 ? others_targets : empty};
  if (!at_most_one(targets)) return found;
  std::uint32_t elsewhere = 0;
  for (std::size_t d = 0; d < 8; ++d) elsewhere |= now[d] & ~before(targets, d);
  if (at_most_one(elsewhere)) found[1] = {(elsewhere != 0 ? elsewhere : stepped) & ~one, targets};
  return found;
}

int StepsBack::find(std::uint32_t stood, std::uint32_t stepped, Found& found) const noexcept {
  const std::uint32_t empty = all_ & ~(stood | stepped);
  // Where a step takes stones if it goes from a stone to an empty point (2.1). It is the same before and
  // after a paika, which moves no stone that can be taken.
  Lanes takes;
  for (std::size_t d = 0; d < 8; ++d) {
    takes[d] = (ahead_[d] & before(before(stood, d), d)) | (behind_[d] & after(stood, d));
  }
  const auto [a, b] = suspects(takes, stepped, empty);
  if ((a.to | b.to) == 0) return 0;
  Lanes steps;
  for (std::size_t d = 0; d < 8; ++d) {
    const std::uint32_t suspected = (a.to & after(a.from, d)) | (b.to & after(b.from, d));
    steps[d] = suspected & stepped & entered_[d] & after(empty, d);
  }
  int count = 0;
  for (std::size_t d = 0; d < 8; ++d) {
    for (std::uint32_t left = steps[d]; left != 0; left &= left - 1) {
      const std::uint32_t to = left & (~left + 1);
      const std::uint32_t changed = to | before(to, d);
      if (can_capture(takes, stepped ^ changed, empty ^ changed)) continue;
      found[static_cast<std::size_t>(count++)] = stepped ^ changed;
    }
  }
  return count;
}

}  // namespace paika::fanorona
