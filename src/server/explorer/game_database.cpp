#include "server/explorer/game_database.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <utility>

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming): xxhash.h names it
#include <xxhash.h>

#include "base/check.hpp"
#include "base/text.hpp"
#include "database/files.hpp"
#include "database/sqlite.hpp"
#include "engine/canonical_keys.hpp"
#include "server/explorer/facts.hpp"
#include "server/explorer/segments.hpp"
#include "study/game_tree.hpp"

namespace paika::server {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t games_id = 0x50614762;  // "PaGb"; the layout has it in decimal
constexpr std::int64_t games_version = 1;

constexpr Sql games_layout = R"sql(
CREATE TABLE specs (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE) STRICT;
CREATE TABLE sources (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  identity INTEGER NOT NULL UNIQUE,
  source INTEGER NOT NULL REFERENCES sources (id),
  start TEXT NOT NULL,
  moves TEXT NOT NULL
) STRICT;
CREATE TABLE facts (chunk INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;

CREATE TABLE segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  level INTEGER NOT NULL,
  first_block INTEGER NOT NULL,
  blocks INTEGER NOT NULL,
  postings INTEGER NOT NULL
) STRICT;
CREATE TABLE blocks (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE mark (id INTEGER PRIMARY KEY CHECK (id = 1), text TEXT NOT NULL) STRICT;

PRAGMA application_id = 1348552546;
PRAGMA user_version = 1;
)sql";

std::int64_t one_number(Query query) { return query.next() ? query.number(0) : 0; }

/// What makes a game this game: the same one read from another file is the same.
std::int64_t identity_of(const NewGame& game, const std::string& moves) {
  if (!game.identity.empty()) return static_cast<std::int64_t>(XXH3_64bits(game.identity.data(), game.identity.size()));
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_64bits_reset(&state);
  const std::string facts = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", game.game->notation().spec(), game.start,
                                        game.players[0], game.players[1], game.day, name(game.verdict));
  XXH3_64bits_update(&state, facts.data(), facts.size());
  XXH3_64bits_update(&state, moves.data(), moves.size());
  return static_cast<std::int64_t>(XXH3_64bits_digest(&state));
}

std::uint16_t short_rating(int rating) { return static_cast<std::uint16_t>(std::clamp(rating, 0, 65535)); }

void count(ResultCounts& counts, Verdict verdict) {
  switch (verdict) {
    case Verdict::first_wins: ++counts.first_wins; break;
    case Verdict::second_wins: ++counts.second_wins; break;
    case Verdict::draw: ++counts.draws; break;
    case Verdict::ongoing: ++counts.unfinished; break;
  }
}

/// The result as if the players had changed sides.
Verdict turned(Verdict verdict) {
  if (verdict == Verdict::first_wins) return Verdict::second_wins;
  return verdict == Verdict::second_wins ? Verdict::first_wins : verdict;
}

}  // namespace

// ---- Days ----

std::optional<Day> read_day(std::string_view text) {
  std::array<std::int64_t, 3> parts = {0, 1, 1};
  text = trimmed(text).substr(0, trimmed(text).find_first_of(" T_"));
  const char separator = text.find('.') != std::string_view::npos ? '.' : '-';
  const auto fields = split(text, separator);
  if (fields.size() > parts.size() || fields[0].size() != 4) return std::nullopt;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0 && fields[i] == "??") break;  // as PGN writes what it does not know
    const auto number = parse_int(fields[i]);
    if (!number || *number < 0 || *number > 9999) return std::nullopt;
    parts[i] = *number;
  }
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(parts[0])),
                                         std::chrono::month(static_cast<unsigned>(parts[1])),
                                         std::chrono::day(static_cast<unsigned>(parts[2]))};
  if (!date.ok()) return std::nullopt;
  return static_cast<Day>(std::chrono::sys_days(date).time_since_epoch().count());
}

