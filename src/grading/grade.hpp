// Grading of programs that generate moves, as the Wildebeest assignment does it: a program is given boards, and what it
// lists as their successors is compared with the rules.
//
// Successors are compared as positions, each counted once: a program may list a board that two moves lead to once or
// twice. Where a rule can be read in more than one way a board is right if it is right by one of the readings.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/game.hpp"
#include "play/launch.hpp"

namespace paika::grading {

/// How a program gets a board and tells its successors.
enum class GradeProtocol : unsigned char {
  files,  // Wildebeest's a3: a board file on standard input, the files board.000, board.001, … in the current folder
  lines   // a position's text on a line of standard input, one successor a line on standard output
};

struct GradeBoard {
  std::string name;
  std::string text;  // of the position; a board file or a line
};

struct GradePlan {
  std::vector<GamePtr> readings;  // the first is the one that was asked for; at least one
  GradeProtocol protocol = GradeProtocol::lines;
  std::function<play::Launch(const std::string& folder)> launch;  // the program, to be run in `folder`
  Milliseconds time{10'000};                                      // for each board
};

/// A successor that should not be there.
struct ExtraSuccessor {
  std::string where;      // the file's name or "line 3"
  std::string position;   // its text; empty: it could not be read
  std::string complaint;  // why it could not be read
};

struct BoardGrade {
  std::string board;    // its name
  std::string reading;  // the spec that it was compared with: the one it comes nearest to
  int expected = 0;     // different successors
  int correct = 0;
  int repeated = 0;                   // successors that were listed before
  std::vector<std::string> missing;   // a turn that leads to each
  std::vector<ExtraSuccessor> extra;  // each once
  std::string failure;                // how the program ended badly; empty: it did not
  std::chrono::microseconds time{0};

  [[nodiscard]] bool right() const { return failure.empty() && missing.empty() && extra.empty(); }
};

struct GradeTotals {
  int boards = 0;
  int right = 0;
  int failed = 0;  // where the program ended badly
  int expected = 0;
  int correct = 0;
  int missing = 0;
  int extra = 0;

  void add(const BoardGrade& grade);
  /// As the assignment counts: correct ones less wrong ones, in percent of all; not below 0.
  [[nodiscard]] double percent() const;
};

/// A position of the game; for Wildebeest any well-formed board, also one that no game leads to.
[[nodiscard]] Result<Board> read_any_position(const Game& game, std::string_view text);

/// The different positions that can follow one, each with the first turn that leads to it. For Wildebeest any
/// well-formed board has successors, also one with a king missing (docs/rules/wildebeest.md, 6.2). The error is that of
/// the text.
[[nodiscard]] Result<std::map<std::string, std::string>> successors_of(const Game& game, std::string_view position);

/// Runs the program on a board. The error says why it cannot be started, or what is wrong with the board.
[[nodiscard]] Result<BoardGrade> grade_board(const GradePlan& plan, const GradeBoard& board,
                                             const std::stop_token& stop);

/// Boards made by chance, the start first: positions of games played by chance, and for Wildebeest also boards strewn
/// with pieces. The same seed gives the same boards on every machine.
[[nodiscard]] std::vector<GradeBoard> random_boards(const Game& game, int count, std::uint64_t seed);

/// The spec with every combination of values of the options named, itself first. An error names the option.
[[nodiscard]] Result<std::vector<GamePtr>> readings_of(std::string_view spec, const std::vector<std::string>& options);

}  // namespace paika::grading
