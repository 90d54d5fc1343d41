// The page of a grading that a teacher hands out: plain, printable, without scripts and other files.
#include <algorithm>
#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "engine/module.hpp"
#include "engine/picture.hpp"
#include "grading/report.hpp"

namespace paika::grading {

namespace {

constexpr std::string_view grade_style = R"(
body{font:15px/1.45 system-ui,sans-serif;color:#222;max-width:60rem;margin:1.5rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}h3{font-size:1rem;margin:1.2rem 0 .3rem}
table{border-collapse:collapse}th,td{padding:.15rem .6rem;border-bottom:1px solid #ccc;text-align:right}
.l{text-align:left}.bad{color:#a00;font-weight:600}.boards{display:flex;flex-wrap:wrap;gap:1.2rem}
.boards figure{margin:.3rem 0;break-inside:avoid}figcaption{max-width:18rem;font-size:.85rem}
.b{font:13px/1 ui-monospace,monospace}.b td,.b th{padding:.12rem .28rem;border:0;text-align:center;font-weight:400}
.b th{color:#777}.b .d{background:#fd8;outline:1px solid #a60;font-weight:700}
pre{background:#f4f4f2;padding:.5rem;overflow-x:auto;white-space:pre-wrap}code{background:#f4f4f2}
@media print{body{margin:0;max-width:none}h3{break-after:avoid}}
)";

constexpr std::size_t max_shown = 6;  // boards of a kind for one position; the folder has all

std::string escaped(std::string_view text) { return xml_escaped(plain_text(text)); }

/// The board as a table; squares that differ are marked.
std::string board_table(const Notation& notation, const Board& board, std::span<const SquareDifference> marked) {
  const Coordinates& names = notation.coordinates();
  std::string text = "<table class=\"b\"><tr><th></th>";
  for (int col = 0; col < board.cells.cols(); ++col) text += fmt::format("<th>{}</th>", names.column_letter(col));
  text += "</tr>\n";
  for (int row = 0; row < board.cells.rows(); ++row) {
    text += fmt::format("<tr><th>{}</th>", names.row_number(row));
    for (int col = 0; col < board.cells.cols(); ++col) {
      const Square s{col, row};
      const bool mark = std::any_of(marked.begin(), marked.end(),
                                    [&](const SquareDifference& one) { return one.square == names.name(s); });
      const std::string glyph = xml_escaped(std::string(1, notation.glyph(board.cells[s])));
      text += fmt::format("<td{}>{}</td>", mark ? " class=\"d\"" : "", glyph);
    }
    text += "</tr>\n";
  }
  return text + "</table>";
}

std::string figure(const Game& game, std::string_view position, std::string_view caption,
                   std::span<const SquareDifference> marked = {}) {
  const auto board = read_any_position(game, position);
  if (!board) return "";
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", board_table(game.notation(), *board, marked),
                     caption);
}

std::string missing_part(const Game& game, const BoardGrade& grade) {
  if (grade.missing.empty()) return "";
  std::string text = fmt::format("<h3>Missing: {}</h3>\n<p>What follows {}.</p><div class=\"boards\">",
                                 grade.missing.size(), escaped(fmt::format("{}", fmt::join(grade.missing, ", "))));
  std::size_t shown = 0;
  for (const ExpectedSuccessor& one : grade.successors) {
    if (one.listed || shown++ >= max_shown) continue;
    text += figure(game, one.position, fmt::format("after {}", escaped(one.turn)));
  }
  return text + "</div>\n";
}

std::string extra_caption(const ExtraSuccessor& extra) {
  std::string text = escaped(extra.where);
  if (!extra.complaint.empty()) text += ": " + escaped(extra.complaint);
  if (!extra.nearest.empty()) {
    text += fmt::format("; the nearest successor is that of {}, where {}", escaped(extra.nearest),
                        escaped(differences_text(extra.differences, 8)));
  }
  return text;
}

std::string extra_part(const Game& game, const BoardGrade& grade) {
  if (grade.extra.empty()) return "";
  std::string text = fmt::format("<h3>Wrong: {}</h3>\n<div class=\"boards\">", grade.extra.size());
  std::string rest;
  std::size_t shown = 0;
  for (const ExtraSuccessor& extra : grade.extra) {
    if (!extra.position.empty() && shown < max_shown) {
      ++shown;
      text += figure(game, extra.position, extra_caption(extra), extra.differences);
    } else {
      rest += fmt::format("<li>{}</li>\n", extra_caption(extra));
    }
  }
  text += "</div>\n";
  return rest.empty() ? text : text + fmt::format("<ul>\n{}</ul>\n", rest);
}

std::string board_part(const GradeReport& report, const BoardGrade& grade) {
  std::string text =
      fmt::format("<h2>{}: {} of {} successors</h2>\n", escaped(grade.board), grade.correct, grade.expected);
  text += figure(*report.game, grade.input,
                 fmt::format("given to the program: <code>boards/{}/input</code>", escaped(grade.board)));
  text += fmt::format("<p{}>End of the program: {}</p>\n", grade.failure.empty() ? "" : " class=\"bad\"",
                      escaped(grade.end));
  if (!grade.standard_error.empty()) {
    std::string lines;
    for (const std::string_view line : split(grade.standard_error, '\n')) lines += escaped(line) + "\n";
    text += fmt::format("<p>Standard error:</p><pre>{}</pre>\n", lines);
  }
  return text + missing_part(*report.game, grade) + extra_part(*report.game, grade);
}

std::string groups_table(const GradeReport& report) {
  std::string text =
      "<table><tr><th class=\"l\">Group</th><th>Boards right</th><th>Successors</th><th>Missing</th><th>Wrong</th>"
      "<th>Mark</th></tr>\n";
  const auto row = [&](std::string_view title, const GradeTotals& t) {
    text += fmt::format(
        "<tr><td class=\"l\">{}</td><td>{} of {}</td><td>{} of {}</td><td>{}</td><td>{}</td><td>{:.1f} %</td></tr>\n",
        title, t.right, t.boards, t.correct, t.expected, t.missing, t.extra, t.percent());
  };
  for (const auto& [kind, totals] : report.summary.groups) row(name(kind), totals);
  row("all", report.summary.all);
  return text + "</table>\n";
}

std::string rules_table(const GradeReport& report) {
  std::string text = "<table><tr><th class=\"l\">Rule</th><th>Right</th><th>Cases</th></tr>\n";
  for (std::size_t i = 0; i < report.summary.topics.size(); ++i) {
    const TopicCount& count = report.summary.topics[i];
    if (count.cases == 0) continue;
    text += fmt::format("<tr><td class=\"l\">{}</td><td{}>{}</td><td>{}</td></tr>\n",
                        escaped(topic_label(module_of(*report.game).topics->topics[i])),
                        count.right < count.cases ? " class=\"bad\"" : "", count.right, count.cases);
  }
  return text + "</table>\n";
}

}  // namespace

std::string report_page(const GradeReport& report) {
  const std::string title = report.student.empty() ? report.program : report.student;
  std::string body = fmt::format("<h1>{}</h1>\n<p>{} &middot; <code>{}</code></p>\n", escaped(title),
                                 escaped(report.game->notation().spec()), escaped(report.program));
  body += groups_table(report);
  if (!report.summary.topics.empty()) body += "<h2>Rules</h2>\n" + rules_table(report);
  body += "<p>A case is a successor that the rule brings about and that must be listed, or one that it forbids.</p>\n";
  for (const BoardGrade& grade : report.boards) {
    if (!grade.right()) body += board_part(report, grade);
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title><style>{}</style></head>\n"
      "<body>\n{}</body></html>\n",
      escaped(title), grade_style, body);
}

}  // namespace paika::grading
