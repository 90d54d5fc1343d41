// The `paika` program: reads the command line and hands over to the subcommands.
//
// CLI11 is heavy to compile, so only the sources that add options and command_tree.cpp include it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

#include "apps/command_tree.hpp"
#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/options.hpp"
#include "apps/peers.hpp"
#include "apps/stderr.hpp"
#include "base/text.hpp"
#include "engine/module.hpp"
#include "search/types.hpp"
#include "server/classes/push_hook.hpp"

#ifndef PAIKA_VERSION
#define PAIKA_VERSION "unknown"
#endif

namespace paika::apps {

namespace {

constexpr int max_depth = 99;
constexpr int max_threads = max_search_threads;

std::string about() {
  std::vector<std::string> titles;
  for (const GameModule& module : game_modules()) titles.push_back(module.info().title);
  return fmt::format(
      "Paika: {}.\n"
      "A game is named by a spec: NAME[:OPTION,...], such as fanorona:5x5,sacrifice=off\n"
      "(`paika games` lists names and options).",
      listed(titles, "and"));
}

const char* const footer =
    "Without a command: the game server, for playing in the browser.\n"
    "Exit status: 0 done, 1 the answer is no, 2 bad input.\n"
    "Try: paika play othello; paika games; paika show othello; paika moves abalone; paika perft fanorona:5x5 4";

/// Every subcommand with the arguments it fills and what to run; lives as long as the parsing.
struct CommandLine {
  CLI::App app{about(), "paika"};
  GamesArgs games;
  PositionArgs show;
  MovesArgs moves;
  PerftArgs perft;
  WhyArgs why;
  BestArgs best;
  BenchArgs bench;
  MatchArgs match;
  EngineArgs engine;
  PlayArgs play;
  ReplayArgs replay;
  DemoArgs demo;
  SolveArgs solve;
  TableArgs table;
  BookArgs book;
  StudyArgs study;
  DbArgs db;
  ServeArgs serve;
  AdminArgs admin;
  BackupArgs backup;
  BotArgs bots;
  FanoronaArgs fanorona_server;
  FanoronaArgs fanorona_client;
  GradeArgs grade;
  TournamentCommandArgs tournament;
  ReferenceArgs reference;
  std::function<int()> chosen;

  CommandLine() {
    app.footer(footer);
    app.set_version_flag("-V,--version", "paika " PAIKA_VERSION);
    app.require_subcommand(0, 1);
    add_play();
    add_looking();
    add_perft();
    add_best();
    add_match();
    add_engine();
    add_walks();
    add_solve();
    add_table();
    add_book_commands(app, book, chosen);
    add_study_commands(app, study, chosen);
    add_db_commands(app, db, chosen);
    add_serve();
    add_admin();
    add_backup();
    add_bot_commands(app, bots, chosen);
    add_class_commands(app, {fanorona_server, fanorona_client, grade}, chosen);
    add_tournament_commands(app, tournament, chosen);
    add_reference();
  }

