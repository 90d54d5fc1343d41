// Tables that tell who wins and not how soon, two bits a position: made from the sections of a solve, which tell both.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "solve/work_folder.hpp"

namespace paika {

/// Writes the section in the file `from` without its distances into a packed one.
[[nodiscard]] Result<void> pack_section(const std::string& from, const std::string& to, int threads);

/// Makes the table of the sections, tier 0 first: as they are, or packed, which the work folder has room for.
[[nodiscard]] Result<void> assemble_from(const WorkFolder& folder, const std::string& table, std::string_view spec,
                                         std::span<const std::string> sections, bool distances, int threads);

}  // namespace paika
