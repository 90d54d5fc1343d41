// Grading of programs that generate moves, as the Wildebeest assignment does it: a program is given boards, and what it
// lists as their successors is compared with the rules.
//
// Successors are compared as positions, each counted once: a program may list a board that two moves lead to once or
// twice. Where a rule can be read in more than one way a board is right if it is right by one of the readings.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/game.hpp"
#include "grading/boards.hpp"
#include "play/launch.hpp"
#include "rules/topics.hpp"

namespace paika::grading {

/// How a program gets a board and tells its successors.
enum class GradeProtocol : unsigned char {
  files,  // Wildebeest's a3: a board file on standard input, the files board.000, board.001, … in the current folder
  lines   // a position's text on a line of standard input, one successor per line on standard output
};

struct GradePlan {
  std::vector<GamePtr> readings;  // the first is the one that was asked for; at least one
  GradeProtocol protocol = GradeProtocol::lines;
  std::function<play::Launch(const std::string& folder)> launch;  // the program, to be run in `folder`
  Milliseconds time{10'000};                                      // for each board
};

/// What a program listed, as it wrote it.
struct GivenSuccessor {
  std::string where;  // the file's name or "line 3"
  std::string text;
};

/// A position that must be listed.
struct ExpectedSuccessor {
  std::string turn;  // the first one that leads to it
  std::string position;
  bool listed = false;
};

/// A square on which a board differs from another, with what the two show there.
struct SquareDifference {
  std::string square;
  char given = ' ';
  char expected = ' ';
};

/// A successor that should not be there.
struct ExtraSuccessor {
  std::string where;      // the file's name or "line 3"
  std::string position;   // its text; empty: it could not be read
  std::string complaint;  // why it could not be read, or what forbids it: "d4d5 is forbidden by 3.3 paralysis"
  /// The turn whose board comes nearest, and where that differs; empty if the position could not be read.
  std::string nearest{};
  std::vector<SquareDifference> differences{};
};

/// How often a rule was put to the test, and how often the program was right (rules/topics.hpp).
struct TopicCount {
  int cases = 0;
  int right = 0;
};

struct BoardGrade {
  std::string board;  // its name
  BoardKind kind = BoardKind::given;
  std::string reading;  // the spec that it was compared with: the one it comes nearest to
  int expected = 0;     // different successors
  int correct = 0;
  int repeated = 0;                   // successors that were listed before
  std::vector<std::string> missing;   // a turn that leads to each
  std::vector<ExtraSuccessor> extra;  // each once
  std::vector<TopicCount> topics;     // of the game, in its order; none if it has none
  std::string failure;                // how the program ended badly; empty: it did not
  std::chrono::microseconds time{0};

  // The evidence: with it a result can be reproduced.
  std::string input;  // what the program was given
  std::vector<ExpectedSuccessor> successors;
  std::vector<GivenSuccessor> given;
  std::string standard_error;  // the beginning of it
  std::string end;             // "exit status 0", "it was ended by signal 11 (segmentation fault)"

  [[nodiscard]] bool right() const { return failure.empty() && missing.empty() && extra.empty(); }
};

/// "right", "wrong" or "failed".
[[nodiscard]] std::string_view verdict(const BoardGrade& grade) noexcept;

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

/// The result of a whole grading: all boards, each group of them, and each rule.
struct GradeSummary {
  GradeTotals all;
  std::map<BoardKind, GradeTotals> groups;
  std::vector<TopicCount> topics;

  void add(const BoardGrade& grade);
};

/// Runs the program on a board. The error says why it cannot be started, or what is wrong with the board.
[[nodiscard]] Result<BoardGrade> grade_board(const GradePlan& plan, const GradeBoard& board,
                                             const std::stop_token& stop);

}  // namespace paika::grading
