// `paika bot check`: does a program play by the protocol?
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "base/text.hpp"
#include "engine/json.hpp"
#include "protocols/bot_check.hpp"
#include "sandbox/confine.hpp"
#include "sandbox/scratch.hpp"

namespace paika::apps {

namespace {

using protocols::CheckStep;

constexpr std::size_t max_error_lines = 10;

Result<std::vector<GamePtr>> read_games(const BotCheckArgs& args) {
  std::vector<std::string> specs = args.specs;
  if (specs.empty()) {
    for (const GameInfo* info : all_games()) specs.push_back(info->name);
  }
  std::vector<GamePtr> games;
  for (const std::string& spec : specs) {
    auto game = open_game(spec);
    if (!game) return tl::unexpected(game.error());
    games.push_back(std::move(*game));
  }
  return games;
}

/// The sandbox, and the folder as the program will see it.
Result<sandbox::Confinement> read_confinement(const BotCheckArgs& args) {
  sandbox::Confinement confinement;
  confinement.sandbox = sandbox::Sandbox::none;
  confinement.readable = args.readable;
  if (args.unsafe) return confinement;
  const auto sandbox = sandbox::find_sandbox();
  if (!sandbox) return tl::unexpected(sandbox.error());
  confinement.sandbox = *sandbox;
  return confinement;
}

/// The last lines that the program wrote to standard error.
std::vector<std::string> last_errors(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back(line);
    if (lines.size() > max_error_lines) lines.erase(lines.begin());
  }
  return lines;
}

void print_step(std::size_t number, const CheckStep& step) {
  fmt::print("{:2}. {} … {}\n", number, step.what, step.passed ? "ok" : "FAILED");
  std::fflush(stdout);
}

void print_failure(const CheckStep& step, const std::vector<std::string>& errors) {
  fmt::print("\n{}\n", step.problem);
  if (!step.talk.empty()) {
    fmt::print("the end of the conversation (> to the bot, < from it):\n");
    for (const std::string& line : step.talk) fmt::print("  {}\n", line);
  }
  if (!errors.empty()) {
    fmt::print("what it wrote to standard error:\n");
    for (const std::string& line : errors) fmt::print("  {}\n", in_quotes(line, 200));
  }
  fmt::print("hint: {}\n", step.hint);
}

Json report_json(const BotCheckArgs& args, sandbox::Sandbox sandbox, const std::vector<CheckStep>& steps,
                 const std::vector<std::string>& errors) {
  Json list = Json::array();
  for (const CheckStep& step : steps) {
    Json entry{{"number", list.size() + 1}, {"what", step.what}, {"passed", step.passed}};
    if (!step.passed) {
      entry["problem"] = step.problem;
      entry["hint"] = step.hint;
      entry["talk"] = step.talk;
    }
    list.push_back(std::move(entry));
  }
  return {{"command", args.command},
          {"sandbox", name(sandbox)},
          {"passed", !steps.empty() && steps.back().passed},
          {"steps", std::move(list)},
          {"stderr", errors}};
}

}  // namespace

int run_bot_check(const BotCheckArgs& args) {
  protocols::BotCheck check;
  auto games = read_games(args);
  if (!games) return complain(games.error().message);
  check.games = std::move(*games);
  const auto confinement = read_confinement(args);
  if (!confinement) return complain(confinement.error().message);
  const auto folder = sandbox::real_folder(args.folder);
  if (!folder) return complain(folder.error().message);
  const auto scratch = sandbox::ScratchFolder::make();
  const auto log = sandbox::ScratchFolder::make();
  if (!scratch || !log) return complain((scratch ? log : scratch).error().message);
  check.launch = confined(*confinement, args.command, *folder, scratch->path());
  check.launch.error_log = log->path() + "/errors";
  std::size_t number = 0;
  const auto steps = check_bot(check, [&](const CheckStep& step) {
    if (!args.json) print_step(++number, step);
  });
  const bool passed = !steps.empty() && steps.back().passed;
  const auto errors = passed ? std::vector<std::string>() : last_errors(check.launch.error_log);
  if (args.json) {
    fmt::print("{}\n", report_json(args, confinement->sandbox, steps, errors).dump(2));
  } else if (passed) {
    fmt::print("\nall {} steps passed{}\n", steps.size(), args.unsafe ? " (without a sandbox)" : "");
  } else {
    print_failure(steps.back(), errors);
  }
  return finish(passed ? exit_done : exit_no);
}

}  // namespace paika::apps