std::string day_text(Day day) {
  if (day == 0) return "";
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

NewGame new_game(const study::GameTree& tree, std::string_view source) {
  NewGame game;
  game.game = tree.game_ptr();
  game.start = tree.start();
  game.players = tree.players();
  game.ratings = {static_cast<int>(parse_int(tree.tag("FirstRating")).value_or(0)),
                  static_cast<int>(parse_int(tree.tag("SecondRating")).value_or(0))};
  game.day = read_day(tree.tag("Date")).value_or(0);
  game.verdict = tree.result().verdict;
  game.source = source;
  for (const std::size_t i : tree.main_line()) {
    game.turns.push_back(tree.node(i).turn);
    game.moves.push_back(tree.node(i).move);
  }
  return game;
}

// ---- The file ----

class GameDatabase::Impl {
 public:
  Impl(const std::string& path, Mode mode)
      : database_(connect_sqlite(path, mode == Mode::writer ? Access::owner : Access::reader)), facts_(database_) {}

  Result<void> prepare(Mode mode) {
    const std::int64_t mark = one_number(database_.query("PRAGMA application_id"));
    const std::int64_t version = one_number(database_.query("PRAGMA user_version"));
    const bool empty = one_number(database_.query("SELECT count(*) FROM sqlite_schema")) == 0;
    if (mode == Mode::reader) {
      if (mark != games_id) return not_ours();
      database_.run_once("PRAGMA query_only = ON; PRAGMA mmap_size = 268435456");
    } else if (mark == 0 && version == 0 && empty) {
      database_.run_once("PRAGMA page_size = 8192");
      write_ahead();
      Transaction transaction(database_);
      database_.run_once(games_layout);
      transaction.finish();
      return {};
    } else if (mark != games_id) {
      return not_ours();
    } else {
      write_ahead();
    }
    if (version == games_version) return {};
    return fail("{} has the layout version {}; this program reads version {}", in_quotes(database_.name(), 200),
                version, games_version);
  }

  AddCounts add(std::span<const NewGame> games, const std::optional<std::string>& mark) {
    try {
      return try_add(games, mark);
    } catch (...) {
      // What was undone must not stay in memory.
      facts_.forget();
      for (auto* names : {&specs_, &sources_, &players_}) names->clear();
      throw;
    }
  }

  std::string mark() {
    Query row = database_.query("SELECT text FROM mark");
    return row.next() ? row.text(0) : "";
  }

  Exploration explore(const Session& session, const GameFilter& filter, std::size_t recent);
  DatabaseStats stats();

 private:
  AddCounts try_add(std::span<const NewGame> games, const std::optional<std::string>& mark) {
    AddCounts counts;
    Transaction transaction(database_);
    const auto first = static_cast<std::uint32_t>(one_number(database_.query("SELECT max(id) FROM games")) + 1);
    std::vector<GameFact> facts;
    std::vector<Posting> postings;
    for (const NewGame& game : games) {
      const auto number = first + static_cast<std::uint32_t>(facts.size());
      if (!insert(game, number)) {
        ++counts.known;
        continue;
      }
      facts.push_back(fact_of(game));
      put_postings(game, number, postings);
    }
    counts.added = facts.size();
    facts_.append(first, facts);
    add_segment(database_, std::move(postings));
    if (mark) database_.run("INSERT OR REPLACE INTO mark (id, text) VALUES (1, ?)", *mark);
    transaction.finish();
    return counts;
  }

  [[nodiscard]] Result<void> not_ours() const {
    return fail("{} is not a database of games; `paika db import` makes one", in_quotes(database_.name(), 200));
  }

  /// A commit may be lost with the machine's power, but never half of one: games can be imported again.
  void write_ahead() {
    static_cast<void>(one_text("PRAGMA journal_mode = WAL"));
    database_.run_once("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY");
  }
  std::string one_text(Sql sql) {
    Query row = database_.query(sql);
    return row.next() ? row.text(0) : "";
  }

  /// False if the game is there already.
  bool insert(const NewGame& game, std::uint32_t number) {
    const std::string moves = fmt::format("{}", fmt::join(game.moves, " "));
    return database_.run("INSERT OR IGNORE INTO games (id, identity, source, start, moves) VALUES (?, ?, ?, ?, ?)",
                         number, identity_of(game, moves), source_id(game.source), game.start, moves) > 0;
  }

  GameFact fact_of(const NewGame& game) {
    GameFact fact;
    fact.spec = static_cast<std::uint16_t>(spec_id(game.game->notation().spec()));
    for (std::size_t side = 0; side < 2; ++side) {
      fact.players[side] = player_id(game.players[side]);
      fact.ratings[side] = short_rating(game.ratings[side]);
    }
    fact.day = game.day;
    fact.verdict = static_cast<std::uint8_t>(game.verdict);
    fact.listed = game.listed ? 1 : 0;
    return fact;
  }

  void put_postings(const NewGame& game, std::uint32_t number, std::vector<Posting>& postings) {
    const auto session = game.start.empty() ? game.game->start() : std::move(*game.game->start_from_text(game.start));
    CanonicalKeys& keys = keys_of(*game.game);
    Board board = session->board();
    std::uint64_t key = keys.key(board);
    for (const Turn& turn : game.turns) {
      const std::uint32_t visit = visit_of(number, board);
      session->play(turn);
      board = session->board();
      const std::uint64_t after = keys.key(board);
      postings.push_back({stored_key(key), move_tag(after), visit});
      key = after;
    }
    postings.push_back({stored_key(key), end_tag, visit_of(number, board)});
  }
  static std::uint32_t visit_of(std::uint32_t game, const Board& board) {
    return game * 2 + (board.to_move == Player::second ? 1 : 0);
  }

  CanonicalKeys& keys_of(const Game& game) {
    const std::string spec = game.notation().spec();
    const auto known = keys_.find(spec);
    if (known != keys_.end()) return *known->second;
    return *keys_.emplace(spec, std::make_unique<CanonicalKeys>(game.notation())).first->second;
  }

  std::uint32_t spec_id(const std::string& spec) {
    return remembered(specs_, spec, [&] {
      database_.run("INSERT OR IGNORE INTO specs (spec) VALUES (?)", spec);
      return one_number(database_.query("SELECT id FROM specs WHERE spec = ?", spec));
    });
  }
  std::uint32_t source_id(const std::string& source) {
    return remembered(sources_, source, [&] {
      database_.run("INSERT OR IGNORE INTO sources (name) VALUES (?)", source);
      return one_number(database_.query("SELECT id FROM sources WHERE name = ?", source));
    });
  }
  std::uint32_t player_id(const std::string& player) {
    if (player.empty()) return 0;
    return remembered(players_, player, [&] {
      database_.run("INSERT OR IGNORE INTO players (name) VALUES (?)", player);
      return one_number(database_.query("SELECT id FROM players WHERE name = ?", player));
    });
  }
  template <class Find>
  std::uint32_t remembered(std::map<std::string, std::uint32_t>& known, const std::string& text, Find find) {
    const auto found = known.find(text);
    if (found != known.end()) return found->second;
    const auto id = static_cast<std::uint32_t>(find());
    constexpr std::size_t max_known = 100'000;
    if (known.size() >= max_known) known.clear();
    known.emplace(text, id);
    return id;
  }

  [[nodiscard]] std::vector<ExploredMove> legal_moves(const Session& session, std::vector<std::uint32_t>& tags);
  [[nodiscard]] GameRow game_row(std::uint32_t game);

  Database database_;
  GameFacts facts_;
  std::int64_t data_version_ = 0;  // of the file when facts were read
  std::map<std::string, std::unique_ptr<CanonicalKeys>> keys_;
  std::map<std::string, std::uint32_t> specs_, sources_, players_;
};

// ---- Questions ----

namespace {

/// More moves than this are not looked through: a few Fanorona positions have millions.
constexpr std::size_t max_explored = 2'000;

/// True if a game with these facts is asked for.
bool fits(const GameFact& fact, const GameFilter& filter, std::uint32_t player) {
  if (filter.listed_only && fact.listed == 0) return false;
  if (filter.since != 0 && fact.day < filter.since) return false;
  if (filter.until != 0 && (fact.day > filter.until || fact.day == 0)) return false;
  if (filter.player.empty()) return true;
  const bool first = fact.players[0] == player && filter.colour != Player::second;
  const bool second = fact.players[1] == player && filter.colour != Player::first;
  return first || second;
}

/// A move being counted.
struct MoveCount {
  ResultCounts results;
  std::uint64_t rating_sum = 0;
  std::uint64_t rated = 0;
  Day last = 0;
};

}  // namespace

/// The legal moves, those that come to the same position up to symmetry as one, with the tags they are stored by.
std::vector<ExploredMove> GameDatabase::Impl::legal_moves(const Session& session, std::vector<std::uint32_t>& tags) {
  std::vector<ExploredMove> moves;
  CanonicalKeys& keys = keys_of(session.game());
  const auto after = session.clone();
  session.for_each_turn([&](const ListedTurn& turn) {
    after->play(turn.steps);
    const std::uint32_t tag = move_tag(keys.key(after->board()));
    after->undo();
    const auto same = std::find(tags.begin(), tags.end(), tag);
    if (same != tags.end()) {
      moves[static_cast<std::size_t>(same - tags.begin())].same.push_back(turn.text);
    } else {
      tags.push_back(tag);
      moves.emplace_back().move = turn.text;
    }
    return moves.size() < max_explored;
  });
  return moves;
}

GameRow GameDatabase::Impl::game_row(std::uint32_t game) {
  const GameFact fact = facts_.at(game);
  GameRow row;
  row.id = game;
  row.day = fact.day;
  row.verdict = fact.result();
  row.ratings = {fact.ratings[0], fact.ratings[1]};
  Query spec = database_.query("SELECT spec FROM specs WHERE id = ?", fact.spec);
  if (spec.next()) row.spec = spec.text(0);
  for (std::size_t side = 0; side < 2; ++side) {
    Query name = database_.query("SELECT name FROM players WHERE id = ?", fact.players[side]);
    if (name.next()) row.players[side] = name.text(0);
  }
  Query source = database_.query("SELECT name FROM games g JOIN sources s ON s.id = g.source WHERE g.id = ?", game);
  if (source.next()) row.source = source.text(0);
  return row;
}

Exploration GameDatabase::Impl::explore(const Session& session, const GameFilter& filter, std::size_t recent) {
  Transaction transaction(database_);
  if (const std::int64_t version = one_number(database_.query("PRAGMA data_version")); version != data_version_) {
    facts_.forget();
    data_version_ = version;
  }
  const auto player = filter.player.empty() ? std::uint32_t{0}
                                            : static_cast<std::uint32_t>(one_number(database_.query(
                                                  "SELECT id FROM players WHERE name = ?", filter.player)));
  std::vector<std::uint32_t> tags;
  std::vector<ExploredMove> moves = legal_moves(session, tags);
  const bool second_to_move = session.board().to_move == Player::second;
  std::map<std::uint32_t, MoveCount> counted;
  std::vector<std::pair<Day, std::uint32_t>> games;
  Exploration answer;
  if (filter.player.empty() || player != 0) {
    visit_postings(database_, stored_key(keys_of(session.game()).key(session.board())), [&](const Posting& posting) {
      const GameFact& fact = facts_.at(posting.visit / 2);
      if (!fits(fact, filter, player)) return;
      // Where symmetry exchanges the players, the one to move here was the other one there.
      const bool was_second = posting.visit % 2 == 1;
      const Verdict verdict = was_second == second_to_move ? fact.result() : turned(fact.result());
      MoveCount& move = counted[posting.tag];
      count(move.results, verdict);
      count(answer.results, verdict);
      move.last = std::max(move.last, fact.day);
      if (const std::uint16_t rating = fact.ratings[was_second ? 1 : 0]; rating > 0) {
        move.rating_sum += rating;
        ++move.rated;
      }
      games.emplace_back(fact.day, posting.visit / 2);
    });
  }
  tags.push_back(end_tag);
  moves.emplace_back();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto found = counted.find(tags[i]);
    if (found == counted.end()) continue;
    const MoveCount& move = found->second;
    moves[i].results = move.results;
    moves[i].rating = move.rated == 0 ? 0 : static_cast<int>(move.rating_sum / move.rated);
    moves[i].last = move.last;
    answer.moves.push_back(std::move(moves[i]));
  }
  std::sort(answer.moves.begin(), answer.moves.end(), [](const ExploredMove& a, const ExploredMove& b) {
    if (a.move.empty() != b.move.empty()) return b.move.empty();
    return a.results.games() != b.results.games() ? a.results.games() > b.results.games() : a.move < b.move;
  });
  // A game may have come here more than once.
  const auto shown = std::min(games.size(), recent * 4);
  std::partial_sort(games.begin(), games.begin() + static_cast<std::ptrdiff_t>(shown), games.end(), std::greater<>());
  games.resize(shown);
  games.erase(std::unique(games.begin(), games.end()), games.end());
  for (std::size_t i = 0; i < std::min(games.size(), recent); ++i) answer.recent.push_back(game_row(games[i].second));
  transaction.finish();
  return answer;
}

