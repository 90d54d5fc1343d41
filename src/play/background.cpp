#include "play/background.hpp"

#include <condition_variable>
#include <mutex>

namespace paika::play {

void wait_for_stop(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any requested;
  std::unique_lock lock(mutex);
  requested.wait(lock, stop, [] { return false; });
}

}  // namespace paika::play
