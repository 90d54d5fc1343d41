// Plans as TOML files: [tournament], [limits], [workers] and a [[player]] for each player.
#pragma once

#include <string>
#include <string_view>

#include "tournament/plan.hpp"

namespace paika::tournament {

/// The entries of a file's text. `path` names it in errors, and its folder is where relative names start.
[[nodiscard]] Result<PlanEntries> read_plan_text(std::string_view text, const std::string& path);

/// The plan of a file.
[[nodiscard]] Result<TournamentPlan> read_plan_file(const std::string& path);

}  // namespace paika::tournament
