// Which database a command about the server means.
#pragma once

#include <string>

#include "base/result.hpp"

namespace paika::apps {

/// The PostgreSQL URL or the file that was given, whose folder must exist; the user's own file if none was.
[[nodiscard]] Result<std::string> database_file(const std::string& given);

/// What this machine is called among those that share a database.
[[nodiscard]] std::string host_name();

}  // namespace paika::apps
