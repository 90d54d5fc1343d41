#include "server/store/wall_clock.hpp"

#include <cstdlib>
#include <mutex>

namespace paika::server {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

WallTime WallClock::Anchor::at(Steady later) const {
  return wall + duration_cast<milliseconds>(later - steady).count();
}

bool WallClock::Anchor::agrees(WallTime wall_then, Steady steady_then) const {
  return std::abs(wall_then - at(steady_then)) <= tolerance.count();
}

void WallClock::Anchor::follow(WallTime wall_then, Steady steady_then) {
  wall = wall_then;  // small corrections are no jumps, but they add up
  steady = steady_then;
}

WallTime WallClock::now(WallTime wall, Steady steady) {
  if (!believed_) believed_ = Anchor{wall, steady, steady};
  if (believed_->agrees(wall, steady)) {
    if (other_) believed_->since = steady;
    other_.reset();
    believed_->follow(wall, steady);
  } else {
    if (!other_ || !other_->agrees(wall, steady)) other_ = Anchor{wall, steady, steady};
    other_->follow(wall, steady);
    if (steady - other_->since >= patience) {
      believed_ = other_;
      other_.reset();
    }
  }
  settled_ = !other_ && steady - believed_->since >= patience;
  return believed_->at(steady);
}

namespace {

/// The clock of this process.
struct SharedClock {
  std::mutex mutex;
  WallClock clock;
};

SharedClock& shared_clock() {
  static SharedClock clock;
  return clock;
}

}  // namespace

WallTime wall_now() {
  SharedClock& shared = shared_clock();
  const std::scoped_lock lock(shared.mutex);
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  return shared.clock.now(duration_cast<milliseconds>(wall).count(), std::chrono::steady_clock::now());
}

bool wall_is_settled() {
  SharedClock& shared = shared_clock();
  const std::scoped_lock lock(shared.mutex);
  return shared.clock.is_settled();
}

}  // namespace paika::server
