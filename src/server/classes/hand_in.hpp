// Handing in a bot: the one way onto a ladder, by upload or by push.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/classes/bot_files.hpp"
#include "server/classes/class_access.hpp"
#include "server/classes/class_requests.hpp"

namespace paika::server {

/// Nothing if the person may hand in a bot now, else the response that says why not: only members may, while the class
/// takes bots, and only so many a day.
[[nodiscard]] Entered<void> may_hand_in(ClassStore& classes, const SeenClass& in, WallTime now);

/// Adds the bot, which then waits to be built and checked.
[[nodiscard]] Entered<BotRow> add_handed_in(ClassStore& classes, const SeenClass& in, const BotRequest& bot,
                                            WallTime now);

/// The file that says what the bot of a repository is called and how it is built and started: a JSON object with
/// "name", "build", "run" and "protocol", all of them optional.
inline constexpr std::string_view bot_description = "bot.json";

/// The bot that the files of a repository are: by their description, and what that does not say, by what they look
/// like. `name` is used where none is given. Errors say what to write into the description.
[[nodiscard]] Result<BotRequest> read_pushed_bot(const std::vector<BotFile>& files, std::string_view name);

/// How a bot with these files is probably built and started; both empty if they look like nothing that is known.
struct BotCommands {
  std::string build;
  std::string run;
};
[[nodiscard]] BotCommands guessed_commands(const std::vector<std::string>& paths);

}  // namespace paika::server
