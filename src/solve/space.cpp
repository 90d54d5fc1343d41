#include "solve/space.hpp"

#include "solve/workers.hpp"

namespace paika {

void TierAnalysis::settle() {
  share_out(threads_, part_.blocks(), [&](std::uint64_t b, int) { part_.settle(b); });
}

}  // namespace paika
