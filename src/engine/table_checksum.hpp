// One checksum for the file of a table.
#pragma once

#include <string>

#include "solve/table_file.hpp"

namespace paika {

/// Stands for every byte of the table: XXH3 of the checksums of its sections (docs/table-format.md), in 16 hexadecimal
/// digits.
[[nodiscard]] std::string file_checksum(const ValueTable& table);

}  // namespace paika
