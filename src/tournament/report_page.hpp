// The report as pages: index.html with tables, and a page for each game with its positions. They need nothing but a
// browser: no network, no other files than each other.
#pragma once

#include <string>

#include "tournament/report.hpp"

namespace paika::tournament {

/// The page with the tables; games are linked as games/NAME.html.
[[nodiscard]] std::string index_page(const Report& report);
/// The same with all games in it, to be looked at in the page itself: one file that needs no other. The error is that
/// of a bad record.
[[nodiscard]] Result<std::string> whole_page(const Report& report);
/// The page of a game: each position can be looked at, with buttons and keys. The error is that of a bad record.
[[nodiscard]] Result<std::string> game_page(const FinishedGame& game);

/// Writes all reports into a folder, which is made: index.html, games/*.html, standings.csv, games.csv, report.json and
/// records.txt.
[[nodiscard]] Result<void> write_reports(const Report& report, const std::string& folder);

}  // namespace paika::tournament
