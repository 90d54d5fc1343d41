#include "solve/peers.hpp"

#include <utility>

namespace paika {

Result<void> agree(Peers* peers, Result<void> mine) {
  if (peers == nullptr || peers->count() == 1) return mine;
  const std::int64_t nobody = peers->count();
  const std::int64_t failed = -peers->greatest(mine ? -nobody : -std::int64_t{peers->rank()});
  if (failed == nobody) return {};
  std::string message = mine ? "" : std::move(mine.error().message);
  peers->broadcast(static_cast<int>(failed), message);
  // What the first one meets it meets for all, as a rule; of another it matters on which machine it runs.
  if (failed == 0) return fail("{}", message);
  return fail("process {} of {}: {}", failed + 1, nobody, message);
}

}  // namespace paika
