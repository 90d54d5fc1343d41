#include "apps/options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "study/formats.hpp"

namespace paika::apps {

void add_position_choice(CLI::App& command, PositionArgs& args) {
  command
      .add_option_function<std::string>(
          "--position,-p",
          [&args](const std::string& text) {
            args.position = text;
            args.has_position = true;
          },
          "The position in the game's own text, a file that holds it, or - for standard input")
      ->type_name("TEXT|FILE");
  command.add_option("--play", args.play, "A move to play first; repeat for more moves")
      ->type_name("MOVE")
      ->allow_extra_args(false);
  command.add_flag("--json", args.json, "Print JSON");
}

void add_position_options(CLI::App& command, PositionArgs& args) {
  command.add_option("SPEC", args.spec, "The game and its options")->required();
  add_position_choice(command, args);
}

void add_tables_option(CLI::App& command, std::string& folder) {
  command.add_option("--tables", folder, "The folder of tables of perfect play (default: the user's own)")
      ->type_name("FOLDER");
}

CLI::Option* add_number(CLI::App& command, const std::string& name, int& value, const std::string& meaning, int least,
                        int most) {
  return command
      .add_option_function<std::string>(
          name,
          [&value, name, least, most](const std::string& text) {
            const auto number = parse_int(text);
            if (!number || *number < least || *number > most) {
              throw CLI::ValidationError(
                  name, fmt::format("must be a whole number from {} to {}, not {}", least, most, in_quotes(text)));
            }
            value = static_cast<int>(*number);
          },
          meaning)
      ->type_name("NUMBER");
}

void add_max_empty_option(CLI::App& command, int& max_empty) {
  constexpr int max_squares = 64;
  add_number(command, "--max-empty", max_empty,
             fmt::format("Othello: search positions with at most this many empty squares to the end ({})", max_empty),
             0, max_squares);
}

namespace {

void add_review(CLI::App& app, ReviewArgs& args, std::function<int()>& chosen) {
  auto* r = app.add_subcommand("review", "What perfect play, or else the engine, says about every move of a game");
  r->add_option("FILE", args.file, "The file with the game, in any format that `paika convert` reads")->required();
  add_number(*r, "--game", args.game, "Which game of the file (1)", 1, max_number);
  add_tables_option(*r, args.tables);
  add_max_empty_option(*r, args.max_empty);
  r->add_flag("--exact", args.exact, "Judge only what is certain, without the engine");
  add_number(*r, "--time-ms", args.time_ms, "Time for all searches of the engine together, in ms (15000)", 1,
             max_number);
  r->add_flag("--ascii", args.ascii, "ASCII characters only");
  r->add_flag("--json", args.json, "Print JSON");
  r->callback([&] { chosen = [&] { return run_review(args); }; });
}

void add_openings(CLI::App& app, OpeningsArgs& args, std::function<int()>& chosen) {
  constexpr int max_plies = 99;
  auto* o = app.add_subcommand("openings", "Openings that are proven fair: MOVES<TAB>POSITION");
  add_position_options(*o, args.at);
  add_number(*o, "--plies", args.plies, "Number of moves (4)", 0, max_plies);
  add_number(*o, "--count", args.count, "Number of openings (20)", 1, max_number);
  add_number(*o, "--seed", args.seed, "The same seed, the same openings (1)", 0, max_number);
  o->add_flag(
      "--equal", args.equal,
      "Not drawn openings, but openings of equal value for either colour to move; a third column shows the value");
  add_tables_option(*o, args.tables);
  o->callback([&] { chosen = [&] { return run_openings(args); }; });
}

void add_convert(CLI::App& app, ConvertArgs& args, std::function<int()>& chosen) {
  std::string about = "The formats:";
  for (const study::FormatInfo& format : study::formats())
    about += fmt::format("\n  {:<12}{}", format.name, format.about);
  auto* c = app.add_subcommand("convert", "Read games in one format and write them in another (docs/records.md)");
  c->footer(about);
  c->add_option("FILE", args.file, "The file with the games; - for standard input")->required();
  c->add_option("--to", args.to, "The format to write (tree)")->type_name("FORMAT");
  c->add_option("--from", args.from, "The format of the file (default: what it looks like)")->type_name("FORMAT");
  c->add_option("--game", args.spec, "The game, for formats that do not tell")->type_name("SPEC");
  c->add_option("--output,-o", args.output, "Write to this file instead of standard output")->type_name("FILE");
  c->callback([&] { chosen = [&] { return run_convert(args); }; });
}

void add_puzzles(CLI::App& app, PuzzlesArgs& args, std::function<int()>& chosen) {
  auto* p = app.add_subcommand("puzzles", "Positions with exactly one solution, proven (docs/study.md)");
  p->require_subcommand(1);
  auto* m = p->add_subcommand("make", "Play games, find puzzles in them and print those");
  m->add_option("SPEC", args.spec, "The game and its options")->required();
  add_number(*m, "--count", args.count, "Number of puzzles (20)", 1, max_number);
  add_number(*m, "--seed", args.seed, "The same seed, the same puzzles (1)", 0, max_number);
  add_number(*m, "--depth", args.depth, "Without a table: prove by searching this many moves ahead (5)", 1, 30);
  add_number(*m, "--min-plies", args.min_plies, "Moves of a game before its first puzzle, to twice as many (4)", 0,
             max_number);
  add_number(*m, "--max-empty", args.max_empty, "Othello: positions with at most this many empty squares (12)", 1, 20);
  add_tables_option(*m, args.tables);
  m->callback([&] { chosen = [&] { return run_puzzles_make(args); }; });
  auto* v = p->add_subcommand("verify", "Prove every puzzle of a file again; exit status 1 if one is wrong");
  v->add_option("FILE", args.file, "The file of puzzles")->required();
  add_number(*v, "--sample", args.sample, "Only every Nth puzzle (1: all)", 1, max_number);
  add_number(*v, "--threads", args.threads, "Number of threads (1)", 1, max_search_threads);
  add_tables_option(*v, args.tables);
  v->callback([&] { chosen = [&] { return run_puzzles_verify(args); }; });
}

}  // namespace

void add_study_commands(CLI::App& app, StudyArgs& args, std::function<int()>& chosen) {
  add_review(app, args.review, chosen);
  add_openings(app, args.openings, chosen);
  add_convert(app, args.convert, chosen);
  add_puzzles(app, args.puzzles, chosen);
}

}  // namespace paika::apps