DatabaseStats GameDatabase::Impl::stats() {
  Transaction transaction(database_);
  facts_.forget();
  DatabaseStats stats;
  const auto last = static_cast<std::uint32_t>(one_number(database_.query("SELECT max(id) FROM games")));
  std::map<std::uint16_t, ResultCounts> by_spec;
  for (std::uint32_t game = 1; game <= last; ++game) {
    const GameFact& fact = facts_.at(game);
    count(by_spec[fact.spec], fact.result());
    if (fact.day == 0) continue;
    stats.first_day = stats.first_day == 0 ? fact.day : std::min(stats.first_day, fact.day);
    stats.last_day = std::max(stats.last_day, fact.day);
  }
  stats.games = last;
  stats.positions = static_cast<std::uint64_t>(one_number(database_.query("SELECT sum(postings) FROM segments")));
  stats.players = static_cast<std::uint64_t>(one_number(database_.query("SELECT count(*) FROM players")));
  for (const auto& [spec, results] : by_spec) {
    Query row = database_.query("SELECT spec FROM specs WHERE id = ?", spec);
    stats.specs.push_back({row.next() ? row.text(0) : "", results});
  }
  std::sort(stats.specs.begin(), stats.specs.end(), [](const auto& a, const auto& b) {
    return a.results.games() != b.results.games() ? a.results.games() > b.results.games() : a.spec < b.spec;
  });
  stats.bytes = static_cast<std::uint64_t>(one_number(database_.query("PRAGMA page_size")) *
                                           one_number(database_.query("PRAGMA page_count")));
  transaction.finish();
  return stats;
}

