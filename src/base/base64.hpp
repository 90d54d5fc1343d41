// Base64 (RFC 4648, section 4): bytes in texts that hold letters only.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace paika {

/// Padded by '=' to four signs for each three bytes.
[[nodiscard]] std::string to_base64(std::string_view bytes);
/// The bytes; an error unless to_base64 of them would give exactly `text`.
[[nodiscard]] Result<std::string> from_base64(std::string_view text);

}  // namespace paika
