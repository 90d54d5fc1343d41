// A conversation with a protocol: lines go in, what it says is kept and can be waited for.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "play/protocol.hpp"

namespace paika_tests {

class Listener {
 public:
  [[nodiscard]] paika::play::WriteLine writer() {
    return [this](std::string_view line) {
      const std::scoped_lock lock(mutex_);
      lines_.emplace_back(line);
      changed_.notify_all();
    };
  }

  /// All that was said since the last call.
  [[nodiscard]] std::vector<std::string> heard() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(lines_, {});
  }

  /// Waits for a line that begins with `start`; what was said up to it is forgotten. "" after some seconds.
  [[nodiscard]] std::string wait_for(std::string_view start) {
    std::unique_lock lock(mutex_);
    std::string found;
    const auto look = [&] {
      const auto at = std::find_if(lines_.begin(), lines_.end(), [&](const auto& l) { return l.starts_with(start); });
      if (at == lines_.end()) return false;
      found = *at;
      lines_.erase(lines_.begin(), at + 1);
      return true;
    };
    changed_.wait_for(lock, std::chrono::seconds(20), look);
    return found;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
};

}  // namespace paika_tests