  void add_play() {
    auto* p = app.add_subcommand("play", "Play at the terminal, against the computer or another person (docs/play.md)");
    p->add_option("SPEC", play.at.spec, "The game and its options");
    p->add_option_function<std::string>(
         "--position,-p",
         [this](const std::string& text) {
           play.at.position = text;
           play.at.has_position = true;
         },
         "Start here: the position in the game's own text, a file that holds it, or - for standard input")
        ->type_name("TEXT|FILE");
    for (const auto& [name, who] : {std::pair{"--first", &play.first}, std::pair{"--second", &play.second},
                                    std::pair{"--white", &play.white}, std::pair{"--black", &play.black}}) {
      p->add_option(name, *who, "Who plays there: human, engine, engine:level=7,time=2s or bot:COMMAND")
          ->type_name("PLAYER");
    }
    add_number(*p, "--time-ms", play.time_ms, "Time per move in ms; whoever exceeds it loses", 1, max_number);
    p->add_option("--clock", play.clock, "Time for the whole game, and the increment per move: 5min+3s")
        ->type_name("TIME");
    p->add_flag("--plain", play.plain, "Lines of text instead of the full screen (always so in a pipe)");
    p->add_flag("--flip", play.flip, "Show the board from the other side; the command flip does the same");
    p->add_flag("--ascii", play.ascii, "ASCII characters only, in texts too");
    p->add_flag("--no-animation", play.no_animation, "Show a move's effects at once, without animation");
    p->add_option("--lang", play.lang, "Language (default: that of the locale)")->type_name("en|fr|mg");
    p->add_option("--theme", play.theme, "Colours of the full screen")->type_name("standard|contrast|blue-orange");
    p->add_option_function<std::vector<std::string>>(
         "--resume",
         [this](const std::vector<std::string>& file) {
           play.resume = true;
           if (!file.empty()) play.resume_file = file.front();
         },
         "Continue the newest unfinished game, or the one in FILE")
        ->expected(0, 1)
        ->type_name("FILE");
    add_tables_option(*p, play.tables);
    p->add_option("--record", play.record, "Append the game to this file on leaving")->type_name("FILE");
    p->add_option_function<std::string>(
         "--seed",
         [this](const std::string& text) {
           const auto number = parse_int(text);
           if (!number || *number < 0 || *number > max_number) {
             throw CLI::ValidationError(
                 "--seed", fmt::format("must be a whole number from 0 to {}, not {}", max_number, in_quotes(text)));
           }
           play.seed = static_cast<int>(*number);
         },
         "Seed of the choices at levels below full strength (default: random)")
        ->type_name("NUMBER");
    p->callback([this] { chosen = [this] { return run_play(play); }; });
  }

  void add_looking() {
    auto* g = app.add_subcommand("games", "List the games, their sizes and options");
    g->add_option("NAME", games.name, "Only this game");
    g->add_flag("--json", games.json, "Print JSON");
    g->callback([this] { chosen = [this] { return run_games(games); }; });

    auto* s = app.add_subcommand("show", "Show a position");
    add_position_options(*s, show);
    s->callback([this] { chosen = [this] { return run_show(show); }; });

    auto* m = app.add_subcommand("moves", "List every legal move, one per line: MOVE<TAB>POSITION-AFTER");
    add_position_options(*m, moves.at);
    m->add_flag("--effects", moves.effects, "Also list what each move does, in order");
    m->add_flag("--values", moves.values,
                "A third column: the move's value under perfect play, from a table; in Othello by search");
    add_tables_option(*m, moves.tables);
    add_max_empty_option(*m, moves.max_empty);
    m->callback([this] { chosen = [this] { return run_moves(moves); }; });

    auto* w = app.add_subcommand("why", "Is this move legal, and if not, which clause forbids it?");
    add_position_options(*w, why.at);
    w->add_option("MOVE", why.move, "The move in question")->required();
    w->callback([this] { chosen = [this] { return run_why(why); }; });
  }

