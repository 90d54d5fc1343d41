#include "search/search_control.hpp"

#include <algorithm>

namespace paika {

namespace {

/// Kept back for the way from the decision to the one who waits for it: another program may hold the
/// processor just then. If it did so before, twice as long is expected.
Milliseconds margin_of(Milliseconds time, Milliseconds lag) {
  return std::min(time / 2, std::clamp(time * 15 / 100, Milliseconds(8), Milliseconds(50)) + 2 * lag);
}

}  // namespace

TimePlan plan_time(const SearchLimits& limits, int turns_left, Milliseconds lag) {
  TimePlan plan;
  if (limits.clock) {
    const Milliseconds left = std::max(limits.clock->left, Milliseconds(0));
    const Milliseconds usable = left - margin_of(left, lag);
    const Milliseconds share = left / std::max(turns_left, 1) + limits.clock->increment * 3 / 4;
    plan.soft = std::min(share, usable);
    plan.hard = std::min(share * 3, std::max(usable / 3, std::min(plan.soft, usable)));
    plan.grace = margin_of(left, lag) / 4;
  }
  if (limits.move_time) {
    const Milliseconds most = std::max(*limits.move_time, Milliseconds(0));
    if (most - margin_of(most, lag) < plan.hard) {
      plan.hard = most - margin_of(most, lag);
      plan.grace = margin_of(most, lag) / 4;
    }
    plan.soft = std::min(plan.soft, plan.hard);
  }
  return plan;
}

}  // namespace paika
