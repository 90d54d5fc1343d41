#include "grading/report.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "engine/module.hpp"
#include "play/autosave.hpp"

namespace paika::grading {

namespace {

namespace fs = std::filesystem;

Json extra_json(const ExtraSuccessor& extra) {
  Json json{{"where", extra.where},
            {"position", nullptr},
            {"complaint", nullptr},
            {"nearest", nullptr},
            {"differences", Json::array()}};
  if (!extra.position.empty()) json["position"] = extra.position;
  if (!extra.complaint.empty()) json["complaint"] = extra.complaint;
  if (!extra.nearest.empty()) json["nearest"] = extra.nearest;
  for (const SquareDifference& one : extra.differences) {
    json["differences"].push_back(
        {{"square", one.square}, {"given", std::string(1, one.given)}, {"expected", std::string(1, one.expected)}});
  }
  return json;
}

Json topics_json(const Game& game, std::span<const TopicCount> counts) {
  Json json = Json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i].cases == 0) continue;
    const RuleTopic& topic = module_of(game).topics->topics[i];
    json.push_back({{"clause", std::string(topic.clause)},
                    {"rule", std::string(topic.name)},
                    {"cases", counts[i].cases},
                    {"right", counts[i].right}});
  }
  return json;
}

Json board_json(const Game& game, const BoardGrade& grade) {
  Json extra = Json::array();
  for (const auto& one : grade.extra) extra.push_back(extra_json(one));
  Json expected = Json::array();
  for (const auto& one : grade.successors) {
    expected.push_back({{"move", one.turn}, {"position", one.position}, {"listed", one.listed}});
  }
  Json given = Json::array();
  for (const auto& one : grade.given) given.push_back({{"where", one.where}, {"text", one.text}});
  Json json{{"board", grade.board},
            {"kind", name(grade.kind)},
            {"verdict", verdict(grade)},
            {"reading", grade.reading},
            {"successors", grade.expected},
            {"correct", grade.correct},
            {"missing", grade.missing},
            {"wrong", std::move(extra)},
            {"repeated", grade.repeated},
            {"failure", nullptr},
            {"time_ms", static_cast<double>(grade.time.count()) / 1000},
            {"rules", topics_json(game, grade.topics)},
            {"input", grade.input},
            {"expected", std::move(expected)},
            {"given", std::move(given)},
            {"stderr", grade.standard_error},
            {"end", grade.end}};
  if (!grade.failure.empty()) json["failure"] = grade.failure;
  return json;
}

Json totals_json(const GradeTotals& totals) {
  return {{"boards", totals.boards},       {"right", totals.right},      {"failed", totals.failed},
          {"successors", totals.expected}, {"correct", totals.correct},  {"missing", totals.missing},
          {"wrong", totals.extra},         {"percent", totals.percent()}};
}

/// A field of CSV: in quotes where it must be.
std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

/// Everything about one board, as files: what the program gets, what it must list and what it listed.
Result<void> write_evidence(const GradeReport& report, const BoardGrade& grade, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail("cannot make the folder {}: {}", in_quotes(folder.string(), 200), error.message());
  std::string expected;
  for (const ExpectedSuccessor& one : grade.successors) expected += fmt::format("{}\t{}\n", one.turn, one.position);
  std::vector<std::pair<std::string, std::string>> files = {
      {"input", grade.input}, {"expected.txt", expected}, {"stderr.txt", grade.standard_error}};
  files.emplace_back("end.txt", grade.end + "\n");
  std::string lines;
  for (const GivenSuccessor& one : grade.given) {
    if (report.protocol == GradeProtocol::files) {
      files.emplace_back(one.where, one.text);
    } else {
      lines += one.text + "\n";
    }
  }
  if (report.protocol == GradeProtocol::lines) files.emplace_back("given.txt", lines);
  for (const auto& [name, text] : files) {
    if (auto written = play::write_report_file((folder / name).string(), text); !written) return written;
  }
  return {};
}

}  // namespace

std::string totals_text(const GradeTotals& totals) {
  return fmt::format("{} of {} boards right; {} of {} successors correct, {} missing, {} wrong: {:.1f} %", totals.right,
                     totals.boards, totals.correct, totals.expected, totals.missing, totals.extra, totals.percent());
}

std::string differences_text(std::span<const SquareDifference> differences, std::size_t most) {
  std::vector<std::string> told;
  for (const SquareDifference& one : differences) {
    if (told.size() == most) break;
    told.push_back(fmt::format("{} shows '{}' instead of '{}'", one.square, one.given, one.expected));
  }
  const std::size_t rest = differences.size() - told.size();
  return fmt::format("{}{}", fmt::join(told, ", "), rest > 0 ? fmt::format(", and {} more", rest) : "");
}

Json report_json(const GradeReport& report) {
  Json boards = Json::array();
  for (const BoardGrade& grade : report.boards) boards.push_back(board_json(*report.game, grade));
  Json groups = Json::array();
  for (const auto& [kind, totals] : report.summary.groups) {
    Json group{{"kind", name(kind)}};
    group.update(totals_json(totals));
    groups.push_back(std::move(group));
  }
  Json json{{"spec", report.game->notation().spec()},
            {"program", report.program},
            {"boards", std::move(boards)},
            {"groups", std::move(groups)},
            {"rules", topics_json(*report.game, report.summary.topics)},
            {"totals", totals_json(report.summary.all)}};
  if (!report.student.empty()) json["student"] = report.student;
  return json;
}

std::string report_csv(const GradeReport& report) {
  std::string text = "board,kind,verdict,reading,successors,correct,missing,wrong,repeated,end\n";
  for (const BoardGrade& grade : report.boards) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_field(grade.board), name(grade.kind), verdict(grade),
                        csv_field(grade.reading), grade.expected, grade.correct, grade.missing.size(),
                        grade.extra.size(), grade.repeated, csv_field(plain_text(grade.end)));
  }
  return text;
}

Result<void> write_report(const GradeReport& report, const std::string& folder) {
  const fs::path root(folder);
  std::error_code error;
  if (fs::exists(root, error) && !fs::is_empty(root, error) && !fs::exists(root / "grade.json", error)) {
    return fail("{} is not empty and holds no earlier report: name a new folder", in_quotes(folder, 200));
  }
  // Boards of an earlier report would look like boards of this one.
  fs::remove_all(root / "boards", error);
  fs::create_directories(root / "boards", error);
  if (error) return fail("cannot make the folder {}: {}", in_quotes(folder, 200), error.message());
  for (const BoardGrade& grade : report.boards) {
    if (auto written = write_evidence(report, grade, root / "boards" / grade.board); !written) return written;
  }
  const auto json = report_json(report).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  for (const auto& [name, text] : {std::pair<std::string, std::string>{"grade.json", json},
                                   {"grade.csv", report_csv(report)},
                                   {"index.html", report_page(report)}}) {
    if (auto written = play::write_report_file((root / name).string(), text); !written) return written;
  }
  return {};
}

}  // namespace paika::grading
