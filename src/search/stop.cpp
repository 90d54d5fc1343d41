#include "search/stop.hpp"

#include <algorithm>

namespace paika {

namespace {

/// Kept back for the way from the decision to the one who waits for it: another program may hold the
/// processor just then.
Milliseconds margin_of(Milliseconds time) {
  return std::min(time / 2, std::clamp(time * 15 / 100, Milliseconds(8), Milliseconds(50)));
}

}  // namespace

TimePlan plan_time(const SearchLimits& limits, int turns_left) {
  TimePlan plan;
  if (limits.clock) {
    const Milliseconds left = std::max(limits.clock->left, Milliseconds(0));
    const Milliseconds usable = left - margin_of(left);
    const Milliseconds share = left / std::max(turns_left, 1) + limits.clock->increment * 3 / 4;
    plan.soft = std::min(share, usable);
    plan.hard = std::min(share * 3, std::max(usable / 3, std::min(plan.soft, usable)));
  }
  if (limits.move_time) {
    const Milliseconds most = std::max(*limits.move_time, Milliseconds(0));
    plan.hard = std::min(plan.hard, most - margin_of(most));
    plan.soft = std::min(plan.soft, plan.hard);
  }
  return plan;
}

}  // namespace paika
