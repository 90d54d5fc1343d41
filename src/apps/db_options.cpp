// The command line of `paika db`.
#include <CLI/CLI.hpp>

#include "apps/options.hpp"

namespace paika::apps {

namespace {

void add_db_file(CLI::App& command, DbArgs& args) {
  command.add_option("--db", args.database, "The database of games (default: in the user's data folder)")
      ->type_name("FILE");
}

}  // namespace

void add_db_commands(CLI::App& app, DbArgs& args, std::function<int()>& chosen) {
  auto* d = app.add_subcommand("db", "A database of games: what was played in a position (docs/study.md)");
  d->require_subcommand(1);
  auto* i = d->add_subcommand("import", "Add games; those that are there already are skipped");
  i->add_option("FILE", args.files, "Files of games in any format that `paika convert` reads; - for standard input");
  add_db_file(*i, args);
  i->add_option("--from", args.from, "The format of the files (default: what each looks like)")->type_name("FORMAT");
  i->add_option("--game", args.spec, "The game, for formats that do not tell")->type_name("SPEC");
  i->add_option("--server", args.server, "Also the finished public games of a server, from its database")
      ->type_name("FILE");
  i->add_option("--selfplay", args.selfplay, "Also games of the engine against itself")->type_name("SPEC");
  add_number(*i, "--games", args.games, "With --selfplay: number of games (100)", 1, max_number);
  add_number(*i, "--level", args.level, "With --selfplay: the engine's level; 0: all moves by chance (1)", 0,
             full_level);
  add_number(*i, "--seed", args.seed, "With --selfplay: the same seed, the same games (1)", 0, max_number);
  i->callback([&] { chosen = [&] { return run_db_import(args); }; });

  auto* e = d->add_subcommand("explore", "The moves that were played in a position, and how the games ended");
  add_position_options(*e, args.at);
  add_db_file(*e, args);
  e->add_option("--player", args.player, "Only games of this player")->type_name("NAME");
  e->add_option("--colour", args.colour, "With --player: only games in which that player moved first or second")
      ->type_name("first|second");
  e->add_option("--since", args.since, "Only games from this day on: 2026-11-18, 2026-11 or 2026")->type_name("DATE");
  e->add_option("--until", args.until, "Only games up to this day")->type_name("DATE");
  e->add_flag("--values", args.values, "Also what the engine thinks of the moves, for the player to move");
  add_number(*e, "--time-ms", args.time_ms, "With --values: time of the search in ms (1000)", 1, max_number);
  e->callback([&] { chosen = [&] { return run_db_explore(args); }; });

  auto* s = d->add_subcommand("stats", "How many games there are, of which kinds, and the size of the file");
  add_db_file(*s, args);
  s->add_flag("--json", args.json, "Print JSON");
  s->callback([&] { chosen = [&] { return run_db_stats(args); }; });
}

}  // namespace paika::apps
