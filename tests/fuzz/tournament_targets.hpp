// Fuzz targets of tournaments: plans, and what a director and a worker may find in the queue.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paika::fuzz {

/// Plans in TOML: a plan is the same as itself, all else is a message.
void run_tournament_plan(std::string_view bytes);
[[nodiscard]] std::vector<std::string> tournament_plan_seeds();

/// Texts in the queue: an order or a result reads back as it was written, all else is a message.
void run_game_order(std::string_view bytes);
[[nodiscard]] std::vector<std::string> game_order_seeds();

}  // namespace paika::fuzz