// ---- The outside ----

Result<std::unique_ptr<GameDatabase>> GameDatabase::open(const std::string& path, Mode mode) {
  const auto real = real_database_file(path);
  if (!real) return tl::unexpected(real.error());
  std::error_code error;
  if (!fs::exists(*real, error)) {
    if (mode == Mode::reader) {
      return fail("there is no file {}; `paika db import` makes a database of games", in_quotes(path, 200));
    }
    if (auto made = make_private_file(*real); !made) return tl::unexpected(made.error());
  }
  try {
    auto impl = std::make_unique<Impl>(*real, mode);
    if (auto prepared = impl->prepare(mode); !prepared) return tl::unexpected(prepared.error());
    return std::unique_ptr<GameDatabase>(new GameDatabase(std::move(impl)));
  } catch (const StoreError& failure) {
    return fail("{}", failure.what());
  }
}

GameDatabase::GameDatabase(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GameDatabase::~GameDatabase() = default;

AddCounts GameDatabase::add(std::span<const NewGame> games, const std::optional<std::string>& mark) {
  return impl_->add(games, mark);
}
std::string GameDatabase::mark() { return impl_->mark(); }
Exploration GameDatabase::explore(const Session& session, const GameFilter& filter, std::size_t recent) {
  return impl_->explore(session, filter, recent);
}
DatabaseStats GameDatabase::stats() { return impl_->stats(); }

}  // namespace paika::server
