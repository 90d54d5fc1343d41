#include "search/time_policy.hpp"

#include <algorithm>

namespace paika {

namespace {

/// Kept back for the way from the decision to the one who waits for it: another program may hold the
/// processor just then. If it did so before, twice as long is expected.
Milliseconds margin_of(Milliseconds time, Milliseconds lag) {
  return std::min(time / 2, std::clamp(time * 15 / 100, Milliseconds(8), Milliseconds(50)) + 2 * lag);
}

TimePlan plan_clock(const GameClock& clock, int turns_left, Milliseconds lag) {
  const Milliseconds left = std::max(clock.left, Milliseconds(0));
  const Milliseconds margin = margin_of(left, lag);
  const Milliseconds usable = left - margin;
  // When new time comes after a few turns, there is no need to keep any for later ones.
  const int turns = std::max(clock.moves_to_go > 0 ? std::min(turns_left, clock.moves_to_go) : turns_left, 1);
  const Milliseconds share = left / turns + clock.increment * 3 / 4;
  const Milliseconds most = turns == 1 ? usable : turns == 2 ? usable * 2 / 3 : usable / 3;
  TimePlan plan;
  plan.soft = std::min(share, usable);
  plan.hard = std::min(share * 3, std::max(most, plan.soft));
  plan.solving = std::max(plan.hard, usable * 6 / 10);
  plan.grace = margin / 4;
  return plan;
}

}  // namespace

TimePlan plan_time(const SearchLimits& limits, int turns_left, Milliseconds lag) {
  TimePlan plan;
  if (limits.clock) plan = plan_clock(*limits.clock, turns_left, lag);
  if (limits.move_time) {
    const Milliseconds most = std::max(*limits.move_time, Milliseconds(0));
    const Milliseconds margin = margin_of(most, lag);
    if (most - margin < plan.hard) {
      plan.hard = most - margin;
      plan.grace = margin / 4;
    }
    plan.soft = std::min(plan.soft, plan.hard);
    plan.solving = std::min(plan.solving, most - margin);
  }
  return plan;
}

void DepthPolicy::completed(bool same_best, int score) noexcept {
  changes_ = changes_ / 2 + (same_best ? 0 : 1);
  std::rotate(scores_.begin(), scores_.end() - 1, scores_.end());
  scores_.front() = score;
  ++depths_;
}

double DepthPolicy::fall() const noexcept {
  if (depths_ < static_cast<int>(scores_.size())) return 0;
  const double before = (scores_[2] + scores_[3]) / 2.0;
  const double now = (scores_[0] + scores_[1]) / 2.0;
  return std::clamp((before - now) / 100.0, 0.0, 2.0);
}

double DepthPolicy::patience() const noexcept { return (0.42 + 0.5 * std::min(changes_, 1.6)) * (1 + 0.25 * fall()); }

bool DepthPolicy::enough(const TimePlan& plan, Milliseconds elapsed) const noexcept {
  if (!plan.limited()) return false;
  if (plan.soft >= plan.hard) return elapsed >= plan.hard;
  const auto soft = static_cast<Milliseconds::rep>(static_cast<double>(plan.soft.count()) * patience());
  return elapsed >= std::min(Milliseconds(soft), plan.hard);
}

}  // namespace paika
