// The commands for programs of the classes: fanorona-server, fanorona-client and grade (docs/class-protocols.md).
#include <CLI/CLI.hpp>

#include "apps/options.hpp"

namespace paika::apps {

namespace {

/// What both ends of the class protocol take.
void add_fanorona_options(CLI::App& command, FanoronaArgs& args) {
  command
      .add_option("--player", args.player,
                  "Who plays here: engine, engine:level=5,time=2s, bot:COMMAND or human (moves on standard input)")
      ->type_name("PLAYER");
  command.add_flag("--full-chains", args.full_chains,
                   "Continue captures as long as possible, for peers that reject a chain that stops early");
  add_number(command, "--margin-ms", args.margin_ms, "How late a move may be, in milliseconds (150)", 0, max_number);
  add_number(command, "--patience-s", args.patience_s,
             "Without a time limit, wait this long for a move, in seconds (600)", 1, 100'000);
  command.add_flag("--trace", args.trace, "Show every message: > sent, < received");
  command.add_option("--record", args.record, "Append the games to this file")->type_name("FILE");
}

void add_fanorona(CLI::App& app, FanoronaArgs& server, FanoronaArgs& client, std::function<int()>& chosen) {
  auto* s = app.add_subcommand("fanorona-server", "Fanorona by the class protocol over TCP (docs/class-protocols.md)");
  s->add_option("--host", server.host, "Listen on this address or name (localhost); *: on all")->type_name("ADDRESS");
  add_number(*s, "--port", server.port, "The port (7000); 0: any free one", 0, 65'535);
  s->add_option("--size", server.size, "The board (9x5)")->type_name("COLSxROWS");
  s->add_option("--colour,--color", server.colour, "The server's own colour; white begins")->type_name("white|black");
  add_number(*s, "--time-ms", server.time_ms, "Time per move, in milliseconds; 0: no limit", 0, max_number);
  add_number(*s, "--games", server.games, "Stop after this many games; 0: run until interrupted", 0, max_number);
  add_fanorona_options(*s, server);
  s->callback([&] { chosen = [&] { return run_fanorona_server(server); }; });
  auto* c = app.add_subcommand("fanorona-client", "One game against a server of the class protocol");
  c->add_option("HOST", client.host, "The server's name or address")->required();
  add_number(*c, "PORT", client.port, "Its port", 1, 65'535)->required();
  add_fanorona_options(*c, client);
  c->callback([&] { chosen = [&] { return run_fanorona_client(client); }; });
}

void add_grade(CLI::App& app, GradeArgs& grade, std::function<int()>& chosen) {
  auto* g = app.add_subcommand("grade", "Check the successor positions that a program lists");
  g->add_option("SPEC", grade.spec, "The game and its options")->required();
  g->add_option("--program", grade.program, "The program, as a command for the shell")
      ->type_name("COMMAND")
      ->required();
  auto* boards = g->add_option("--boards", grade.boards, "Use the boards in this folder, one per file");
  boards->type_name("FOLDER");
  add_number(*g, "--random", grade.random, "Use this many random boards", 1, 100'000)->excludes(boards);
  add_number(*g, "--seed", grade.seed, "Seed of the random boards (1)", 0, max_number);
  g->add_option("--kind", grade.kinds,
                "Kinds of random boards: game, rules, strewn, with commas between them (game,rules)")
      ->type_name("KINDS")
      ->allow_extra_args(false)
      ->excludes(boards);
  g->add_option("--protocol", grade.protocol,
                "a3: board files, the default for Wildebeest; stdout: one position per line, for all games")
      ->type_name("a3|stdout");
  g->add_option("--accept-both", grade.accept_both, "Accept every value of this game option; repeat for more")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  add_number(*g, "--time-ms", grade.time_ms, "Time per board, in milliseconds (10000)", 1, max_number);
  g->add_flag("--confined", grade.confined, "Run the program in a sandbox, as tournaments run bots");
  g->add_option("--csv", grade.csv, "Write a table of all boards to this file")->type_name("FILE");
  g->add_option("--report", grade.report, "Write a page to hand out, and all evidence, into this folder")
      ->type_name("FOLDER");
  g->add_option("--student", grade.student, "The name on the report")->type_name("NAME");
  g->add_flag("--json", grade.json, "Print JSON");
  g->add_flag("--verbose", grade.verbose, "Show every missing move, and a diagram of every wrong successor");
  g->callback([&] { chosen = [&] { return run_grade(grade); }; });
}

}  // namespace

void add_class_commands(CLI::App& app, ClassArgs args, std::function<int()>& chosen) {
  add_fanorona(app, args.server, args.client, chosen);
  add_grade(app, args.grade, chosen);
}

}  // namespace paika::apps
