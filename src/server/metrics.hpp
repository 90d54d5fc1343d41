// Metrics: the server's counters in Prometheus' text form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "server/classes/ladder.hpp"
#include "server/hub.hpp"
#include "server/net/network.hpp"

namespace paika::server {

/// What is counted elsewhere.
struct OtherCounts {
  std::size_t writes_waiting = 0, engines_running = 0, engines_waiting = 0, work_waiting = 0;
  std::uint64_t commits = 0;
  double uptime_seconds = 0;
  LadderCounts ladder;
};

[[nodiscard]] std::string metrics_text(const NetworkCounts& network, const HubCounts& hub, const OtherCounts& other);

/// The memory of this process, in bytes; 0 if the machine does not tell.
[[nodiscard]] std::size_t resident_bytes();

}  // namespace paika::server
