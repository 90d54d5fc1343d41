// `paika db`: importing games into a database, and asking it what was played.
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/database_input.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "apps/stderr.hpp"
#include "base/text.hpp"
#include "engine/engine.hpp"
#include "engine/json.hpp"
#include "engine/registry.hpp"
#include "engine/user_folder.hpp"
#include "server/explorer/exploration_json.hpp"
#include "server/explorer/game_database.hpp"
#include "server/room_games.hpp"
#include "study/self_play.hpp"

namespace paika::apps {

namespace {

using server::GameDatabase;

/// Longer files are given in parts.
constexpr std::size_t max_import_bytes = std::size_t{4} << 30;

Result<std::string> games_file(const DbArgs& args) {
  if (args.database.empty()) return user_data_folder("database") + "/games.db";
  return database_file(args.database);
}

Result<std::unique_ptr<GameDatabase>> open_games(const DbArgs& args, GameDatabase::Mode mode) {
  const auto file = games_file(args);
  if (!file) return tl::unexpected(file.error());
  return GameDatabase::open(*file, mode);
}

// ---- Import ----

/// Collects games and adds them in batches, each of which is in the file whole or not at all.
class Importer {
 public:
  explicit Importer(GameDatabase& database) : database_(database) {}

  void add(server::NewGame game) {
    positions_ += game.turns.size() + 1;
    waiting_.push_back(std::move(game));
    if (positions_ >= batch_positions) flush();
  }
  void flush() {
    const server::AddCounts counts = database_.add(waiting_);
    added_ += counts.added;
    known_ += counts.known;
    waiting_.clear();
    positions_ = 0;
  }
  /// Says what is wrong with a game, and leaves it out.
  void refuse(std::string_view where, const Error& error) {
    to_stderr(fmt::format("paika: {}: {}\n", where, error.message));
    ++bad_;
  }

  [[nodiscard]] std::size_t bad() const noexcept { return bad_; }
  [[nodiscard]] std::string summary() const {
    return fmt::format("{} game{} added, {} already there, {} bad\n", added_, added_ == 1 ? "" : "s", known_, bad_);
  }

