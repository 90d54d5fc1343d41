// paika grade: how well a program lists successors, board by board.
#include "grading/grade.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "engine/diagram.hpp"
#include "engine/module.hpp"
#include "sandbox/confinement.hpp"

namespace paika::apps {

namespace {

using grading::BoardGrade;
using grading::GradeBoard;
using grading::GradePlan;
using grading::GradeProtocol;
using grading::GradeTotals;
using Json = nlohmann::ordered_json;

/// Our own set: the boards of this seed.
constexpr int own_boards = 40;
constexpr std::uint64_t own_seed = 3700;
constexpr std::size_t max_told = 8;  // without --verbose

// ---- Reading the arguments ----

constexpr std::string_view between_words = " \t\n;|&<>()";
constexpr std::string_view quoting = "'\"\\$`";

/// A path as one word for the shell. Requires that it has no quote in it.
std::string shell_word(const std::string& path) {
  const bool plain = path.find_first_of(between_words) == std::string::npos;
  return plain && path.find_first_of(quoting) == std::string::npos ? path : "'" + path + "'";
}

/// The command with the files that it names from here, for it is run elsewhere: "python3 gen.py" finds gen.py, and so
/// does "python3 'my gen.py'". The folders of all files that it names go to `folders`.
std::string command_from_here(const std::string& command, std::vector<std::string>& folders) {
  std::string out;
  std::string word;
  bool open_quote = false;
  const auto end_word = [&] {
    std::error_code error;
    const bool quoted = word.size() > 2 && word.front() == '\'' && word.back() == '\'';
    const std::string name = quoted ? word.substr(1, word.size() - 2) : word;
    const bool one_name = name.find_first_of(quoted ? "'" : quoting) == std::string::npos;
    if (!name.empty() && one_name && std::filesystem::exists(name, error)) {
      const std::filesystem::path path = std::filesystem::absolute(name, error);
      if (path.string().find('\'') == std::string::npos) word = shell_word(path.string());
      folders.push_back(path.parent_path().string());
    }
    out += word;
    word.clear();
  };
  for (const char c : command) {
    if (c == '\'') open_quote = !open_quote;
    if (open_quote || between_words.find(c) == std::string_view::npos) {
      word += c;
      continue;
    }
    end_word();
    out += c;
  }
  end_word();
  return out;
}

Result<GradeProtocol> read_protocol(const GradeArgs& args, const Game& game) {
  const bool files = module_of(game).board_files != nullptr;
  if (args.protocol.empty()) return files ? GradeProtocol::files : GradeProtocol::lines;
  if (args.protocol == "stdout") return GradeProtocol::lines;
  if (args.protocol != "a3") return fail("--protocol is a3 or stdout, not {}", in_quotes(args.protocol));
  if (!files) return fail("--protocol a3 writes board files, which {} does not have: give stdout", game.info().name);
  return GradeProtocol::files;
}

Result<std::vector<GradeBoard>> read_boards(const std::string& folder, const Game& game) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const bool hidden = at->path().filename().string().starts_with('.');
    if (!hidden && at->is_regular_file()) paths.push_back(at->path());
  }
  if (error) return fail("cannot read the folder {}: {}", in_quotes(folder), error.message());
  if (paths.empty()) return fail("there is no board in the folder {}", in_quotes(folder));
  std::sort(paths.begin(), paths.end());
  std::vector<GradeBoard> boards;
  for (const auto& path : paths) {
    auto text = read_text_file(path.string());
    if (!text) return tl::unexpected(text.error());
    if (const auto known = grading::successors_of(game, *text); !known) {
      return fail("{}: {}", in_quotes(path.string(), 200), known.error().message);
    }
    boards.push_back({path.filename().string(), std::move(*text)});
  }
  return boards;
}

Result<GradePlan> read_plan(const GradeArgs& args) {
  GradePlan plan;
  auto readings = grading::readings_of(args.spec, args.accept_both);
  if (!readings) return tl::unexpected(readings.error());
  plan.readings = std::move(*readings);
  const auto protocol = read_protocol(args, *plan.readings.front());
  if (!protocol) return tl::unexpected(protocol.error());
  plan.protocol = *protocol;
  plan.time = Milliseconds(args.time_ms);
  if (trimmed(args.program).empty()) return fail("--program names no program");
  sandbox::Confinement confinement;
  const std::string command = command_from_here(args.program, confinement.readable);
  if (!args.confined) {
    plan.launch = [command](const std::string& folder) {
      play::Launch launch = play::shell_launch(command, "/dev/null");
      launch.folder = folder;
      return launch;
    };
    return plan;
  }
  const auto sandbox = sandbox::find_sandbox();
  if (!sandbox) return tl::unexpected(sandbox.error());
  confinement.sandbox = *sandbox;
  confinement.readable.push_back(std::filesystem::current_path().string());
  plan.launch = [command, confinement](const std::string& folder) {
    play::Launch launch = sandbox::confined(confinement, command, "", folder);
    launch.error_log = "/dev/null";
    return launch;
  };
  return plan;
}

Result<std::vector<GradeBoard>> boards_for(const GradeArgs& args, const Game& game) {
  if (!args.boards.empty()) return read_boards(args.boards, game);
  if (args.random > 0) return grading::random_boards(game, args.random, static_cast<std::uint64_t>(args.seed));
  return grading::random_boards(game, own_boards, own_seed);
}

// ---- The report ----

std::string_view verdict(const BoardGrade& grade) {
  if (!grade.failure.empty()) return "failed";
  return grade.right() ? "right" : "wrong";
}