  void add_best() {
    auto* b = app.add_subcommand("best", "The computer's choice: MOVE<TAB>SCORE; how it got there on stderr");
    add_position_options(*b, best.at);
    add_number(*b, "--time-ms", best.time_ms, "Time to think, in milliseconds (1000 if no limit is given)", 1,
               max_number);
    add_number(*b, "--depth", best.depth, "Look this many moves ahead", 1, max_depth);
    add_number(*b, "--nodes", best.nodes, "Look at this many positions", 1, max_number);
    add_number(*b, "--threads", best.threads, "Number of threads", 1, max_threads);
    add_number(*b, "--hash", best.hash_mb, "Megabytes of memory for the hash table", 1, max_hash_mb);
    add_number(*b, "--level", best.level,
               fmt::format("Strength, from {} to {} (full strength)", weakest_level, full_level), weakest_level,
               full_level);
    add_tables_option(*b, best.tables);
    b->add_option("--book", best.book, "Also what an opening book says: on (the built-in one), off, or a file (on)")
        ->type_name("on|off|FILE");
    add_number(*b, "--multipv", best.lines, "List this many moves, best first", 1, max_lines);
    add_number(*b, "--seed", best.seed, "Levels below full strength choose at random: the same seed, the same choice",
               0, max_number);
    b->add_option("--view", best.view, "Scores for who moves first in the game, or mover")->type_name("first|mover");
    b->callback([this] { chosen = [this] { return run_best(best); }; });

    auto* n = app.add_subcommand("bench", "Search fixed positions of every game: how many positions, and how fast");
    n->add_flag("--signature", bench.signature, "Print only what is the same on every machine: SPEC, depth, positions");
    n->add_flag("--json", bench.json, "Print JSON");
    n->callback([this] { chosen = [this] { return run_bench(bench); }; });
  }

  void add_openings_option(CLI::App& command) {
    command
        .add_option_function<std::string>(
            "--openings",
            [this](const std::string& text) {
              constexpr int most = 1000;
              const auto number = parse_int(text);
              if (!number && !text.empty()) {
                match.openings_file = text;
              } else if (number && *number >= 0 && *number <= most) {
                match.openings = static_cast<int>(*number);
              } else {
                throw CLI::ValidationError(
                    "--openings", fmt::format("must be a whole number from 0 to {} or a file of openings, not {}", most,
                                              in_quotes(text)));
              }
            },
            "Random moves before the players start (6), or a file of positions to start from, as paika openings writes "
            "it")
        ->type_name("NUMBER|FILE");
  }

  void add_match() {
    auto* m = app.add_subcommand("match", "Games between two players, each opening twice with colours reversed");
    m->add_option("SPEC", match.spec, "The game and its options")->required();
    m->add_option("A", match.first,
                  "engine, engine:SETTINGS (time=100ms,hash=16,table=off), or a program: bot:COMMAND (the engine\n"
                  "protocol), board-file:COMMAND and board-files:COMMAND (Wildebeest), nboard:COMMAND (Othello)")
        ->required();
    m->add_option("B", match.second, "The other player")->required();
    add_number(*m, "--games", match.games, "Number of games, two per opening; an odd number is rounded up", 1,
               max_number);
    add_number(*m, "--time-ms", match.time_ms,
               "Time per move, for a player without a limit of its own (engine: 100, program: 1000)", 1, max_number);
    add_number(*m, "--depth", match.depth, "Depth, for a player without a limit of its own", 1, max_depth);
    add_number(*m, "--nodes", match.nodes, "Positions per move, for a player without a limit of its own", 1,
               max_number);
    m->add_option("--each", match.each, "Settings of both players: clock=60s+0.5s,hash=16")->type_name("SETTINGS");
    m->add_option("--position,-p", match.position, "Start here instead of the game's own start position")
        ->type_name("TEXT");
    add_openings_option(*m);
    add_number(*m, "--balance", match.balance,
               "Of random openings, skip those with a larger advantage, in hundredths of a piece; 0: none", 0,
               max_number);
    add_number(*m, "--seed", match.seed, "Seed of the random openings", 0, max_number);
    add_number(*m, "--concurrency", match.concurrency, "Games at the same time", 1, max_threads);
    add_number(*m, "--max-moves", match.max_turns, "Games of this many moves are drawn; 0: never", 0, max_number);
    add_number(*m, "--margin-ms", match.margin_ms, "How late a move may be", 0, max_number);
    m->add_option("--sprt", match.sprt, "Stop when it is clear whether ELO0 or ELO1 is true")->type_name("ELO0,ELO1");
    m->add_option("--alpha", match.alpha, "The risk of a wrong ELO1 (0.05)")->type_name("NUMBER");
    m->add_option("--beta", match.beta, "The risk of a wrong ELO0 (0.05)")->type_name("NUMBER");
    m->add_option("--record", match.record, "Append all games to this file")->type_name("FILE");
    m->add_option("--tables", match.tables,
                  "Engines use the tables of perfect play in this folder; endings=off: not this one")
        ->type_name("FOLDER");
    m->add_option("--book", match.book,
                  "Engines play from this opening book, or the built-in one: on; book=off: not this one")
        ->type_name("on|FILE");
    m->add_flag("--confine", match.confine, "Run bots in a sandbox, where they may read only this folder");
    m->add_option("--read", match.readable,
                  "With --confine: one more file or folder that bots may read; repeat for more")
        ->type_name("PATH")
        ->allow_extra_args(false);
    m->add_flag("--json", match.json, "Print JSON");
    m->callback([this] { chosen = [this] { return run_match(match); }; });
  }