 private:
  static constexpr std::size_t batch_positions = 500'000;
  GameDatabase& database_;
  std::vector<server::NewGame> waiting_;
  std::size_t positions_ = 0, added_ = 0, known_ = 0, bad_ = 0;
};

Result<void> import_file(const std::string& path, const DbArgs& args, Importer& importer) {
  const auto files = read_file_parts(path, max_import_bytes);
  if (!files) return tl::unexpected(files.error());
  const std::string where = path == "-" ? "standard input" : in_quotes(path, 200);
  const std::string source = path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
  const auto read = study::for_each_game(*files, {args.from, args.spec}, [&](const Result<study::GameTree>& tree) {
    if (!tree) return importer.refuse(where, tree.error());
    importer.add(server::new_game(*tree, source));
  });
  if (!read) return fail("{}: {}", where, read.error().message);
  return {};
}

Result<void> import_server(const std::string& path, Importer& importer) {
  constexpr std::size_t rooms_per_query = 500;
  const auto store = server::Store::open(path, server::Store::Mode::reader);
  if (!store) return tl::unexpected(store.error());
  server::RoomPlace place;
  for (bool more = true; more;) {
    const auto rows = (*store)->ended_rooms(place, server::wall_now(), rooms_per_query);
    for (const server::RoomRow& row : rows) {
      if (!row.listed) continue;
      auto game = server::game_of_room(**store, row, server::PlayerNames::names);
      if (game) importer.add(std::move(*game));
    }
    more = rows.size() == rooms_per_query;
    if (more) place = {rows.back().changed, rows.back().id};
  }
  return {};
}

Result<void> import_selfplay(const DbArgs& args, Importer& importer, const std::stop_token& stop) {
  const auto game = open_game(args.selfplay);
  if (!game) return tl::unexpected(game.error());
  SearchSettings settings;
  settings.level = std::max(1, args.level);
  settings.seed = static_cast<std::uint64_t>(args.seed);
  const auto engine = args.level > 0 ? (*game)->engine(settings) : nullptr;
  const std::string name = args.level > 0 ? fmt::format("Paika, level {}", args.level) : "chance";
  Random random(static_cast<std::uint64_t>(args.seed));
  Progress progress("self-play");
  for (int i = 0; i < args.games; ++i) {
    auto tree = study::self_play(*game, engine.get(), random, {}, stop);
    if (!tree) break;
    for (std::size_t side = 0; side < 2; ++side) tree->set_player(side, name);
    importer.add(server::new_game(*tree, "self-play"));
    progress.update(static_cast<double>(i + 1) / args.games);
  }
  return {};
}

// ---- Explore ----

Result<server::Day> day_of(std::string_view option, const std::string& text) {
  if (text.empty()) return server::Day{0};
  const auto day = server::read_day(text);
  if (day) return *day;
  return fail("{} takes a day such as 2026-11-18, a month such as 2026-11 or a year, not {}", option, in_quotes(text));
}

Result<server::GameFilter> filter_of(const DbArgs& args) {
  server::GameFilter filter;
  filter.player = args.player;
  if (!args.colour.empty()) {
    if (args.player.empty()) return fail("--colour needs --player");
    if (args.colour != "first" && args.colour != "second")
      return fail("--colour takes first or second, not {}", in_quotes(args.colour));
    filter.colour = args.colour == "first" ? Player::first : Player::second;
  }
  const auto since = day_of("--since", args.since);
  const auto until = day_of("--until", args.until);
  if (!since) return tl::unexpected(since.error());
  if (!until) return tl::unexpected(until.error());
  filter.since = *since;
  filter.until = *until;
  return filter;
}

/// What the engine thinks of the moves of a position, by their texts, for the player to move.
std::map<std::string, std::string> engine_values(const Session& session, int time_ms) {
  std::map<std::string, std::string> values;
  if (session.outcome().over()) return values;
  constexpr std::uint64_t max_lines = 200;
  SearchSettings settings;
  settings.lines = static_cast<int>(session.count_turns_up_to(max_lines));
  SearchLimits limits;
  limits.move_time = Milliseconds(time_ms);
  const Decision decision = session.game().engine(settings)->think(session, limits);
  for (const InfoLine& line : decision.info.lines) values[line.texts.front()] = score_text(line);
  return values;
}

double per_cent(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

void print_row(std::string_view move, const server::ResultCounts& results, int rating, std::string_view last,
               std::string_view value) {
  const std::uint64_t all = results.games();
  std::string line =
      fmt::format("{:<12} {:>8} {:>6.1f} {:>6.1f} {:>6.1f} {:>6} {:<10} {}", move, all,
                  per_cent(results.first_wins, all), per_cent(results.draws, all), per_cent(results.second_wins, all),
                  rating == 0 ? "" : fmt::to_string(rating), last, value);
  line.erase(line.find_last_not_of(' ') + 1);
  fmt::print("{}\n", line);
}

void print_exploration(const Session& session, const server::Exploration& found,
                       const std::map<std::string, std::string>& values) {
  const Notation& notation = session.notation();
  std::string heading =
      fmt::format("{:<12} {:>8} {:>6} {:>6} {:>6} {:>6} {:<10} {}", "move", "games",
                  notation.player_name(Player::first).substr(0, 6), "draw",
                  notation.player_name(Player::second).substr(0, 6), "rating", "last", values.empty() ? "" : "value");
  heading.erase(heading.find_last_not_of(' ') + 1);
  fmt::print("{}\n", heading);
  for (const server::ExploredMove& move : found.moves) {
    const auto value = values.find(move.move);
    print_row(move.move.empty() ? "(end)" : move.move, move.results, move.rating, server::day_text(move.last),
              value == values.end() ? "" : value->second);
  }
  print_row("all", found.results, 0, "", "");
  if (found.results.unfinished > 0) fmt::print("{} without a result\n", found.results.unfinished);
}

void print_exploration_json(const Session& session, const server::Exploration& found,
                            const std::map<std::string, std::string>& values) {
  Json json = server::exploration_json(session, found);
  for (Json& move : json["moves"]) {
    const auto value = values.find(move["move"].is_null() ? "" : move["move"].get<std::string>());
    if (value != values.end()) move["value"] = value->second;
  }
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

int run_db_import(const DbArgs& args) {
  if (args.files.empty() && args.server.empty() && args.selfplay.empty())
    return complain("db import takes files of games, --server FILE or --selfplay SPEC");
  const auto database = open_games(args, GameDatabase::Mode::writer);
  if (!database) return complain(database.error().message);
  const Interrupt interrupt;
  Importer importer(**database);
  try {
    Result<void> done;
    for (const std::string& file : args.files) {
      done = import_file(file, args, importer);
      if (!done) break;
    }
    if (done && !args.server.empty()) done = import_server(args.server, importer);
    if (done && !args.selfplay.empty()) done = import_selfplay(args, importer, interrupt.token());
    importer.flush();
    fmt::print("{}", importer.summary());
    if (!done) return complain(done.error().message);
  } catch (const server::StoreError& error) {
    return complain(error.what());
  }
  return finish(importer.bad() == 0 ? exit_done : exit_no);
}

int run_db_explore(const DbArgs& args) {
  const auto session = open_position(args.at);
  if (!session) return complain(session.error().message);
  const auto filter = filter_of(args);
  if (!filter) return complain(filter.error().message);
  const auto database = open_games(args, GameDatabase::Mode::reader);
  if (!database) return complain(database.error().message);
  try {
    const server::Exploration found = (*database)->explore(**session, *filter);
    const auto values = args.values ? engine_values(**session, args.time_ms) : std::map<std::string, std::string>();
    args.at.json ? print_exploration_json(**session, found, values) : print_exploration(**session, found, values);
  } catch (const server::StoreError& error) {
    return complain(error.what());
  }
  return finish(exit_done);
}

int run_db_stats(const DbArgs& args) {
  const auto database = open_games(args, GameDatabase::Mode::reader);
  if (!database) return complain(database.error().message);
  try {
    const server::DatabaseStats stats = (*database)->stats();
    const std::uint64_t per_game = stats.games == 0 ? 0 : stats.bytes / stats.games;
    if (args.json) {
      Json json{{"games", stats.games}, {"positions", stats.positions}, {"players", stats.players},
                {"bytes", stats.bytes}, {"bytes_per_game", per_game},   {"specs", Json::array()}};
      for (const auto& spec : stats.specs)
        json["specs"].push_back({{"spec", spec.spec}, {"results", server::results_json(spec.results)}});
      fmt::print("{}\n", json.dump(2));
      return finish(exit_done);
    }
    fmt::print("{} games, {} positions, {} players\n{} bytes, {} per game\n", stats.games, stats.positions,
               stats.players, stats.bytes, per_game);
    if (stats.last_day != 0)
      fmt::print("from {} to {}\n", server::day_text(stats.first_day), server::day_text(stats.last_day));
    fmt::print("\n{:<30} {:>8} {:>10} {:>8} {:>11} {:>10}\n", "game", "games", "first wins", "draws", "second wins",
               "unfinished");
    for (const auto& [spec, r] : stats.specs) {
      fmt::print("{:<30} {:>8} {:>10} {:>8} {:>11} {:>10}\n", spec, r.games(), r.first_wins, r.draws, r.second_wins,
                 r.unfinished);
    }
  } catch (const server::StoreError& error) {
    return complain(error.what());
  }
  return finish(exit_done);
}

}  // namespace paika::apps
