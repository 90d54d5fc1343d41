// Fuzz targets of tournaments: plans, and what a peer may send to a coordinator or a worker.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paika::fuzz {

/// Plans in TOML: a plan is the same as itself, all else is a message.
void run_tournament_plan(std::string_view bytes);
[[nodiscard]] std::vector<std::string> tournament_plan_seeds();

/// Bytes from a peer who does not know the secret: no handshake succeeds, none hangs.
void run_wire(std::string_view bytes);
[[nodiscard]] std::vector<std::string> wire_seeds();

/// JSON from a peer who knows it: a job or a finished game reads back as it was written, all else is a message.
void run_worker_message(std::string_view bytes);
[[nodiscard]] std::vector<std::string> worker_message_seeds();

}  // namespace paika::fuzz
