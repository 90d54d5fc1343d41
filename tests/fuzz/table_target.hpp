// The fuzz targets of the table files: any bytes as a table, as they are and with their checksums made right, and as
// the frame of a block.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paika::fuzz {

/// Tables: what opens and is sound answers the same one by one and in a row; all else is a message.
void run_table(std::string_view bytes);
[[nodiscard]] std::vector<std::string> table_seeds();

/// Frames of zstd: what our decoder reads, libzstd reads in the same way.
void run_zstd(std::string_view bytes);
[[nodiscard]] std::vector<std::string> zstd_seeds();

}  // namespace paika::fuzz
