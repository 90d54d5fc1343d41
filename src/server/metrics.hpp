// Metrics: the server's counters in Prometheus' text form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "server/classes/ladder.hpp"
#include "server/hub.hpp"
#include "server/net/network.hpp"
#include "server/tracer.hpp"

namespace paika::server {

struct QueueCounts {
  std::size_t running = 0, waiting = 0;
};
/// A work queue under a name that its metrics begin with.
struct NamedQueue {
  std::string name;
  std::string what;
  QueueCounts counts;
};

/// What is counted elsewhere.
struct OtherCounts {
  std::size_t writes_waiting = 0;
  std::vector<NamedQueue> queues;
  std::uint64_t commits = 0;
  double uptime_seconds = 0;
  LadderCounts ladder;
  QueueStats jobs;
  RequestTimes requests;
};

[[nodiscard]] std::string metrics_text(const NetworkCounts& network, const HubCounts& hub, const OtherCounts& other);

/// The memory of this process, in bytes; 0 if the machine does not tell.
[[nodiscard]] std::size_t resident_bytes();

}  // namespace paika::server
