// What a command line asks for: a position, a game in a file; and saying what is wrong with it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apps/commands.hpp"
#include "base/result.hpp"
#include "engine/game.hpp"
#include "play/record.hpp"
#include "study/formats.hpp"

namespace paika::apps {

/// The game and position of the arguments, with their turns played.
[[nodiscard]] Result<std::unique_ptr<Session>> open_position(const PositionArgs& args);

/// Prints "paika: MESSAGE" on stderr and returns exit_bad_input.
int complain(std::string_view message);

/// The end of a command: flushes stdout, and complains if what was printed could not be written.
int finish(int status);

/// The whole text of a file that people keep; an error if it cannot be read, or is far too long to be one.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path);

/// A file of games with those that belong to it, "-" for standard input; beyond `max_bytes` it is too long.
[[nodiscard]] Result<std::vector<FilePart>> read_file_parts(const std::string& path, std::size_t max_bytes);

/// All games of a file, "-" for standard input; at least one.
[[nodiscard]] Result<std::vector<study::GameTree>> read_games_file(const std::string& path,
                                                                   const study::ReadRequest& request);

/// The main line of the game number `number` (from 1) of a file in any format.
[[nodiscard]] Result<play::GameRecord> read_game(const std::string& path, int number);

}  // namespace paika::apps
