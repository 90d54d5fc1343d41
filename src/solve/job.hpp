// Solving all tiers of a space and writing its table, within a memory limit, and so that it can be interrupted at any
// moment and gone on with.
//
// Work in progress lives in a folder beside the table: a section file for each finished tier and the
// state of the one being worked on. A tier that does not fit into memory is cut into parts, of which one
// is in memory at a time; what a part sends to another waits in a file (docs/solving.md has the
// order and why no message is ever applied twice). The table's bytes depend on the game alone.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "solve/settings.hpp"
#include "solve/space.hpp"

namespace paika {

/// How a tier will be worked on within so much memory.
[[nodiscard]] TierPlan plan_tier(const SolveSpace& space, std::uint32_t tier, std::uint64_t memory);

/// Does the work, or what is left of it. An error if it was stopped, or a file cannot be written or is
/// damaged; the work done so far is kept. With peers all return the same.
[[nodiscard]] Result<void> solve_space(const SolveSpace& space, SolveSettings settings);

}  // namespace paika
