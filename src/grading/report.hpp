// What a grading came to, for machines and for people: JSON, CSV, and a folder with the evidence and a page to hand
// out.
#pragma once

#include <span>
#include <string>

#include "engine/json.hpp"
#include "grading/grade.hpp"

namespace paika::grading {

/// A finished grading.
struct GradeReport {
  std::string student;  // who is graded; empty: nobody said
  std::string program;  // the command as it was given
  GamePtr game;         // by the reading that was asked for
  GradeProtocol protocol = GradeProtocol::lines;
  std::vector<BoardGrade> boards;
  GradeSummary summary;
};

/// "7 of 9 boards right; 318 of 320 successors correct, 2 missing, 1 wrong: 99.1 %".
[[nodiscard]] std::string totals_text(const GradeTotals& totals);
/// "d5 shows 'P' instead of '.'", …, so many at most.
[[nodiscard]] std::string differences_text(std::span<const SquareDifference> differences, std::size_t most);

[[nodiscard]] Json report_json(const GradeReport& report);
/// A line for each board.
[[nodiscard]] std::string report_csv(const GradeReport& report);
/// One page that needs no other file, for a browser or a printer.
[[nodiscard]] std::string report_page(const GradeReport& report);

/// Writes index.html, grade.json, grade.csv and, for each board, boards/NAME with what the program was given and what
/// it answered. The folder is made; it must be empty or hold an earlier report.
[[nodiscard]] Result<void> write_report(const GradeReport& report, const std::string& folder);

}  // namespace paika::grading
