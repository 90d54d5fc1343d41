// Opening the position that a command line asks for, and saying what is wrong with it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "apps/commands.hpp"
#include "engine/game.hpp"

namespace paika::apps {

/// The game and position of the arguments, with their turns played.
[[nodiscard]] Result<std::unique_ptr<Session>> open_position(const PositionArgs& args);

/// Prints "paika: MESSAGE" on stderr and returns exit_bad_input.
int complain(std::string_view message);

/// The end of a command: flushes stdout, and complains if what was printed could not be written.
int finish(int status);

}  // namespace paika::apps
