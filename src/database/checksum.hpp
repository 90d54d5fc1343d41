// The checksum by which a row that was damaged, or copied wrongly, is known.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace paika {

/// XXH3 of values as text. Each length goes in as well, so that nothing can move from one value to the next.
[[nodiscard]] std::int64_t row_checksum(std::span<const std::string_view> values);

}  // namespace paika
