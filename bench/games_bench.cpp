// How fast games of self-play are imported into a database, how large it becomes and how fast it answers, on one
// thread.
//
// usage: games_bench [--games N] [--spec SPEC] [--format FORMAT] [--file FILE] [--seed N]
// The games are played by chance and written in the format first (transcript for Othello, tree for all games);
// importing reads, checks and indexes that text. A thousand players take turns, on days of ten years, so that questions
// can be filtered.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>

#include "base/random.hpp"
#include "engine/registry.hpp"
#include "server/explorer/game_database.hpp"
#include "study/formats.hpp"
#include "study/self_play.hpp"

namespace paika {
namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

constexpr std::size_t games_per_file = 5'000;
constexpr std::size_t players = 1'000;
constexpr std::size_t days = 3'650;
constexpr server::Day first_day = 17'000;

std::string player_name(std::size_t number) { return fmt::format("player {}", number % players); }

/// What was asked, and how long the answer took.
struct Asked {
  double ms = 0;
  std::string moves;
  std::uint64_t games = 0;
};

void print_asked(const char* title, std::vector<Asked>& asked) {
  std::sort(asked.begin(), asked.end(), [](const Asked& a, const Asked& b) { return a.ms < b.ms; });
  const Asked& slowest = asked.back();
  fmt::print("{}: median {:.2f} ms of {}, slowest {:.2f} ms\n", title, asked[asked.size() / 2].ms, asked.size(),
             slowest.ms);
  fmt::print("  slowest: {} games, after{}\n", slowest.games, slowest.moves.empty() ? " no move" : slowest.moves);
}

struct Bench {
  int games = 100'000;
  std::string spec = "othello";
  std::string format = "transcript";
  std::string file = "games_bench.db";
  std::uint64_t seed = 1;

  [[nodiscard]] std::string make_file(const GamePtr& game, Random& random, std::size_t count) const {
    std::vector<study::GameTree> trees;
    for (std::size_t i = 0; i < count; ++i) trees.push_back(*study::self_play(game, nullptr, random, {}, {}));
    return study::write_games(trees, format).value().front().bytes;
  }

  void import_all(server::GameDatabase& database, const GamePtr& game) const {
    Random random(seed);
    double seconds = 0;
    std::size_t added = 0;
    std::size_t number = 0;
    for (std::size_t left = static_cast<std::size_t>(games); left > 0;) {
      const std::size_t count = std::min(left, games_per_file);
      const std::vector<FilePart> files{{"", make_file(game, random, count)}};
      left -= count;
      const double begin = processor_seconds();
      std::vector<server::NewGame> batch;
      static_cast<void>(study::for_each_game(files, {format, spec}, [&](const Result<study::GameTree>& tree) {
        server::NewGame& added_game = batch.emplace_back(server::new_game(tree.value(), "self-play"));
        added_game.players = {player_name(number), player_name(number / players + number + 1)};
        added_game.day = first_day + static_cast<server::Day>(number % days);
        ++number;
      }));
      added += database.add(batch).added;
      seconds += processor_seconds() - begin;
    }
    fmt::print("import: {} games in {:.1f} s of one processor, {:.0f} games per second\n", added, seconds,
               static_cast<double>(added) / seconds);
  }

  /// Asks at every position of some games.
  void ask(const GamePtr& game, const char* title, const server::GameFilter& filter) const {
    const auto database = server::GameDatabase::open(file, server::GameDatabase::Mode::reader).value();
    Random random(seed);
    std::vector<Asked> asked;
    for (int i = 0; i < 20; ++i) {
      const auto tree = study::self_play(game, nullptr, random, {}, {});
      const auto session = tree->session();
      std::string moves;
      for (const std::size_t node : tree->main_line()) {
        const double begin = processor_seconds();
        const auto found = database->explore(*session, filter);
        asked.push_back({(processor_seconds() - begin) * 1000, moves, found.results.games()});
        if (asked.size() == 1) fmt::print("{}, the first time at the start: {:.2f} ms\n", title, asked.front().ms);
        const Turn& turn = tree->node(node).turn;
        moves += ' ' + session->notation().turn_text(session->board(), turn);
        session->play(turn);
      }
    }
    print_asked(title, asked);
  }

  int run() const {
    const auto game = open_game(spec).value();
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file + end);
    {
      const auto database = server::GameDatabase::open(file, server::GameDatabase::Mode::writer).value();
      import_all(*database, game);
      const server::DatabaseStats stats = database->stats();
      fmt::print("size: {} bytes, {} per game, {} positions\n", stats.bytes, stats.bytes / stats.games,
                 stats.positions);
    }
    ask(game, "all games", {});
    ask(game, "of one player", {player_name(7)});
    ask(game, "of one year", {"", {}, first_day, first_day + 364});
    return 0;
  }
};

}  // namespace
}  // namespace paika

int main(int argc, char** argv) {
  paika::Bench bench;
  CLI::App app{"Imports games into a database and asks it"};
  app.add_option("--games", bench.games);
  app.add_option("--spec", bench.spec);
  app.add_option("--format", bench.format);
  app.add_option("--file", bench.file);
  app.add_option("--seed", bench.seed);
  CLI11_PARSE(app, argc, argv);
  return bench.run();
}
