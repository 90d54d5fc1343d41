// Options that several commands have, and groups of commands that are not in main.cpp. The sources that add options
// include CLI11, which is heavy to compile.
#pragma once

#include <functional>
#include <string>

#include "apps/commands.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): it is the namespace of CLI11
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace paika::apps {

inline constexpr int max_number = 2'000'000'000;

/// Which position of a game that is known.
void add_position_choice(CLI::App& command, PositionArgs& args);
/// The game, and which position of it.
void add_position_options(CLI::App& command, PositionArgs& args);
void add_tables_option(CLI::App& command, std::string& folder);
/// A whole number in decimal. CLI11's own reading takes 010 for eight and says of "x" that it is too large.
CLI::Option* add_number(CLI::App& command, const std::string& name, int& value, const std::string& meaning, int least,
                        int most);
void add_max_empty_option(CLI::App& command, int& max_empty);

/// The arguments of the commands below.
struct StudyArgs {
  ReviewArgs review;
  OpeningsArgs openings;
  ConvertArgs convert;
  PuzzlesArgs puzzles;
};

/// review, openings, convert and puzzles. `args` and `chosen` live as long as the parsing.
void add_study_commands(CLI::App& app, StudyArgs& args, std::function<int()>& chosen);

/// book grow, show and verify (book_options.cpp).
void add_book_commands(CLI::App& app, BookArgs& args, std::function<int()>& chosen);

/// db import, explore and stats (db_options.cpp).
void add_db_commands(CLI::App& app, DbArgs& args, std::function<int()>& chosen);

/// bot check and confine (tournament_options.cpp).
struct BotArgs {
  BotCheckArgs check;
  ConfineArgs confine;
};
void add_bot_commands(CLI::App& app, BotArgs& args, std::function<int()>& chosen);

/// tournament and worker (tournament_options.cpp).
struct TournamentCommandArgs {
  TournamentArgs tournament;
  WorkerArgs worker;
};
void add_tournament_commands(CLI::App& app, TournamentCommandArgs& args, std::function<int()>& chosen);

/// What the commands for programs of the classes fill in.
struct ClassArgs {
  FanoronaArgs& server;
  FanoronaArgs& client;
  GradeArgs& grade;
};

/// fanorona-server, fanorona-client and grade (class_commands.cpp).
void add_class_commands(CLI::App& app, ClassArgs args, std::function<int()>& chosen);

}  // namespace paika::apps
