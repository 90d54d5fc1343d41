// The `paika` program: reads the command line and hands over to the subcommands.
//
// CLI11 is heavy to compile, so it stays in this one translation unit.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <functional>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "base/text.hpp"

#ifndef PAIKA_VERSION
#define PAIKA_VERSION "unknown"
#endif

namespace paika::apps {

namespace {

constexpr int most_depth = 99;
constexpr int most_threads = 256;

const char* const about =
    "Paika: Fanorona, rectangular Abalone, Black & White (Othello) and Two-player Wildebeest.\n"
    "A game is named by a spec: NAME[:OPTION,...], such as fanorona:5x5,sacrifice=off\n"
    "(`paika games` lists names and options).";

const char* const footer =
    "Exit status: 0 done, 1 the answer is no, 2 bad input.\n"
    "Try: paika games; paika show othello; paika moves abalone; paika perft fanorona:5x5 4";

void add_position_options(CLI::App& command, PositionArgs& args) {
  command.add_option("SPEC", args.spec, "The game and its options")->required();
  command
      .add_option_function<std::string>(
          "--position,-p",
          [&args](const std::string& text) {
            args.position = text;
            args.has_position = true;
          },
          "The position in the game's own text, a file that holds it, or - for standard input")
      ->type_name("TEXT");
  command.add_option("--play", args.play, "One turn to play first; give it again for more turns")
      ->type_name("TURN")
      ->allow_extra_args(false);
  command.add_flag("--json", args.json, "JSON for machines");
}

/// A whole number in decimal. CLI11's own reading takes 010 for eight and says of "x" that it is too large.
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

/// CLI11 repeats the user's words as they were; here they are made safe to print, and short.
std::string printable(std::string_view text) {
  constexpr std::size_t most = 300;
  std::string out;
  for (const char c : text.substr(0, most)) out += c == '\n' || (c >= 0x20 && c < 0x7f) ? c : '?';
  return text.size() > most ? out + "..." : out;
}

/// Every subcommand with the arguments it fills and what to run; lives as long as the parsing.
struct CommandLine {
  CLI::App app{about, "paika"};
  GamesArgs games;
  PositionArgs show;
  MovesArgs moves;
  PerftArgs perft;
  WhyArgs why;
  std::function<int()> chosen;

  CommandLine() {
    app.footer(footer);
    app.set_version_flag("--version", "paika " PAIKA_VERSION);
    app.require_subcommand(0, 1);
    add_looking();
    add_perft();
  }

  void add_looking() {
    auto* g = app.add_subcommand("games", "List the games, their sizes and options");
    g->add_option("NAME", games.name, "Only this game");
    g->add_flag("--json", games.json, "JSON for machines");
    g->callback([this] { chosen = [this] { return run_games(games); }; });

    auto* s = app.add_subcommand("show", "Show a position");
    add_position_options(*s, show);
    s->callback([this] { chosen = [this] { return run_show(show); }; });

    auto* m = app.add_subcommand("moves", "List every legal turn, one a line: MOVE<TAB>POSITION-AFTER");
    add_position_options(*m, moves.at);
    m->add_flag("--effects", moves.effects, "Also list what each turn does, in order");
    m->callback([this] { chosen = [this] { return run_moves(moves); }; });

    auto* w = app.add_subcommand("why", "Is this turn legal, and if not, which clause forbids it?");
    add_position_options(*w, why.at);
    w->add_option("MOVE", why.move, "The turn in question")->required();
    w->callback([this] { chosen = [this] { return run_why(why); }; });
  }

  void add_perft() {
    auto* p = app.add_subcommand("perft", "Count the lines of 1 to DEPTH turns: one line a depth, DEPTH NODES");
    add_position_options(*p, perft.at);
    add_number(*p, "DEPTH", perft.depth, "How many turns", 0, most_depth)->required();
    add_number(*p, "--threads", perft.threads, "How many threads", 1, most_threads);
    p->add_flag("--divide", perft.divide, "Only DEPTH, with the count under each first turn");
    p->add_flag("--finished", perft.finished, "A third column: games that were over before that depth");
    p->callback([this] { chosen = [this] { return run_perft_command(perft); }; });
  }
};

/// What to say when the first word is no subcommand; nothing if that is not what was wrong.
std::optional<std::string> unknown_command(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (argc < 2 || argv[1][0] == '-' || std::find(names.begin(), names.end(), argv[1]) != names.end()) return {};
  return fmt::format("there is no command {}{}; the commands are {}", in_quotes(argv[1]), did_you_mean(argv[1], names),
                     listed(names, "and"));
}

int run(int argc, char** argv) {
  CommandLine line;
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    line.app.exit(help);
    return finish(exit_done);
  } catch (const CLI::ParseError& error) {
    if (const auto unknown = unknown_command(line.app, argc, argv)) return complain(*unknown);
    return complain(fmt::format("{}\nRun with --help for what is valid.", printable(error.what())));
  }
  if (line.chosen) return line.chosen();
  fmt::print("{}", line.app.help());
  return finish(exit_done);
}

}  // namespace

}  // namespace paika::apps

int main(int argc, char** argv) {
  try {
    return paika::apps::run(argc, argv);
  } catch (const std::exception& error) {
    // No input leads here but one that exhausts memory; say so instead of dying mutely.
    fmt::print(stderr, "paika: {}\n", error.what());
    return paika::apps::exit_bad_input;
  }
}
