// ServerClock: time that runs only while the server does, and goes on after a restart from where it was kept.
#pragma once

#include <chrono>

#include "server/rooms/event.hpp"

namespace paika::server {

class ServerClock {
 public:
  explicit ServerClock(ServerTime begin) : begin_(begin) {}
  [[nodiscard]] ServerTime now() const {
    return begin_ + std::chrono::duration_cast<ServerTime>(std::chrono::steady_clock::now() - started_);
  }
  /// How long it has run here.
  [[nodiscard]] std::chrono::steady_clock::duration age() const { return std::chrono::steady_clock::now() - started_; }

 private:
  ServerTime begin_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace paika::server
