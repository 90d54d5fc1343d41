// What the tables for teachers are made of: fields of CSV, and dates.
#pragma once

#include <string>

#include "server/http/site.hpp"
#include "server/store/store.hpp"

namespace paika::server {

/// A field of CSV. What a spreadsheet would take for a formula gets an apostrophe in front.
[[nodiscard]] std::string csv_field(std::string text);
/// "2026-11-18T09:30:00Z"; empty for 0.
[[nodiscard]] std::string date_text(WallTime time);
/// A response that browsers save under this name.
[[nodiscard]] Response as_file(std::string type, std::string begin, const std::string& name);

}  // namespace paika::server