void print_details(const GradePlan& plan, const BoardGrade& grade, bool verbose) {
  const Notation& notation = plan.readings.front()->notation();
  if (!grade.failure.empty()) fmt::print("  {}: {}\n", grade.board, plain_text(grade.failure));
  const std::size_t most = verbose ? SIZE_MAX : max_told;
  if (!grade.missing.empty()) {
    std::vector<std::string> told(grade.missing.begin(), grade.missing.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                                     most, grade.missing.size())));
    if (told.size() < grade.missing.size())
      told.push_back(fmt::format("and {} more", grade.missing.size() - told.size()));
    fmt::print("  {}: missing: what follows {}\n", grade.board, fmt::join(told, ", "));
  }
  std::size_t count = 0;
  for (const auto& extra : grade.extra) {
    if (count++ == most) {
      fmt::print("  {}: wrong: and {} more\n", grade.board, grade.extra.size() - most);
      break;
    }
    fmt::print("  {}: wrong: {}{}\n", grade.board, plain_text(extra.where),
               extra.complaint.empty() ? "" : fmt::format(" is not a position: {}", plain_text(extra.complaint)));
    if (!verbose || extra.position.empty()) continue;
    if (const auto board = grading::read_any_position(*plan.readings.front(), extra.position)) {
      fmt::print("{}", diagram(notation, *board));
    } else {
      fmt::print("{}\n", plain_text(extra.position));
    }
  }
}

void print_report(const GradePlan& plan, const std::vector<BoardGrade>& grades, const GradeTotals& totals,
                  bool verbose) {
  std::size_t widest = 5;
  for (const BoardGrade& grade : grades) widest = std::max(widest, grade.board.size());
  fmt::print("{:{}}  successors  correct  missing  wrong  repeated\n", "board", widest);
  for (const BoardGrade& grade : grades) {
    const bool own = grade.reading == plan.readings.front()->notation().spec();
    fmt::print("{:{}}  {:>10}  {:>7}  {:>7}  {:>5}  {:>8}  {}{}\n", grade.board, widest, grade.expected, grade.correct,
               grade.missing.size(), grade.extra.size(), grade.repeated, verdict(grade),
               own ? "" : fmt::format(" by {}", grade.reading));
    if (!grade.right()) print_details(plan, grade, verbose);
  }
  fmt::print("{} of {} boards right; {} of {} successors correct, {} missing, {} wrong: {:.1f} %\n", totals.right,
             totals.boards, totals.correct, totals.expected, totals.missing, totals.extra, totals.percent());
}

Json grade_json(const BoardGrade& grade) {
  Json extra = Json::array();
  for (const auto& one : grade.extra) {
    Json told{{"where", one.where}, {"position", nullptr}, {"complaint", nullptr}};
    if (!one.position.empty()) told["position"] = one.position;
    if (!one.complaint.empty()) told["complaint"] = one.complaint;
    extra.push_back(std::move(told));
  }
  Json json{{"board", grade.board},      {"verdict", verdict(grade)},
            {"reading", grade.reading},  {"successors", grade.expected},
            {"correct", grade.correct},  {"missing", grade.missing},
            {"wrong", std::move(extra)}, {"repeated", grade.repeated},
            {"failure", nullptr},        {"time_ms", static_cast<double>(grade.time.count()) / 1000}};
  if (!grade.failure.empty()) json["failure"] = grade.failure;
  return json;
}

Json report_json(const GradePlan& plan, const std::vector<BoardGrade>& grades, const GradeTotals& totals) {
  Json boards = Json::array();
  for (const BoardGrade& grade : grades) boards.push_back(grade_json(grade));
  return {{"spec", plan.readings.front()->notation().spec()},
          {"boards", std::move(boards)},
          {"totals",
           {{"boards", totals.boards},
            {"right", totals.right},
            {"failed", totals.failed},
            {"successors", totals.expected},
            {"correct", totals.correct},
            {"missing", totals.missing},
            {"wrong", totals.extra},
            {"percent", totals.percent()}}}};
}

/// A field of CSV: in quotes where it must be.
std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

Result<void> write_csv(const std::string& path, const std::vector<BoardGrade>& grades) {
  std::string text = "board,verdict,reading,successors,correct,missing,wrong,repeated,failure\n";
  for (const BoardGrade& grade : grades) {
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_field(grade.board), verdict(grade),
                        csv_field(grade.reading), grade.expected, grade.correct, grade.missing.size(),
                        grade.extra.size(), grade.repeated, csv_field(plain_text(grade.failure)));
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wbe"), std::fclose);
  const bool written =
      file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() && std::fflush(file.get()) == 0;
  if (!written) return fail("cannot write {}: {}", in_quotes(path, 200), std::strerror(errno));
  return {};
}

}  // namespace

int run_grade(const GradeArgs& args) {
  const auto plan = read_plan(args);
  if (!plan) return complain(plan.error().message);
  const auto boards = boards_for(args, *plan->readings.front());
  if (!boards) return complain(boards.error().message);
  const Interrupt interrupt;
  std::vector<BoardGrade> grades;
  GradeTotals totals;
  {
    Progress progress("grade");
    for (const GradeBoard& board : *boards) {
      auto grade = grading::grade_board(*plan, board, interrupt.token());
      if (!grade) return complain(grade.error().message);
      totals.add(*grade);
      grades.push_back(std::move(*grade));
      progress.update(static_cast<double>(grades.size()) / static_cast<double>(boards->size()));
    }
  }
  if (!args.csv.empty()) {
    if (const auto written = write_csv(args.csv, grades); !written) return complain(written.error().message);
  }
  if (args.json) {
    fmt::print("{}\n", report_json(*plan, grades, totals).dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print_report(*plan, grades, totals, args.verbose);
  }
  return finish(totals.right == totals.boards ? exit_done : exit_no);
}

}  // namespace paika::apps
