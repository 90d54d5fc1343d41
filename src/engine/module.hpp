// GameModule: all that the system knows of a game, in one constant per game.
//
// A game's constant is src/instances/<game>/module.hpp; a program's games are the list that defines game_modules(),
// made from cmake/games.cmake for the programs of this repository. Nothing else outside src/games and src/instances
// asks which game it deals with: what differs between games is a member here, or of GameInfo and Notation.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/game.hpp"
#include "engine/look.hpp"
#include "engine/record_format.hpp"
#include "rules/topics.hpp"
#include "search/endgame_probe.hpp"

namespace paika {

class Numbering;
class Random;
class Solver;
struct ProofReport;
struct ProofRequest;

/// A board as a file has it, with the numbers beside it as they were written.
struct WrittenBoard {
  Board board;
  std::array<std::string, 3> integers;
};

/// Files with a board each, which programs read and write instead of moves (docs/class-protocols.md).
struct BoardFiles {
  std::size_t board_lines;  // the lines before the integers
  /// Reads a board file; the last line may stop without a line end.
  Result<WrittenBoard> (*parse)(std::string_view text);
  /// Reads a board file or the one-line form of a position, of any well-formed board, whether games lead there or not.
  Result<WrittenBoard> (*parse_any)(std::string_view text);
  std::string (*text)(const WrittenBoard& written);
  /// The boards after one turn, by their one-line form, each with the text of a turn that leads there. Any
  /// well-formed board may be asked about.
  std::map<std::string, std::string> (*successors)(const Game& game, const Board& board);
  /// A board with pieces anywhere: what games seldom lead to, and generators therefore get wrong.
  Board (*strewn)(Random& random);
};

/// A search that `paika bench` counts.
struct BenchTask {
  std::string_view spec;
  int depth;
};

/// Functions that are null are what the game, or this program, does not have.
struct GameModule {
  const GameInfo& (*info)();
  Result<GamePtr> (*open)(std::string_view spec);
  /// Where a position's text says what a spec leaves open.
  std::string (*spec_for_position)(std::string_view spec, std::string_view position) = nullptr;
  /// Sizes worth offering with one click, smallest first; none where the size is fixed.
  std::span<const std::string_view> suggested_sizes{};
  /// The spec that a page offers to those who just want to play, where the standard game is too small or too long for
  /// that; empty: the standard game.
  std::string_view recommended{};
  BoardLook look{};
  /// What playing a move is called in the terminal's menu; null: "Play a move".
  Phrase (*play_command)() = nullptr;

  // Perfect play.
  /// Tables of all positions, or, with `stones`, of the positions with at most so many, 2 to max_stones, on larger
  /// boards too; 0: there are none of those. What a table is called, where positions stand in it, and what makes it.
  int max_stones = 0;
  Result<std::string> (*table_label)(std::string_view spec, int stones) = nullptr;  // both or none
  Result<std::unique_ptr<Numbering>> (*numbering)(std::string_view spec, int stones) = nullptr;
  Result<std::unique_ptr<Solver>> (*solver)(std::string_view spec, int stones) = nullptr;
  /// How the search looks up positions of few stones in the tables of a folder; nothing if there are none.
  OpenProbe (*endgame_probe)(std::string_view spec, const std::string& folder) = nullptr;
  Result<ProofReport> (*prove)(const Session& session, const ProofRequest& request) = nullptr;
  /// Positions never come back and endings are searched to their end (engine/exact.hpp) on boards of so many
  /// squares at most; 0: they are not.
  int exact_squares = 0;

  // What other programs and files speak of the game.
  bool ggf = false;  // records in GGF, and programs by the NBoard protocol; one game of a list at most
  std::span<const RecordFormat> (*record_formats)() = nullptr;  // files of other programs
  bool class_protocol = false;  // the class protocol over TCP; one game of a list at most
  const BoardFiles* board_files = nullptr;

  /// Which rules a position puts to the test, for grading.
  const RuleTopics* topics = nullptr;

  std::span<const BenchTask> bench{};
};

/// The module without what makes tables and proofs, for programs that have neither files nor threads. It reads tables.
[[nodiscard]] constexpr GameModule without_solvers(GameModule module) noexcept {
  module.solver = nullptr;
  module.endgame_probe = nullptr;
  module.prove = nullptr;
  return module;
}

/// The games of this program, in the order people see them. Defined by the program, not by this layer.
[[nodiscard]] std::span<const GameModule> game_modules();

/// The module of a game that this program opened.
[[nodiscard]] const GameModule& module_of(const Game& game);
/// The module called `name` (or by one of the game's aliases, in any case), or an error that lists the names.
[[nodiscard]] Result<const GameModule*> find_module(std::string_view name);
/// How boards of a notation look whose game this program has.
[[nodiscard]] const BoardLook& look_of(const Notation& notation);
/// The game of the list with a property (`&GameModule::ggf`) on a board of this size; an error if there is none.
[[nodiscard]] Result<GamePtr> open_game_with(bool GameModule::* property, int cols, int rows);

}  // namespace paika