  void add_engine() {
    auto* e =
        app.add_subcommand("engine", "The computer player for other programs, over lines of text (docs/protocol.md)");
    e->add_option("--protocol", engine.protocol, "ugi and gtp for all games, nboard for Othello")
        ->type_name("ugi|gtp|nboard");
    e->add_option("--game", engine.game, "The game to start with")->type_name("SPEC");
    e->add_option("--settings", engine.settings, "hash=16,threads=2 and the like")->type_name("SETTINGS");
    e->callback([this] { chosen = [this] { return run_engine(engine); }; });
  }

  static void add_show_options(CLI::App& command, ShowArgs& args) {
    command.add_flag("--plain", args.plain, "Plain lines instead of the full screen");
    command.add_flag("--ascii", args.ascii, "ASCII characters only, in texts too");
    command.add_flag("--no-animation", args.no_animation, "Show moves at once, without animation");
    command.add_option("--lang", args.language, "Language (default: that of the locale)")->type_name("en|fr|mg");
    command.add_option("--theme", args.theme, "Colours of the full screen")->type_name("standard|contrast|blue-orange");
  }

  void add_walks() {
    auto* r = app.add_subcommand("replay", "Step through a recorded game (or an Othello game in GGF)");
    r->add_option("FILE", replay.file, "The file with the record")->required();
    add_number(*r, "--game", replay.game, "Which game of the file (1)", 1, max_number);
    add_show_options(*r, replay.show);
    r->callback([this] { chosen = [this] { return run_replay(replay); }; });

    auto* d = app.add_subcommand("demo", "Prepared scenarios of a game, each with captions");
    d->add_option("WHAT", demo.what,
                  "A game, the name of a demonstration or a file; without it, demonstrations are listed");
    d->add_flag("--list", demo.list, "List them instead");
    add_show_options(*d, demo.show);
    d->callback([this] { chosen = [this] { return run_demo(demo); }; });
  }

  void add_solve() {
    auto* s = app.add_subcommand("solve", "The value of a position under perfect play (docs/solving.md)");
    add_position_options(*s, solve.at);
    add_tables_option(*s, solve.tables);
    s->add_option("--memory", solve.memory, "Memory limit: 500M, 2G (2G)")->type_name("SIZE");
    add_number(*s, "--threads", solve.threads, "Number of threads", 1, max_threads);
    add_number(*s, "--save-every", solve.save_every, "Seconds between saves of work in progress (300)", 0, max_number);
    add_number(*s, "--parts", solve.parts, "Cut each tier into so many parts, one in memory at a time", 1, max_number);
    s->add_flag("--proof", solve.proof, "Prove the value by search, without a table of all positions");
    add_number(*s, "--time-ms", solve.time_ms, "With --proof: give up after this long, in milliseconds", 1, max_number);
    add_number(*s, "--nodes", solve.nodes, "With --proof: give up after this many positions", 1, max_number);
    s->add_flag("--gpu", solve.gpu, "Solve on an NVIDIA GPU");
    s->add_option("--gpu-memory", solve.gpu_memory,
                  "With --gpu: use so much of its memory at most: 20G (all that is free)")
        ->type_name("SIZE");
    s->add_flag("!--no-table", solve.table, "With --gpu: write no table, only print what was counted");
    add_number(*s, "--stones", solve.stones, "Solve the positions with at most this many stones in all", 2, max_number);
    s->add_flag("--distances", solve.distances, "With --stones: keep how soon wins are, not only who wins");
    s->add_flag("!--no-verify", solve.verify, "With --stones: do not derive every value again before it is kept");
    s->add_flag("--plan", solve.plan, "Only print how many positions there are and how they would be solved");
    s->add_flag("!--no-count", solve.count, "Do not count the values of all reachable positions");
    s->callback([this] { chosen = [this] { return run_solve(solve); }; });
  }

