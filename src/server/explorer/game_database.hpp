// GameDatabase: games in one SQLite file, and what was played in every position of them.
//
// Positions are found up to symmetry (engine/canonical_keys.hpp), and moves are answered in the orientation of the
// question. A game that is there already is not added again. Each add() is one transaction, so an interrupted import
// leaves a file with whole batches of games in it. One connection; to be used by one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/game.hpp"
#include "rules/outcome.hpp"

namespace paika::study {
class GameTree;
}

namespace paika::server {

/// Days since 1970-01-01; 0: not known.
using Day = std::int32_t;
/// Reads "2026-11-18", "2026.11.18", "2026-11" and "2026"; nothing if it is none of them.
[[nodiscard]] std::optional<Day> read_day(std::string_view text);
/// "2026-11-18"; "" of day 0.
[[nodiscard]] std::string day_text(Day day);

/// A game to be added. Its moves are legal.
struct NewGame {
  GamePtr game;
  std::string start;                   // canonical position text; empty: the game's own start
  std::array<std::string, 2> players;  // may be empty
  std::array<int, 2> ratings{};        // 0: not known
  Day day = 0;
  Verdict verdict = Verdict::ongoing;
  std::string source;      // where it comes from: a file, a room
  std::string identity{};  // what makes it this game, such as its room; empty: all of the above and the moves
  bool listed = true;      // anybody may know of it, not only its players
  std::vector<Turn> turns;
  std::vector<std::string> moves;  // the same as canonical texts
};

/// The main line of a tree; its date and ratings are those of the tags Date, FirstRating and SecondRating.
[[nodiscard]] NewGame new_game(const study::GameTree& tree, std::string_view source);

struct AddCounts {
  std::size_t added = 0;
  std::size_t known = 0;  // were there already
};

struct GameFilter {
  std::string player{};            // a name, in any case; empty: anybody
  std::optional<Player> colour{};  // of that player
  Day since = 0;                   // 0: from ever
  Day until = 0;                   // 0: for ever; else this day is the last
  bool listed_only = false;
};

/// How games ended.
struct ResultCounts {
  std::uint64_t first_wins = 0;
  std::uint64_t draws = 0;
  std::uint64_t second_wins = 0;
  std::uint64_t unfinished = 0;

  [[nodiscard]] std::uint64_t games() const noexcept { return first_wins + draws + second_wins + unfinished; }
  friend bool operator==(const ResultCounts&, const ResultCounts&) = default;
};

struct ExploredMove {
  std::string move;               // empty: the games ended here
  std::vector<std::string> same;  // other moves that come to the same by symmetry
  ResultCounts results;
  int rating = 0;  // of those who played it, on average; 0: not known
  Day last = 0;    // when it was last played
};

struct GameRow {
  std::int64_t id = 0;
  std::string spec;
  std::array<std::string, 2> players;
  std::array<int, 2> ratings{};
  Verdict verdict = Verdict::ongoing;
  Day day = 0;
  std::string source;
};

struct Exploration {
  ResultCounts results;             // of all games that came here
  std::vector<ExploredMove> moves;  // those played most first
  std::vector<GameRow> recent;      // the latest of the games
};

struct DatabaseStats {
  std::uint64_t games = 0;
  std::uint64_t positions = 0;  // counted once for every game and move
  std::uint64_t players = 0;
  std::uint64_t bytes = 0;
  Day first_day = 0;
  Day last_day = 0;
  struct Spec {
    std::string spec;
    ResultCounts results;
  };
  std::vector<Spec> specs;  // those with the most games first
};

class GameDatabase {
 public:
  enum class Mode : unsigned char { writer, reader };

  /// Opens the file; a writer makes it if there is none.
  [[nodiscard]] static Result<std::unique_ptr<GameDatabase>> open(const std::string& path, Mode mode);
  GameDatabase(const GameDatabase&) = delete;
  GameDatabase& operator=(const GameDatabase&) = delete;
  ~GameDatabase();

  /// Adds games in one transaction. `mark`: a text that is kept with them, by which an interrupted writer knows how far
  /// it came. Throws StoreError; then nothing was added.
  AddCounts add(std::span<const NewGame> games, const std::optional<std::string>& mark = {});
  /// The mark that was kept last; empty: none.
  [[nodiscard]] std::string mark();

  /// What was played where the session stands. Throws StoreError.
  [[nodiscard]] Exploration explore(const Session& session, const GameFilter& filter = {}, std::size_t recent = 8);
  [[nodiscard]] DatabaseStats stats();

 private:
  class Impl;
  explicit GameDatabase(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace paika::server
