// The hook that git runs on our behalf when somebody pushes: it reads what is pushed, gives it to the server, says what
// the server answers, and lets git take it or not.
//
// It is this program under the name of the hook. What was pushed lies in quarantine, and only processes that git has
// started see it there; so the hook reads it, and the server, at the other end of a socket, decides.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "server/classes/bot_files.hpp"

namespace paika::server {

/// The exit status of the hook if the program was started as one, by its name; nothing otherwise.
[[nodiscard]] std::optional<int> run_as_push_hook(const char* program);

/// An update of a reference as git tells its hooks.
struct RefUpdate {
  std::string before;  // zeros: it is new
  std::string after;   // zeros: it is to be deleted
  std::string name;
};
/// The only update that is taken, of the branch main; an error says what to push instead.
[[nodiscard]] Result<RefUpdate> read_updates(std::string_view text);

/// A file of a tree as `git ls-tree -r -l -z` tells it.
struct TreeFile {
  std::string object;
  std::string path;
};
/// The files of a bot in such a list, hidden ones left out. Refuses links, submodules, names that no bot's file may
/// have, and too many or too large files.
[[nodiscard]] Result<std::vector<TreeFile>> read_tree(std::string_view list);

/// What the hook sends to the server: the files as bot_files_json() writes them. The server answers by lines: those
/// that begin with ' ' are for the person, then accepted_line or refused_line ends it.
inline constexpr std::size_t max_hook_message = std::size_t{4} << 20;
inline constexpr std::string_view accepted_line = "+";
inline constexpr std::string_view refused_line = "-";

}  // namespace paika::server