  void add_table() {
    auto* t = app.add_subcommand("table", "Look into a table file: its contents, its correctness, values of positions");
    t->require_subcommand(1);
    const auto add = [&](const std::string& name, const std::string& about_it) {
      auto* command = t->add_subcommand(name, about_it);
      command->add_option("FILE", table.file, "The table")->required();
      command->callback([this, name] {
        table.what = name;
        chosen = [this] { return run_table(table); };
      });
      return command;
    };
    auto* i = add("info", "Show what the table holds");
    i->add_flag("--json", table.at.json, "Print JSON");
    i->add_flag("--checksums", table.checksums, "The checksum of each tier's values: TIER<TAB>CHECKSUM");
    i->add_flag("--distances", table.distances, "How many positions there are of each value: VALUE<TAB>POSITIONS");
    auto* v = add("verify", "Check every value against those of the next positions");
    v->add_option("--memory", table.memory, "Memory limit: 500M, 2G (2G)")->type_name("SIZE");
    add_number(*v, "--threads", table.threads, "Number of threads", 1, max_threads);
    auto* q = add("query", "The value of a position and of each of its moves");
    add_position_choice(*q, table.at);
  }

  /// A word of `paika admin`, with its argument.
  void add_admin_word(CLI::App& command, const char* word, const char* subject, bool required, const char* meaning) {
    auto* w = command.add_subcommand(word, meaning)->fallthrough();
    if (*subject != '\0') w->add_option(subject, admin.subject, "")->required(required);
    w->callback([this, word] {
      admin.action = word;
      chosen = [this] { return run_admin(admin); };
    });
  }

