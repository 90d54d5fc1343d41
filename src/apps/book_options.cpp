// The command line of `paika book`.
#include <CLI/CLI.hpp>

#include "apps/options.hpp"
#include "search/types.hpp"

namespace paika::apps {

namespace {

constexpr int max_book_moves = 255;

void add_grow_options(CLI::App& command, BookArgs& args) {
  command.add_option("FILE", args.book, "The book; a new one begins as the game's built-in book")->required();
  command.add_option("--game", args.game, "The game of a new book")->type_name("SPEC");
  command.add_flag("--empty", args.empty, "A new book begins with nothing");
  add_number(command, "--positions", args.positions, "Stop when the book has this many positions", 1, max_number);
  command.add_option("--time", args.time, "Stop after this time: 30s, 90min")->type_name("TIME");
  add_number(command, "--nodes", args.nodes, "Search this many positions for each move (500000)", 1, max_number);
  add_number(command, "--moves", args.moves, "Moves of a new position that are searched (4)", 1, max_book_moves);
  command
      .add_option("--loss-weight", args.loss_weight,
                  "A piece given away makes a line as unlikely as this many more moves (2)")
      ->type_name("NUMBER");
  add_number(command, "--threads", args.threads, "Number of searches at the same time", 1, max_search_threads);
  add_number(command, "--hash", args.hash_mb, "Megabytes of memory for each search (16)", 1, max_hash_mb);
  add_number(command, "--save-every", args.save_every, "Seconds between saves (60)", 0, max_number);
}

}  // namespace

void add_book_commands(CLI::App& app, BookArgs& args, std::function<int()>& chosen) {
  auto* b = app.add_subcommand("book", "Opening books: grow them, look into them, verify them (docs/book.md)");
  b->require_subcommand(1);
  const auto add = [&](const std::string& name, const std::string& about) {
    auto* command = b->add_subcommand(name, about);
    command->callback([&args, &chosen, name] {
      args.what = name;
      chosen = [&args] { return run_book(args); };
    });
    return command;
  };
  add_grow_options(*add("grow", "Add positions, the most important first; Ctrl-C saves and stops"), args);
  auto* s = add("show", "The moves that a book knows in a position: MOVE<TAB>SCORE");
  auto* v = add("verify", "Check that positions and values follow from the moves, and search some again");
  for (auto* command : {s, v}) {
    command->add_option("BOOK", args.book, "A file, or a game whose built-in book is meant")->required();
  }
  add_position_choice(*s, args.at);
  add_number(*v, "--sample", args.sample, "Positions that are searched again (20)", 0, max_number);
  add_number(*v, "--seed", args.seed, "The same seed, the same positions (1)", 0, max_number);
  add_number(*v, "--tolerance", args.tolerance, "Pieces by which a score may differ from the new one (8)", 0,
             max_number);
}

}  // namespace paika::apps
