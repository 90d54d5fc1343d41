// The commands for bots and tournaments: bot check, confine, tournament and worker.
#include <CLI/CLI.hpp>

#include "apps/options.hpp"
#include "search/types.hpp"

namespace paika::apps {

namespace {

/// What a plan says, for a tournament without a file or to overrule it.
void add_plan_options(CLI::App& command, TournamentArgs& args) {
  command.add_option("FILE", args.file, "The plan (docs/tournaments.md); without it, the options say everything");
  command.add_option("--name", args.name, "Its name")->type_name("TEXT");
  command.add_option("--system", args.system, "Who meets whom")
      ->type_name("round-robin|double-round-robin|gauntlet|swiss|knockout");
  command.add_option("--game", args.games, "A game and its options; repeat for more games")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  command.add_option("--player", args.players, "NAME=engine:SETTINGS or NAME=bot:COMMAND, one per player")
      ->type_name("PLAYER")
      ->allow_extra_args(false);
  add_number(command, "--rounds", args.rounds, "Rounds of a Swiss tournament", 1, max_number);
  add_number(command, "--legs", args.legs, "Games per pairing in each game", 1, max_number);
  add_number(command, "--seed", args.seed, "Seed of openings and lots", 0, max_number);
  command.add_option("--openings", args.openings, "Random moves (4), or a file of positions to start from")
      ->type_name("NUMBER|FILE");
  command.add_option("--each", args.each, "Settings of all players: time=100ms,hash=16")->type_name("SETTINGS");
  add_number(command, "--max-moves", args.max_turns, "Games of this many moves are drawn; 0: never", 0, max_number);
}

}  // namespace

void add_bot_commands(CLI::App& app, BotArgs& args, std::function<int()>& chosen) {
  auto* b = app.add_subcommand("bot", "Programs that play (docs/write-a-bot.md)");
  b->require_subcommand(1);
  auto* k = b->add_subcommand("check", "Check step by step whether a program follows the protocol");
  k->add_option("COMMAND", args.check.command, "The program's command, for the shell")->required();
  k->add_option("--game", args.check.specs, "A game it plays; repeat for more (default: one of each)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  k->add_option("--folder", args.check.folder, "The program's files: it runs there and may read them (this folder)")
      ->type_name("FOLDER");
  k->add_option("--read", args.check.readable, "One more file or folder that it may read; repeat for more")
      ->type_name("PATH")
      ->allow_extra_args(false);
  k->add_flag("--unsafe-bots", args.check.unsafe, "Run it without a sandbox");
  k->add_flag("--json", args.check.json, "Print JSON");
  k->callback([&] { chosen = [&] { return run_bot_check(args.check); }; });

  auto* c = app.add_subcommand("confine", "Run COMMAND as bots are run: in a sandbox, with limits");
  c->add_option("--sandbox", args.confine.sandbox, "Which sandbox (default: the best that works here)")
      ->type_name("bubblewrap|own|none");
  c->add_option("--accounting", args.confine.accounting,
                "Who counts what it uses: the kernel (control groups), Paika by samples, or either (any)")
      ->type_name("kernel|sampled|any");
  c->add_option("--memory", args.confine.memory, "Memory of all its processes together: 500M, 1G (1G)")
      ->type_name("SIZE");
  c->add_option("--written", args.confine.written, "Size of all files it writes (64M)")->type_name("SIZE");
  add_number(*c, "--processes", args.confine.processes, "Processes and threads at the same time (64)", 1, max_number);
  add_number(*c, "--open-files", args.confine.open_files, "Open files per process (256)", 4, max_number);
  add_number(*c, "--cpu-seconds", args.confine.cpu_seconds, "Processor time in all (no limit)", 1, max_number);
  c->add_option("--read", args.confine.readable, "One more file or folder that it may read; repeat for more")
      ->type_name("PATH")
      ->allow_extra_args(false);
  c->add_option("--folder", args.confine.folder, "Where it runs, and what it may read")->type_name("FOLDER");
  c->add_option("--scratch", args.confine.scratch, "A folder whose files are copied to its home, and back at the end")
      ->type_name("FOLDER");
  add_number(*c, "--inside", args.confine.inside, "", 0, max_number)->group("");
  c->add_option("COMMAND", args.confine.command, "The program and its arguments, after --");
  c->callback([&] { chosen = [&] { return run_confine(args.confine); }; });
}

void add_tournament_commands(CLI::App& app, TournamentCommandArgs& args, std::function<int()>& chosen) {
  auto* t = app.add_subcommand("tournament", "A tournament between many players; resumes after any interruption");
  add_plan_options(*t, args.tournament);
  add_number(*t, "--concurrency", args.tournament.concurrency, "Games at the same time here (one per processor)", 0,
             max_search_threads);
  t->add_option("--results", args.tournament.results, "The results file (beside the plan, ending in .results)")
      ->type_name("FILE");
  t->add_option("--out", args.tournament.out, "Write all reports to this folder: pages, CSV, JSON, records")
      ->type_name("FOLDER");
  t->add_option("--report", args.tournament.report, "One page with all tables, curves and games in it")
      ->type_name("FILE");
  t->add_option("--csv", args.tournament.csv, "The table as CSV")->type_name("FILE");
  t->add_option("--json", args.tournament.json, "Everything as JSON")->type_name("FILE");
  t->add_flag("--unsafe-bots", args.tournament.unsafe_bots, "Run programs without a sandbox; the results say so");
  t->add_flag("--quiet", args.tournament.quiet, "Show only the table at the end");
  t->add_option("--db", args.tournament.database,
                "Put the games into the queue of this database, from which `paika worker` takes them too")
      ->type_name("FILE|URL");
  t->callback([&] { chosen = [&] { return run_tournament(args.tournament); }; });

  auto* w = app.add_subcommand("worker", "Play games and build bots for tournaments and servers that run elsewhere");
  w->add_option("--db", args.worker.database, "The database with the queue: postgresql://USER@HOST/NAME, or a file")
      ->type_name("FILE|URL")
      ->required();
  add_number(*w, "--max-idle", args.worker.max_idle, "End after so many seconds without a job (never)", 1, max_number);
  add_number(*w, "--threads", args.worker.threads, "Jobs at the same time (one per processor)", 1, max_search_threads);
  w->add_option("--log-level", args.worker.log_level, "What is logged (info)")->type_name("debug|info|warning|error");
  w->add_option("--read", args.worker.readable, "One more file or folder that programs may read here; repeat for more")
      ->type_name("PATH")
      ->allow_extra_args(false);
  add_tables_option(*w, args.worker.tables);
  w->add_flag("--unsafe-bots", args.worker.unsafe_bots, "Run programs without a sandbox; the results say so");
  w->callback([&] { chosen = [&] { return run_worker(args.worker); }; });
}

}  // namespace paika::apps
