// Reading a file or standard input whole, but never more than any input of ours can be.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace paika::apps {

/// No position and no board file comes near this length; what is longer is not read to its end.
inline constexpr std::size_t max_input_bytes = std::size_t{1} << 20;

/// What `file` holds, cut after `most` + 1 bytes. `name` is for the error message.
[[nodiscard]] Result<std::string> read_input(std::FILE* file, std::string_view name,
                                             std::size_t most = max_input_bytes);

}  // namespace paika::apps
