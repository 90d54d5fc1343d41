// Commands: the words that people type beside turns, and how a line is taken apart.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/phrase.hpp"
#include "engine/game.hpp"

namespace paika::terminal {

enum class CommandId : unsigned char {
  place,
  moves,
  hint,
  why,
  pass,
  undo,
  redo,
  go,
  draw,
  resign,
  abandon,
  save,
  load,
  export_text,
  rules,
  flip,
  set,
  new_game,
  show,
  help,
  quit
};

struct CommandInfo {
  CommandId id;
  std::string_view word;
  std::string_view key;        // one letter that means the same; "" for none
  std::string_view arguments;  // as help shows them: "[N]"
};

/// All commands in the order people see them.
[[nodiscard]] std::span<const CommandInfo> all_commands();
[[nodiscard]] const CommandInfo& info_of(CommandId id);
/// One line about a command, in words that fit the game ("Place a pawn").
[[nodiscard]] Phrase meaning_of(CommandId id, const Game& game);
/// What help says of a command beside its one line; empty if that is all.
[[nodiscard]] Phrase details_of(CommandId id);

/// The command that `word` is or, from two letters on, begins as the only one; in any case.
[[nodiscard]] const CommandInfo* find_command(std::string_view word, bool exactly);
/// All words that begin with `word`: what it could have meant.
[[nodiscard]] std::vector<std::string> commands_beginning(std::string_view word);
/// The words of all commands.
[[nodiscard]] std::vector<std::string> command_words();

}  // namespace paika::terminal
