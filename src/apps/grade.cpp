// paika grade: how well a program lists successors, board by board.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "engine/diagram.hpp"
#include "engine/module.hpp"
#include "grading/report.hpp"
#include "play/autosave.hpp"
#include "sandbox/confinement.hpp"

namespace paika::apps {

namespace {

using grading::BoardGrade;
using grading::GradeBoard;
using grading::GradePlan;
using grading::GradeProtocol;
using grading::GradeReport;

/// Our own set: the boards of this seed.
constexpr int own_boards = 40;
constexpr std::uint64_t own_seed = 3700;
constexpr std::size_t max_told = 8;  // without --verbose
constexpr std::size_t max_differences = 4;

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
    boards.push_back({path.filename().string(), std::move(*text), grading::BoardKind::given});
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
  const auto kinds = grading::read_kinds(args.kinds);
  if (!kinds) return tl::unexpected(kinds.error());
  if (args.random > 0) return grading::draw_boards(game, *kinds, args.random, static_cast<std::uint64_t>(args.seed));
  return grading::draw_boards(game, *kinds, own_boards, own_seed);
}

// ---- The report ----

void print_extra(const Game& game, const BoardGrade& grade, const grading::ExtraSuccessor& extra, bool verbose) {
  std::string why;
  if (!extra.complaint.empty()) {
    why = fmt::format("{} {}", extra.position.empty() ? " is not a position:" : ":", plain_text(extra.complaint));
  } else if (!extra.nearest.empty()) {
    why = fmt::format(": nearest to what follows {}, but {}", extra.nearest,
                      grading::differences_text(extra.differences, max_differences));
  }
  fmt::print("  {}: wrong: {}{}\n", grade.board, plain_text(extra.where), why);
  if (!verbose || extra.position.empty()) return;
  if (const auto board = grading::read_any_position(game, extra.position)) {
    fmt::print("{}", diagram(game.notation(), *board));
  } else {
    fmt::print("{}\n", plain_text(extra.position));
  }
}

void print_details(const Game& game, const BoardGrade& grade, bool verbose) {
  if (!grade.failure.empty()) fmt::print("  {}: {}\n", grade.board, plain_text(grade.failure));
  const std::size_t most = verbose ? SIZE_MAX : max_told;
  if (!grade.missing.empty()) {
    const auto shown = static_cast<std::ptrdiff_t>(std::min(most, grade.missing.size()));
    std::vector<std::string> told(grade.missing.begin(), grade.missing.begin() + shown);
    if (told.size() < grade.missing.size())
      told.push_back(fmt::format("and {} more", grade.missing.size() - told.size()));
    fmt::print("  {}: missing: what follows {}\n", grade.board, fmt::join(told, ", "));
  }
  for (std::size_t i = 0; i < grade.extra.size(); ++i) {
    if (i == most) {
      fmt::print("  {}: wrong: and {} more\n", grade.board, grade.extra.size() - most);
      break;
    }
    print_extra(game, grade, grade.extra[i], verbose);
  }
}

/// A line for each group of boards, if there are several, and for each rule.
void print_summary(const GradeReport& report) {
  if (report.summary.groups.size() > 1) {
    for (const auto& [kind, totals] : report.summary.groups) {
      fmt::print("{}: {}\n", name(kind), grading::totals_text(totals));
    }
  }
  for (std::size_t i = 0; i < report.summary.topics.size(); ++i) {
    const grading::TopicCount& count = report.summary.topics[i];
    if (count.cases == 0) continue;
    fmt::print("{}: {} of {}\n", topic_label(module_of(*report.game).topics->topics[i]), count.right, count.cases);
  }
  fmt::print("{}\n", grading::totals_text(report.summary.all));
}

void print_report(const GradeReport& report, bool verbose) {
  std::size_t widest = 5;
  for (const BoardGrade& grade : report.boards) widest = std::max(widest, grade.board.size());
  fmt::print("{:{}}  successors  correct  missing  wrong  repeated\n", "board", widest);
  for (const BoardGrade& grade : report.boards) {
    const bool own = grade.reading == report.game->notation().spec();
    fmt::print("{:{}}  {:>10}  {:>7}  {:>7}  {:>5}  {:>8}  {}{}\n", grade.board, widest, grade.expected, grade.correct,
               grade.missing.size(), grade.extra.size(), grade.repeated, verdict(grade),
               own ? "" : fmt::format(" by {}", grade.reading));
    if (!grade.right()) print_details(*report.game, grade, verbose);
  }
  print_summary(report);
}

Result<void> write_files(const GradeReport& report, const GradeArgs& args) {
  if (!args.csv.empty()) {
    if (auto written = play::write_whole_file(args.csv, report_csv(report)); !written) return written;
  }
  if (!args.report.empty()) return write_report(report, args.report);
  return {};
}

}  // namespace

int run_grade(const GradeArgs& args) {
  const auto plan = read_plan(args);
  if (!plan) return complain(plan.error().message);
  const auto boards = boards_for(args, *plan->readings.front());
  if (!boards) return complain(boards.error().message);
  const Interrupt interrupt;
  GradeReport report{args.student, args.program, plan->readings.front(), plan->protocol, {}, {}};
  {
    Progress progress("grade");
    for (const GradeBoard& board : *boards) {
      auto grade = grading::grade_board(*plan, board, interrupt.token());
      if (!grade) return complain(grade.error().message);
      report.summary.add(*grade);
      report.boards.push_back(std::move(*grade));
      progress.update(static_cast<double>(report.boards.size()) / static_cast<double>(boards->size()));
    }
  }
  if (const auto written = write_files(report, args); !written) return complain(written.error().message);
  if (args.json) {
    fmt::print("{}\n", report_json(report).dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print_report(report, args.verbose);
  }
  return finish(report.summary.all.right == report.summary.all.boards ? exit_done : exit_no);
}

}  // namespace paika::apps
