#include "apps/terminal/command.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "engine/module.hpp"
#include "rules/search_traits.hpp"

namespace paika::terminal {

namespace {

constexpr std::array<CommandInfo, 21> commands = {
    {{CommandId::place, "place", "P", "MOVE"},    {CommandId::moves, "moves", "M", "[SQUARE]"},
     {CommandId::hint, "hint", "H", ""},          {CommandId::why, "why", "W", "MOVE"},
     {CommandId::pass, "pass", "", ""},           {CommandId::undo, "undo", "U", "[N]"},
     {CommandId::redo, "redo", "R", "[N]"},       {CommandId::go, "go", "G", ""},
     {CommandId::draw, "draw", "", ""},           {CommandId::resign, "resign", "", ""},
     {CommandId::abandon, "abandon", "A", ""},    {CommandId::save, "save", "S", "FILE"},
     {CommandId::load, "load", "L", "FILE"},      {CommandId::export_text, "export", "", "[position|record|ggf]"},
     {CommandId::rules, "rules", "", "[CLAUSE]"}, {CommandId::flip, "flip", "F", ""},
     {CommandId::set, "set", "", "[WHAT VALUE]"}, {CommandId::new_game, "new", "N", "[SPEC]"},
     {CommandId::show, "show", "", ""},           {CommandId::help, "help", "?", "[COMMAND]"},
     {CommandId::quit, "quit", "Q", ""}}};

}  // namespace

std::span<const CommandInfo> all_commands() { return commands; }

const CommandInfo& info_of(CommandId id) {
  return *std::find_if(commands.begin(), commands.end(), [&](const CommandInfo& c) { return c.id == id; });
}

Phrase meaning_of(CommandId id, const Game& game) {
  switch (id) {
    case CommandId::place: {
      const auto own = module_of(game).play_command;
      return own == nullptr ? phrase("Play a move") : own();
    }
    case CommandId::moves: return phrase("List the legal moves");
    case CommandId::hint: return phrase("Hint");
    case CommandId::why: return phrase("Is this move legal? If not, why?");
    case CommandId::pass: return phrase("Pass");
    case CommandId::undo: return phrase("Undo");
    case CommandId::redo: return phrase("Redo");
    case CommandId::go: return phrase("Let the computer continue");
    case CommandId::draw: return phrase("Offer a draw, or agree to one");
    case CommandId::resign: return phrase("Resign");
    case CommandId::abandon: return phrase("Abandon");
    case CommandId::save: return phrase("Save");
    case CommandId::load: return phrase("Load a saved game");
    case CommandId::export_text: return phrase("Print the position or the game as text");
    case CommandId::rules: return phrase("Read the rules, or one clause of them");
    case CommandId::flip: return phrase("Flip the board");
    case CommandId::set: return phrase("Change a setting, or list them all");
    case CommandId::new_game: return phrase("New game");
    case CommandId::show: return phrase("Show the board again");
    case CommandId::help: return phrase("Help");
    case CommandId::quit: break;
  }
  return phrase("Quit");
}

Phrase details_of(CommandId id) {
  switch (id) {
    case CommandId::place:
      return phrase("You can also type the move alone, or only its beginning if no other move begins the same way.");
    case CommandId::moves: return phrase("With a square: only the moves that begin there.");
    case CommandId::hint: return phrase("The computer says what it would play, what it expects next, and why.");
    case CommandId::undo:
      return phrase(
          "Without a number: your last move and the computer's reply. With a number: that many moves; if the computer "
          "is then to move, it waits for go. The clocks go back too.");
    case CommandId::redo: return phrase("Without a number: up to your next move.");
    case CommandId::draw:
      return phrase(
          "Two people agree by typing it twice. The computer agrees unless it thinks it is ahead; a program never "
          "agrees.");
    case CommandId::resign: return phrase("The player to move loses; against the computer, you lose.");
    case CommandId::abandon:
      return phrase("Ends the game without a winner and says who is ahead. undo resumes the game.");
    case CommandId::save: return phrase("An existing file is replaced only by save! FILE.");
    case CommandId::load:
      return phrase("The last game of a record file, or a Black & White game in GGF. The current players stay.");
    case CommandId::set:
      return phrase(
          "set level {}-{}, set time 2s, set clock 5min+3s (off: no limit), each for the computer, or for a player "
          "named after it; set player white human, engine:level=3 or bot:COMMAND; set size 10x10 starts a new game; "
          "set view mover shows scores for the side to move, set view first for who moves first.",
          weakest_level, full_level);
    case CommandId::new_game: return phrase("Without a name, the same game with the same players.");
    default: return {};
  }
}

const CommandInfo* find_command(std::string_view word, bool exactly) {
  const std::string wanted = lowered(word);
  for (const CommandInfo& command : commands) {
    if (wanted == command.word || (!command.key.empty() && wanted == lowered(command.key))) return &command;
  }
  if (exactly || wanted.size() < 2) return nullptr;
  const auto begins = [&](const CommandInfo& command) { return command.word.starts_with(wanted); };
  const auto* const found = std::find_if(commands.begin(), commands.end(), begins);
  if (found == commands.end() || std::find_if(found + 1, commands.end(), begins) != commands.end()) return nullptr;
  return found;
}

std::vector<std::string> commands_beginning(std::string_view word) {
  const std::string wanted = lowered(word);
  std::vector<std::string> words;
  for (const CommandInfo& command : commands) {
    if (command.word.starts_with(wanted)) words.emplace_back(command.word);
  }
  return words;
}

std::vector<std::string> command_words() { return commands_beginning(""); }

}  // namespace paika::terminal
