// The fuzz target of the table files: any bytes as a table, as they are and with their checksums made right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paika::fuzz {

/// Tables: what opens and is sound answers the same one by one and in a row; all else is a message.
void run_table(std::string_view bytes);
[[nodiscard]] std::vector<std::string> table_seeds();

}  // namespace paika::fuzz
