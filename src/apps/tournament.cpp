// `paika tournament`: many players, many games, one table.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "apps/commands.hpp"
#include "apps/database_input.hpp"
#include "apps/entry.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/stderr.hpp"
#include "apps/tournament_screen.hpp"
#include "base/text.hpp"
#include "play/autosave.hpp"
#include "sandbox/scratch.hpp"
#include "tournament/director.hpp"
#include "tournament/plan_file.hpp"
#include "tournament/report_page.hpp"
#include "tournament/worker.hpp"

namespace paika::apps {

namespace {

using tournament::EntryList;
using tournament::PlanEntries;
using tournament::PlanValue;
using tournament::TournamentPlan;

constexpr int not_given = -1;

/// The options that say what is played, as entries.
EntryList option_entries(const TournamentArgs& args) {
  EntryList entries;
  const auto add = [&entries](const std::string& key, PlanValue value, const std::string& option) {
    entries.push_back({key, std::move(value), option});
  };
  const auto add_number = [&add](const std::string& key, int value, const std::string& option) {
    if (value != not_given) add(key, std::int64_t{value}, option);
  };
  const auto add_text = [&add](const std::string& key, const std::string& value, const std::string& option) {
    if (!value.empty()) add(key, value, option);
  };
  add_text("name", args.name, "--name");
  add_text("system", args.system, "--system");
  if (!args.games.empty()) add("games", args.games, "--game");
  add_number("rounds", args.rounds, "--rounds");
  add_number("legs", args.legs, "--legs");
  add_number("seed", args.seed, "--seed");
  if (const auto plies = parse_int(args.openings)) {
    add("openings", *plies, "--openings");
  } else {
    add_text("openings", args.openings, "--openings");
  }
  add_text("settings", args.each, "--each");
  add_number("max_moves", args.max_turns, "--max-moves");
  return entries;
}

Result<PlanEntries> entries_of_options(const TournamentArgs& args) {
  PlanEntries entries;
  entries.place = "the options";
  entries.tournament = option_entries(args);
  for (const std::string& text : args.players) {
    const auto equals = text.find('=');
    const auto colon = text.find(':');
    if (equals == std::string::npos || equals > colon) {
      return fail("--player {}: give NAME=engine:SETTINGS or NAME=bot:COMMAND", in_quotes(text));
    }
    const std::string place = fmt::format("--player {}", in_quotes(text));
    entries.players.push_back({{"name", text.substr(0, equals), place}, {"player", text.substr(equals + 1), place}});
    entries.player_places.push_back(place);
  }
  return entries;
}

Result<TournamentPlan> read_plan(const TournamentArgs& args) {
  if (args.file.empty()) {
    const auto entries = entries_of_options(args);
    if (!entries) return tl::unexpected(entries.error());
    return tournament::build_plan(*entries);
  }
  const EntryList given = option_entries(args);
  if (!given.empty() || !args.players.empty()) {
    return fail("{} and the file {} both say what is played: give only one",
                given.empty() ? "--player" : given.front().place, in_quotes(args.file, 200));
  }
  return tournament::read_plan_file(args.file);
}

/// The names of what a tournament keeps.
struct Files {
  std::string results;
  std::string logs;
  std::string state;
};

Files files_of(const TournamentArgs& args) {
  std::filesystem::path results = args.results;
  if (args.results.empty()) {
    results = args.file.empty() ? "tournament" : args.file;
    results.replace_extension(".results");
  }
  std::filesystem::path base = results;
  base.replace_extension();
  return {results.string(), base.string() + ".logs", base.string() + ".state.json"};
}

/// Sandbox for the programs among the players; nothing is needed if there are none.
Result<void> build_sandbox(TournamentPlan& plan, bool unsafe) {
  const bool bots = std::any_of(plan.players.begin(), plan.players.end(),
                                [](const auto& player) { return player.text.starts_with("bot:"); });
  if (!bots) return {};
  if (unsafe) {
    plan.policy.confinement.sandbox = sandbox::Sandbox::none;
    return {};
  }
  const auto sandbox = sandbox::find_sandbox();
  if (!sandbox) return tl::unexpected(sandbox.error());
  plan.policy.confinement.sandbox = *sandbox;
  notice_weak_sandbox();
  return {};
}

int threads_for(const TournamentArgs& args, const TournamentPlan& plan) {
  if (args.concurrency != not_given) return args.concurrency;
  if (plan.concurrency > 0) return plan.concurrency;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void say_resumed(const tournament::Journal& journal, const Files& files) {
  if (journal.torn() > 0) {
    to_stderr(fmt::format("paika: the last line of {} is incomplete and was dropped; its game is played again\n",
                          in_quotes(files.results, 200)));
  }
  if (!journal.games().empty()) {
    to_stderr(
        fmt::format("paika: resuming after {} games in {}\n", journal.games().size(), in_quotes(files.results, 200)));
  }
}

/// Where the games of a tournament wait: in the database that was named, or in a scratch folder of this process.
struct Queue {
  std::string where;
  std::optional<sandbox::ScratchFolder> scratch;
};

Result<Queue> find_queue(const TournamentArgs& args, const TournamentPlan& plan) {
  const std::string& named = args.database.empty() ? plan.database : args.database;
  if (!named.empty()) {
    auto database = database_file(named);
    if (!database) return tl::unexpected(database.error());
    return Queue{std::move(*database), std::nullopt};
  }
  auto scratch = sandbox::ScratchFolder::make("tournament");
  if (!scratch) return tl::unexpected(scratch.error());
  std::string file = scratch->path() + "/queue.db";
  return Queue{std::move(file), std::move(*scratch)};
}

/// What tells this tournament from others in the same queue.
std::string identity_of(const Files& files) {
  std::error_code error;
  return fmt::format("{}:{}", host_name(), std::filesystem::absolute(files.results, error).string());
}

/// Workers of this process, each on a thread with a connection of its own.
Result<std::vector<std::jthread>> start_workers(const TournamentPlan& plan, const Queue& queue, int threads,
                                                const Files& files, tournament::Director& director,
                                                const std::stop_token& stop) {
  tournament::GameWorkerSettings games;
  games.sandbox = plan.policy.confinement.sandbox;
  games.logs = files.logs;
  games.programs.emplace();
  for (const auto& player : plan.players) (*games.programs)[player.name] = {player.folder_found, player.readable};
  JobWorkerSettings settings;
  settings.version = PAIKA_VERSION;
  settings.topic = director.topic();
  settings.kinds[std::string(tournament::game_kind)] = game_worker(std::move(games));
  settings.on_event = [&director](const JobEvent& event) {
    if (event.what == JobEvent::What::unreachable) to_stderr(fmt::format("paika: {}; trying again\n", event.text));
    if (event.what == JobEvent::What::failed) director.give_up({event.text});
  };
  std::vector<std::jthread> workers;
  for (int i = 0; i < threads; ++i) {
    auto opened = JobQueue::open(queue.where);
    if (!opened) return tl::unexpected(opened.error());
    workers.emplace_back([opened = std::move(*opened), settings, stop](const std::stop_token& over) mutable {
      std::stop_source either;
      const std::stop_callback on_stop(stop, [&] { either.request_stop(); });
      const std::stop_callback on_over(over, [&] { either.request_stop(); });
      static_cast<void>(work_on_jobs(std::move(opened), settings, either.get_token()));
    });
  }
  return workers;
}

/// Plays until it is over or interrupted.
Result<tournament::Progress> play(const TournamentArgs& args, const TournamentPlan& plan, const Queue& queue,
                                  tournament::Director& director, const Files& files) {
  const Interrupt interrupt(2);  // the first lets running games end, the second breaks them off
  TournamentScreen screen(plan, director, files.state, args.quiet);
  const std::stop_callback on_drain(interrupt.token(0), [&] {
    director.drain();
    to_stderr("paika: no new games; running games are finished. Ctrl-C again stops at once.\n");
  });
  auto workers = start_workers(plan, queue, threads_for(args, plan), files, director, interrupt.token(1));
  if (!workers) return tl::unexpected(workers.error());
  director.run(interrupt.token(1));
  workers->clear();
  screen.close();
  return director.complete() ? tournament::Progress::complete : tournament::Progress::stopped;
}

Result<void> write_results(const TournamentArgs& args, const tournament::Report& report, const Files& files) {
  write_state(report, files.state);
  const std::string json = state_json(report).dump(2, ' ', false, tournament::Json::error_handler_t::replace) + "\n";
  const std::array<std::pair<const std::string*, std::string>, 2> outputs = {
      {{&args.csv, standings_csv(report)}, {&args.json, json}}};
  for (const auto& [path, text] : outputs) {
    if (path->empty()) continue;
    if (auto written = play::write_whole_file(*path, text); !written) return written;
  }
  if (!args.report.empty()) {
    const auto page = whole_page(report);
    if (!page) return tl::unexpected(page.error());
    if (auto written = play::write_whole_file(args.report, *page); !written) return written;
  }
  return args.out.empty() ? Result<void>{} : write_reports(report, args.out);
}

}  // namespace

int run_tournament(const TournamentArgs& args) {
  auto plan = read_plan(args);
  if (!plan) return complain(plan.error().message);
  if (const auto built = build_sandbox(*plan, args.unsafe_bots); !built) return complain(built.error().message);
  const Files files = files_of(args);
  const auto journal = tournament::Journal::open(files.results, *plan);
  if (!journal) return complain(journal.error().message);
  const auto queue = find_queue(args, *plan);
  if (!queue) return complain(queue.error().message);
  auto opened = JobQueue::open(queue->where);
  if (!opened) return complain(opened.error().message);
  const auto director = tournament::Director::start(*plan, **journal, std::move(*opened),
                                                    {identity_of(files), PAIKA_VERSION, files.logs, !queue->scratch});
  if (!director) return complain(director.error().message);
  say_resumed(**journal, files);
  const auto progress = play(args, *plan, *queue, **director, files);
  if (!progress) return complain(progress.error().message);
  const tournament::Snapshot snapshot = (*director)->snapshot();
  const auto report = report_of(*plan, snapshot, *progress);
  fmt::print("{}{}", args.quiet ? "" : "\n", table_text(report));
  if (const auto written = write_results(args, report, files); !written) return complain(written.error().message);
  if (const auto error = (*director)->error()) return complain(error->message);
  if (*progress == tournament::Progress::complete) return finish(exit_done);
  to_stderr("paika: stopped before the end; the same command resumes it\n");
  return finish(exit_no);
}

}  // namespace paika::apps
