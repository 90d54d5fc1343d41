// Puzzles: positions with exactly one move that wins, or that draws where none wins, each proven by an oracle. Where
// search alone proves it (study/full_width.hpp), the goal is to win in so many moves, which one move does.
//
// A file of puzzles is a table in text, tab-separated with a header line (docs/study.md). Bytes in, puzzles out: no
// file is opened here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "base/result.hpp"
#include "engine/engine.hpp"
#include "engine/move_value.hpp"

namespace paika::study {

inline constexpr int max_puzzle_level = 10;

struct Puzzle {
  std::string id;  // the game's name and a number that follows from the position
  std::string spec;
  std::string position;
  ValueKind goal = ValueKind::win;  // or draw
  int moves = 0;                    // to win in so many moves of one's own; 0: at any time
  std::string solution;             // its first move
  int level = 1;                    // 1 to max_puzzle_level
  std::vector<std::string> themes;
  std::string proof;  // what proved it: table, proof or ending

  friend bool operator==(const Puzzle&, const Puzzle&) = default;
};

[[nodiscard]] std::string puzzles_text(std::span<const Puzzle> puzzles);
/// Checks the form, not the proofs. An error names the line.
[[nodiscard]] Result<std::vector<Puzzle>> parse_puzzles(std::string_view text);

/// The one move that reaches the best result; nothing if several do, if all do, or if the position is lost.
struct OnlyMove {
  ValueKind goal = ValueKind::win;
  std::string text;
  MoveValue value;
};
[[nodiscard]] std::optional<OnlyMove> only_move(std::span<const OracleTurn> turns);
/// In how many moves of the winner it is won, the last one included; 0 if it is no win, or nobody knows.
[[nodiscard]] int winners_moves(const MoveValue& value);

/// The same text for all positions that symmetries make alike, whatever their counters.
[[nodiscard]] std::string canonical_position(const Notation& notation, const Board& board);
/// What is wrong with the order and the choice of puzzles, by their indices: a level below the one before, or a
/// position that another puzzle has up to symmetry. Illegal positions are left to verify_puzzle().
[[nodiscard]] std::map<std::size_t, std::string> ladder_faults(std::span<const Puzzle> puzzles);

/// An oracle and what a puzzle calls it.
struct PuzzleProof {
  std::string name;
  Oracle oracle;
  bool slow = false;  // it is worth a quick search to find out whether it has something to prove
};

/// Proves a puzzle of a game again, with an oracle that was made for this very game. An error says what is wrong with
/// it: an illegal position or move, two solutions, another solution, another number of moves, other themes, a level
/// below what the length of the win asks for, or that the oracle cannot tell.
[[nodiscard]] Result<void> verify_puzzle(const Game& game, const Puzzle& puzzle, const Oracle& oracle);

struct PuzzleSettings {
  std::uint64_t seed = 1;
  int min_turns = 4;    // legal moves of a position worth asking about
  int max_turns = 400;  // more are too many to look through
  int min_plies = 4;    // of a game before its first position
  int max_empty = 12;   // of games whose endings are searched
  int max_plies = 150;  // of a game
  // So that neither the easy ones nor those of one kind crowd out the others.
  std::size_t max_per_level = SIZE_MAX;
  std::size_t max_per_theme = SIZE_MAX;
};

/// Finds puzzles in games that it plays: by chance, or where proofs are slow, mostly as a weak engine would.
class PuzzleMaker {
 public:
  /// Asks the proofs in their order.
  PuzzleMaker(GamePtr game, std::vector<PuzzleProof> proofs, const PuzzleSettings& settings);

  /// Plays one more game; the puzzles found on its way, none alike up to symmetry. Errors are the oracles'.
  [[nodiscard]] Result<std::vector<Puzzle>> play_on();
  /// Makes room for half as many again of each level and theme. Requires that both have a maximum.
  void raise_shares() noexcept;

 private:
  [[nodiscard]] Result<std::optional<Puzzle>> look_at(const Session& session);
  [[nodiscard]] bool seems_won(const Session& session);
  [[nodiscard]] int level_of(const Session& session, const OnlyMove& only);
  [[nodiscard]] bool has_room(int level) const;
  [[nodiscard]] bool has_room(const std::vector<std::string>& themes) const;
  void play_one(Session& session, const std::vector<Turn>& turns, int ply);
  void play_by_chance(Session& session, const std::vector<Turn>& turns);

  GamePtr game_;
  std::vector<PuzzleProof> proofs_;
  PuzzleSettings settings_;
  Random random_;
  std::unique_ptr<Engine> grader_;
  std::set<std::string> seen_;
  std::map<int, std::size_t> of_level_;
  std::map<std::string, std::size_t> of_theme_;
};

/// What the solution is about, by what it does: capture, chain, sacrifice, push, explosion, parity, corner, quiet, ….
[[nodiscard]] std::vector<std::string> themes_of(const Session& session, const OnlyMove& only);

}  // namespace paika::study
