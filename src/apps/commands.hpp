// The subcommands of `paika`: each takes what was asked on the command line and returns the exit
// status: 0 done, 1 the answer is no, 2 bad input (said on stderr).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/search_traits.hpp"

namespace paika::apps {

inline constexpr int exit_done = 0;
inline constexpr int exit_no = 1;
inline constexpr int exit_bad_input = 2;

/// Othello endings of so many empty squares are searched for exact values if nobody says otherwise: seconds at most.
inline constexpr int default_max_empty = 20;

/// What every command about a position takes.
struct PositionArgs {
  std::string spec;
  std::string position;  // empty and not given: the start; "-": stdin; a file's name; or the text
  bool has_position = false;
  std::vector<std::string> play;  // turns to play first
  bool json = false;
};

struct GamesArgs {
  std::string name;  // empty: all
  bool json = false;
};

struct MovesArgs {
  PositionArgs at;
  bool effects = false;
  bool values = false;
  std::string tables;  // a folder; empty: the user's own
  int max_empty = default_max_empty;
};

struct PerftArgs {
  PositionArgs at;
  int depth = 1;
  int threads = 1;
  bool divide = false;
  bool finished = false;
};

struct WhyArgs {
  PositionArgs at;
  std::string move;
};

struct BestArgs {
  PositionArgs at;
  // 0: not given
  int time_ms = 0;
  int depth = 0;
  int nodes = 0;
  int threads = 1;
  int hash_mb = 64;
  int level = full_level;
  int lines = 1;
  int seed = 0;
  std::string view = "first";  // or "mover": whose scores are printed
  std::string tables;          // a folder; empty: the user's own
  std::string book = "on";     // "off", or a file
};

/// For `paika book`.
struct BookArgs {
  std::string what;  // "grow", "show", "verify"
  std::string book;  // a file, or where it is only read also a game
  PositionArgs at;
  std::string game;
  bool empty = false;
  int positions = 0;  // 0: no limit
  std::string time;
  int nodes = 500'000;
  int moves = 4;
  std::string loss_weight = "2";
  int threads = 1;
  int hash_mb = 16;
  int save_every = 60;  // seconds
  int sample = 20;
  int seed = 1;
  int tolerance = 8;  // pieces
};

struct MatchArgs {
  std::string spec;
  std::string first;     // the player A
  std::string second;    // the player B
  std::string each;      // settings of both
  std::string position;  // empty: the game's own start
  int time_ms = 0;       // these limits: 0, not given
  int depth = 0;
  int nodes = 0;
  int games = 100;
  int openings = 6;           // turns by chance
  std::string openings_file;  // where games begin; empty: by chance
  int balance = 300;
  int seed = 1;
  int concurrency = 1;
  int max_turns = 500;
  int margin_ms = 10;
  std::string sprt;  // "ELO0,ELO1"; empty: no test
  std::string alpha = "0.05";
  std::string beta = "0.05";
  std::string record;  // a file's name; empty: none
  std::string tables;  // a folder; empty: none are used
  std::string book;    // for engines that say nothing of their own; empty: none
  bool confine = false;
  std::vector<std::string> readable;  // by programs in a sandbox
  bool json = false;
};

struct EngineArgs {
  std::string protocol = "ugi";
  std::string game;  // a spec; empty: what suits the protocol
  std::string settings;
};

struct PlayArgs {
  PositionArgs at;
  // Who plays; empty: not given.
  std::string first;
  std::string second;
  std::string white;
  std::string black;
  int time_ms = 0;    // for a turn; 0: no limit
  std::string clock;  // for the game: "5min+3s"; empty: none
  bool plain = false;
  bool flip = false;
  bool ascii = false;
  bool no_animation = false;
  std::string lang;   // empty: that of the environment
  std::string theme;  // empty: standard
  bool resume = false;
  std::string resume_file;  // empty: the newest unfinished game
  std::string record;       // a file's name; empty: none
  std::string tables;       // a folder; empty: the user's own
  std::optional<int> seed;
};

struct BenchArgs {
  bool signature = false;
  bool json = false;
};

/// How a command shows games on the terminal.
struct ShowArgs {
  bool plain = false;
  bool ascii = false;
  bool no_animation = false;
  std::string language;  // empty: that of the environment
  std::string theme = "standard";
};

struct ReplayArgs {
  std::string file;
  int game = 1;
  ShowArgs show;
};

struct DemoArgs {
  std::string what;  // a spec, a demonstration's name or a file; empty: list them all
  bool list = false;
  ShowArgs show;
};

struct SolveArgs {
  PositionArgs at;
  std::string tables;  // a folder; empty: the user's own
  std::string memory = "2G";
  int threads = 1;
  int save_every = 300;  // seconds
  int parts = 1;
  bool plan = false;
  bool count = true;
  bool proof = false;
  bool gpu = false;
  std::string gpu_memory{};  // what of the GPU's memory it may use; empty: all that is free
  bool table = true;         // with gpu: write one
  // Only positions with at most so many stones; 0: all. Their table has no distances unless asked for.
  int stones = 0;
  bool distances = false;
  bool verify = true;  // with stones
  // Limits of a proof; 0: none.
  int time_ms = 0;
  int nodes = 0;
};

struct TableArgs {
  std::string what;  // info, verify, query
  std::string file;
  PositionArgs at;  // without a spec: the table knows it
  bool distances = false;
  bool checksums = false;
  std::string memory = "2G";
  int threads = 1;
};

struct ReviewArgs {
  std::string file;
  int game = 1;
  std::string tables;  // a folder; empty: the user's own
  int max_empty = default_max_empty;
  bool exact = false;  // without the engine
  int time_ms = 15'000;
  bool ascii = false;
  bool json = false;
};

struct ConvertArgs {
  std::string file;  // "-": standard input
  std::string to = "tree";
  std::string from;    // empty: what it looks like
  std::string spec;    // empty: the file tells
  std::string output;  // empty: standard output
};

struct PuzzlesArgs {
  std::string spec;    // of make
  std::string file;    // of verify
  std::string tables;  // a folder; empty: the user's own
  int count = 20;
  int seed = 1;
  int depth = 5;
  int min_plies = 4;
  int max_empty = 12;
  int sample = 1;
  int threads = 1;
};

/// A database of games.
struct DbArgs {
  std::string database;  // empty: in the user's data folder
  // import
  std::vector<std::string> files;  // "-": standard input
  std::string from;                // their format; empty: what they look like
  std::string spec;                // empty: the files tell
  std::string server;              // a server's database; empty: none
  std::string selfplay;            // a spec; empty: none
  int games = 100;
  int level = 1;  // 0: all moves by chance
  int seed = 1;
  // explore
  PositionArgs at;
  std::string player;
  std::string colour;
  std::string since;
  std::string until;
  bool values = false;
  int time_ms = 1000;
  bool json = false;  // of stats
};

struct OpeningsArgs {
  PositionArgs at;
  int plies = 4;
  int count = 20;
  int seed = 1;
  bool equal = false;  // of equal value for both colours instead of drawn
  std::string tables;  // a folder; empty: the user's own
};

struct ServeArgs {
  std::string listen = "127.0.0.1:7420";
  std::string node;      // where other servers on the database reach this one; empty: it is the only one
  std::string database;  // empty: in the user's data folder
  std::string web;       // a folder; empty: the one that was built, or a plain page
  std::string tables;    // a folder; empty: the user's own
  std::vector<std::string> origins;
  int workers = 0;          // 0: all processors but one
  int remote_analyses = 0;  // 0: analyses are done here
  int ladder_workers = -1;  // below 0: half the processors
  std::string teachers = "anyone";
  int max_connections = 20'000;
  int max_per_address = 0;  // 0: a quarter of all
  int rate_factor = 1;
  bool behind_proxy = false;
  bool unsafe_bots = false;
  bool weak_sandbox = false;
  std::vector<std::string> bot_readable;  // by bots of classes, beside their own files
  std::string tournaments;                // a folder; empty: none are shown
  std::string sso;                        // the file of single sign-on; empty: there is none
  std::string games;                      // a database of games; empty: none
  int slow_ms = 1000;                     // requests that take longer are logged; 0: none
  std::string log_level = "info";
};

/// What an operator of a server asks for.
struct AdminArgs {
  std::string database;  // empty: in the user's data folder
  std::string action;    // "ban"
  std::string kind;      // of what is deleted
  std::string subject;
  std::string reason;
  int most = 100;
  bool yes = false;
  bool json = false;
};

/// A copy of a server's database.
struct BackupArgs {
  std::string from;
  std::string to;
  bool force = false;
};

struct ConfineArgs {
  std::string sandbox;  // empty: the best that work here
  std::string accounting = "any";
  // Limits; empty and 0: the usual ones.
  std::string memory;
  std::string written;
  int processes = 0;
  int open_files = 0;
  int cpu_seconds = 0;
  std::vector<std::string> readable;
  std::string folder;
  std::string scratch;
  int inside = -1;  // not given; else this is process 1 of a sandbox, and the socket to the watcher
  std::vector<std::string> command;
};

struct BotCheckArgs {
  std::string command;
  std::vector<std::string> specs;  // empty: one of each game
  std::string folder = ".";
  std::vector<std::string> readable;
  bool unsafe = false;
  bool json = false;
};

/// A game of Fanorona by the class protocol, as its server or client (docs/class-protocols.md).
struct FanoronaArgs {
  std::string host = "localhost";
  int port = 7000;
  std::string size = "9x5";
  std::string colour = "white";  // the server's own
  int time_ms = 0;               // for a move; 0: no limit
  std::string player = "engine";
  int games = 0;  // 0: until interrupted
  bool full_chains = false;
  int margin_ms = 150;
  int patience_s = 600;
  std::string record;  // a file's name; empty: none
  bool trace = false;  // every message is shown
};

struct GradeArgs {
  std::string spec;
  std::string program;  // a shell command
  std::string boards;   // a folder; empty: made by chance
  int random = 0;       // so many made by chance; 0: our own set
  int seed = 1;
  std::vector<std::string> kinds;  // of boards made by chance; none: the usual ones
  std::string protocol;            // empty: what suits the game
  std::vector<std::string> accept_both;
  std::string csv;      // a file's name; empty: none
  std::string report;   // a folder; empty: none
  std::string student;  // the name on the report
  bool json = false;
  bool verbose = false;
  bool confined = false;
  int time_ms = 10'000;  // for a board
};

struct TournamentArgs {
  std::string file;  // a plan; empty: the options up to max_turns tell it
  // What is played; empty and -1: not given.
  std::string name;
  std::string system;
  std::vector<std::string> games;
  std::vector<std::string> players;  // NAME=engine:… or NAME=bot:…
  int rounds = -1;
  int legs = -1;
  int seed = -1;
  std::string openings;
  std::string each;
  int max_turns = -1;
  // How and where.
  int concurrency = -1;
  std::string results;
  std::string out;     // a folder for all reports
  std::string report;  // a file for the one page with everything
  std::string csv;
  std::string json;
  bool unsafe_bots = false;
  bool quiet = false;
  std::string database;  // with the queue that workers take games from; empty: none elsewhere
};

struct WorkerArgs {
  std::string database;               // with the queue
  int threads = 0;                    // 0: one a processor
  int max_idle = 0;                   // seconds; 0: for ever
  std::vector<std::string> readable;  // by all programs
  std::string tables;                 // empty: the default
  std::string log_level = "info";
  bool unsafe_bots = false;
};

struct ReferenceArgs {
  std::string shell;   // whose completion script is printed
  std::string folder;  // for manual pages
};

int run_games(const GamesArgs& args);
int run_show(const PositionArgs& args);
int run_moves(const MovesArgs& args);
int run_perft_command(const PerftArgs& args);
int run_bench(const BenchArgs& args);
int run_best(const BestArgs& args);
int run_why(const WhyArgs& args);
int run_match(const MatchArgs& args);
int run_replay(const ReplayArgs& args);
int run_demo(const DemoArgs& args);
int run_engine(const EngineArgs& args);
int run_play(const PlayArgs& args);
int run_solve(const SolveArgs& args);
int run_table(const TableArgs& args);
int run_book(const BookArgs& args);
int run_review(const ReviewArgs& args);
int run_openings(const OpeningsArgs& args);
int run_convert(const ConvertArgs& args);
int run_db_import(const DbArgs& args);
int run_db_explore(const DbArgs& args);
int run_db_stats(const DbArgs& args);
int run_puzzles_make(const PuzzlesArgs& args);
int run_puzzles_verify(const PuzzlesArgs& args);
int run_serve(const ServeArgs& args);
int run_admin(const AdminArgs& args);
int run_backup(const BackupArgs& args);
int run_restore(const BackupArgs& args);
int run_copy(const BackupArgs& args);
int run_confine(const ConfineArgs& args);
int run_bot_check(const BotCheckArgs& args);
int run_fanorona_server(const FanoronaArgs& args);
int run_fanorona_client(const FanoronaArgs& args);
int run_grade(const GradeArgs& args);
int run_tournament(const TournamentArgs& args);
int run_worker(const WorkerArgs& args);

}  // namespace paika::apps
