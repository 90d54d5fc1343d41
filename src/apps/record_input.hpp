// Reading games and other texts from files that the command line names.
#pragma once

#include <string>

#include "base/result.hpp"
#include "play/record.hpp"

namespace paika::apps {

/// The whole text of a file that people keep; an error if it cannot be read, or is far too long to be one.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path);

/// The game number `number` (from 1) of a file: records, or a game in GGF.
[[nodiscard]] Result<play::GameRecord> read_game(const std::string& path, int number);

}  // namespace paika::apps