  void add_admin() {
    auto* a = app.add_subcommand("admin", "For those who run a server: sessions, bans, approvals (docs/server.md)");
    a->require_subcommand(1);
    a->add_option("--db", admin.database, "The server's database (default: in the user's data folder)")
        ->type_name("FILE|URL");
    a->add_option("--reason", admin.reason, "Why, for the record that `paika admin log` shows")->type_name("TEXT");
    add_number(*a, "--most", admin.most, "Rows of a list (100)", 1, 100'000);
    a->add_flag("--json", admin.json, "Print JSON");
    add_admin_word(*a, "sessions", "NAME", false, "List sessions and tokens, all or one person's");
    add_admin_word(*a, "end-session", "ID", true, "End a session or token");
    add_admin_word(*a, "end-all", "NAME", true, "End all sessions and tokens of a person");
    add_admin_word(*a, "mute", "NAME", true, "Do not let a person write in chats");
    add_admin_word(*a, "unmute", "NAME", true, "Let a person write in chats again");
    add_admin_word(*a, "ban", "NAME-OR-ADDRESS", true, "Keep a person or an address out");
    add_admin_word(*a, "unban", "NAME-OR-ADDRESS", true, "Let them in again");
    add_admin_word(*a, "approve", "NAME", true, "Let a person open classes (serve --teachers=approved)");
    add_admin_word(*a, "unapprove", "NAME", true, "Take that back; classes that exist stay");
    add_admin_word(*a, "people", "NAME", false, "Show one person, or all who are approved, muted or banned");
    add_admin_word(*a, "classes", "", false, "List classes, those with most bots waiting first");
    add_admin_word(*a, "statistics", "", false, "Count what the server has and does");
    add_admin_word(*a, "log", "", false, "Show what operators did, the newest first");
    auto* c = a->add_subcommand("copy", "Copy a database into a new one, of either engine, and compare");
    c->add_option("FROM", backup.from, "The database: a file or postgresql://HOST/NAME; no server may use it")
        ->required();
    c->add_option("TO", backup.to, "The new database, likewise")->required();
    c->callback([this] { chosen = [this] { return run_copy(backup); }; });
    auto* d = a->add_subcommand("delete", "Delete a person, room or class with all that belongs to it")->fallthrough();
    d->add_option("person|room|class", admin.kind, "What is deleted")->required();
    d->add_option("NAME-OR-ID", admin.subject, "A person's name, the id of a room or class")->required();
    d->add_flag("--yes", admin.yes, "It cannot be undone");
    d->callback([this] {
      admin.action = "delete";
      chosen = [this] { return run_admin(admin); };
    });
  }

  void add_backup() {
    auto* b = app.add_subcommand("backup", "Copy a server's database, also while the server runs");
    b->add_option("DATABASE", backup.from, "The database")->required();
    b->add_option("FILE", backup.to, "The copy")->required();
    b->add_flag("--force", backup.force, "Replace a file that exists");
    b->callback([this] { chosen = [this] { return run_backup(backup); }; });
    auto* r = app.add_subcommand("restore", "Check a backup and put it in the place of a database, which is kept");
    r->add_option("FILE", backup.from, "The backup")->required();
    r->add_option("DATABASE", backup.to, "The database; no server may use it")->required();
    r->callback([this] { chosen = [this] { return run_restore(backup); }; });
  }

  void add_serve() {
    auto* s = app.add_subcommand("serve", "The game server; also what `paika` alone does (docs/server.md)");
    s->add_option("--listen,--port", serve.listen,
                  "Address and port, or the port alone (127.0.0.1:7420); port 0: any free one")
        ->type_name("ADDRESS:PORT");
    s->add_option("--node", serve.node,
                  "Be one of several servers on a PostgreSQL database: the address and port where the others reach this"
                  " one, on a private network (docs/operations.md)")
        ->type_name("ADDRESS:PORT");
    s->add_option("--db", serve.database,
                  "Where games and accounts are kept: a file (default: in the user's data folder) or a PostgreSQL"
                  " database, postgresql://USER@HOST/NAME")
        ->type_name("FILE|URL");
    s->add_option("--web", serve.web, "The folder of the built web app")->type_name("FOLDER");
    add_tables_option(*s, serve.tables);
    add_number(*s, "--workers", serve.workers, "Engine threads (default: all processors but one)", 1, max_threads);
    s->add_option("--origin", serve.origins,
                  "Origin of the pages that may use the server, such as https://play.example.org")
        ->type_name("URL")
        ->allow_extra_args(false);
    s->add_flag("--behind-proxy", serve.behind_proxy, "Trust X-Forwarded-For and X-Forwarded-Proto");
    add_number(*s, "--max-connections", serve.max_connections, "In all (20000)", 1, max_number);
    add_number(*s, "--max-per-address", serve.max_per_address, "Connections per address (a quarter of all)", 1,
               max_number);
    add_number(*s, "--rate-factor", serve.rate_factor, "Factor on the rate limits per client (1)", 1, max_number);
    s->add_option("--tournaments", serve.tournaments, "The folder of the tournaments that pages show")
        ->type_name("FOLDER");
    s->add_option("--games", serve.games, "A database of games (`paika db import`) that the explorer shows")
        ->type_name("FILE");
    s->add_flag("--weak-sandbox", serve.weak_sandbox,
                "Run class bots although the kernel does not enforce their limits here");
    s->add_option("--bot-read", serve.bot_readable,
                  "One more file or folder that class bots may read, such as an interpreter's; repeat for more")
        ->type_name("PATH")
        ->allow_extra_args(false);
    s->add_flag("--unsafe-bots", serve.unsafe_bots, "Run class bots without a sandbox where none works");
    add_number(*s, "--remote-analyses", serve.remote_analyses,
               "Leave analyses and reviews to `paika worker`, so many at a time (0: they are done here)", 0,
               max_threads);
    add_number(*s, "--ladder-workers", serve.ladder_workers,
               "Class bots that are built or play at the same time (default: half the processors); 0: only at `paika"
               " worker`",
               0, max_threads);
    s->add_option("--teachers", serve.teachers,
                  "Who may open classes: anyone, or those whom `paika admin` approved (anyone)")
        ->type_name("anyone|approved");
    s->add_option("--sso", serve.sso, "Single sign-on: its providers and platforms (docs/single-sign-on.md)")
        ->type_name("FILE");
    add_number(*s, "--slow-ms", serve.slow_ms,
               "Log requests that take longer than so many milliseconds (1000); 0: none", 0, max_number);
    s->add_option("--log-level", serve.log_level, "What is logged (info)")->type_name("debug|info|warning|error");
    s->callback([this] { chosen = [this] { return run_serve(serve); }; });
  }

  void add_reference() {
    auto* c = app.add_subcommand("completion", "Print what completes command lines in a shell");
    c->add_option("bash|zsh|fish", reference.shell, "The shell")->required();
    c->callback([this] { chosen = [this] { return run_completion(command_tree(app), reference); }; });
    auto* m = app.add_subcommand("man", "Write the manual pages to a folder")->group("");
    m->add_option("FOLDER", reference.folder, "The folder")->required();
    m->callback([this] { chosen = [this] { return run_man(command_tree(app), reference); }; });
  }

  void add_perft() {
    auto* p = app.add_subcommand("perft", "Count the lines of 1 to DEPTH moves, one line per depth: DEPTH NODES");
    add_position_options(*p, perft.at);
    add_number(*p, "DEPTH", perft.depth, "Number of moves", 0, max_depth)->required();
    add_number(*p, "--threads", perft.threads, "Number of threads", 1, max_threads);
    p->add_flag("--divide", perft.divide, "Only DEPTH, with the count under each first move");
    p->add_flag("--finished", perft.finished, "A third column: games that were over before that depth");
    p->callback([this] { chosen = [this] { return run_perft_command(perft); }; });
  }
};

/// `paika help COMMAND` is what many programs call `paika COMMAND --help`.
std::vector<char*> without_help(int argc, char** argv) {
  static std::string help = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.push_back(help.data());
  }
  return words;
}

int run(int given, char** given_words) {
  CommandLine line;
  std::vector<char*> words = without_help(given, given_words);
  const int argc = static_cast<int>(words.size());
  char** const argv = words.data();
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    line.app.exit(help);
    return finish(exit_done);
  } catch (const CLI::ParseError& error) {
    return complain(parse_complaint(line.app, argc, argv, error.what()));
  }
  if (line.chosen) return line.chosen();
  return run_serve(line.serve);
}

}  // namespace

/// Puts something in the place of standard streams that are closed, lest the next file opened gets their
/// number: reading gives the end of input, writing fails. A file that may not grow fails to be written instead
/// of ending the program.
static void settle_in() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) static_cast<void>(open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
}

}  // namespace paika::apps

int main(int argc, char** argv) {
  if (const auto status = paika::server::run_as_push_hook(argv[0])) return *status;
  paika::apps::settle_in();
  paika::apps::remember_command_line(argv);
  try {
    return paika::apps::run(argc, argv);
  } catch (const std::exception& error) {
    // No input leads here but one that exhausts memory; say so instead of dying mutely.
    paika::apps::to_stderr(fmt::format("paika: {}\n", error.what()));
    return paika::apps::exit_bad_input;
  }
}
