#include "database/checksum.hpp"

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming): xxhash.h names it
#include <xxhash.h>

namespace paika {

std::int64_t row_checksum(std::span<const std::string_view> values) {
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_64bits_reset(&state);
  for (const std::string_view value : values) {
    const std::uint64_t size = value.size();
    XXH3_64bits_update(&state, &size, sizeof size);
    if (size > 0) XXH3_64bits_update(&state, value.data(), value.size());
  }
  return static_cast<std::int64_t>(XXH3_64bits_digest(&state));
}

}  // namespace paika
