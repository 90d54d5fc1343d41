// The command line as plain data: what --help prints, for manual pages and completions to be made from.
//
// CLI11 is heavy to compile, so only the sources that add options and command_tree.cpp include it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/commands.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): it is the namespace of CLI11
namespace CLI {
class App;
}

namespace paika::apps {

/// An option, or an argument by its place.
struct CommandOption {
  std::vector<std::string> names;  // "--position", "-p"; of an argument its name alone: "SPEC"
  std::string value;               // "TEXT", "first|mover"; empty: a flag
  std::string meaning;
  bool required = false;
  bool repeats = false;         // every word that follows is one more of it
  bool value_optional = false;  // --resume [FILE]
};

struct CommandNode {
  std::string path;   // "paika table info"
  std::string about;  // one sentence, without its full stop
  std::string footer;
  std::vector<CommandOption> options;
  std::vector<CommandOption> arguments;
  std::vector<CommandNode> commands;

  /// The last word of the path.
  [[nodiscard]] std::string name() const { return path.substr(path.rfind(' ') + 1); }
};

/// Reads the tree of commands; hidden ones are left out.
[[nodiscard]] CommandNode command_tree(const CLI::App& app);

/// What to say of a command line that CLI11 refuses with `error`.
[[nodiscard]] std::string parse_complaint(const CLI::App& app, int argc, char** argv, std::string_view error);

// ---- What is made of the tree ----

/// The script that completes command lines in the shell `name`: bash, zsh or fish. `games` are the names of the games,
/// which stand where a spec is expected. Nothing if there is no such shell.
[[nodiscard]] std::optional<std::string> completion_script(const CommandNode& root, std::string_view name,
                                                           const std::vector<std::string>& games);

struct ManPage {
  std::string file;  // "paika-play.1"
  std::string text;  // for man(7)
};

/// One manual page for the program and one for each of its commands. `date` is "2026-01-31".
[[nodiscard]] std::vector<ManPage> man_pages(const CommandNode& root, std::string_view version, std::string_view date);

int run_completion(const CommandNode& root, const ReferenceArgs& args);
int run_man(const CommandNode& root, const ReferenceArgs& args);

}  // namespace paika::apps
