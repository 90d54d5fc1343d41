// TournamentPlan: what is to be played by whom, read from a file (plan_file.hpp) or from options.
//
// Both give entries, a key with its value and the place it stands at; build_plan() makes a plan of them. What is wrong
// is said with its place and with what would be valid, and unknown keys are errors, so that no misspelt key is ignored.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "protocols/participant.hpp"

namespace paika::tournament {

using Json = nlohmann::json;

enum class System : unsigned char { round_robin, double_round_robin, gauntlet, swiss, knockout };

/// "round-robin", "double-round-robin", "gauntlet", "swiss", "knockout".
[[nodiscard]] std::string_view name(System system) noexcept;

/// Who goes on when a knockout match is still even after its further games.
enum class TieBreak : unsigned char {
  seed,  // the better seeded player
  lot    // drawn from the tournament's seed
};

[[nodiscard]] std::string_view name(TieBreak tie_break) noexcept;

struct PlannedPlayer {
  std::string name;
  std::string text;  // "engine:…" or "bot:COMMAND"
  protocols::BotProtocol protocol = protocols::BotProtocol::ugi;
  std::string folder;                   // as written; empty: none
  std::string folder_found;             // where that is, seen from here
  std::string owner;                    // for people and pages; empty: nobody in particular
  std::vector<std::string> readable{};  // more files and folders that its program may read, seen from here
};

inline constexpr std::size_t max_players = 256;
inline constexpr int max_legs = 1000;
inline constexpr int max_rounds = 1000;

struct TournamentPlan {
  std::string name = "tournament";
  System system = System::round_robin;
  std::vector<std::string> games;  // canonical specs; each pairing plays each of them
  int rounds = 0;                  // of a Swiss tournament
  int legs = 1;                    // games of a pairing in each spec
  std::uint64_t seed = 1;
  int opening_plies = 4;            // turns by chance before the players begin
  int balance = 300;                // openings with a larger advantage are left out, in hundredths of a piece; 0: none
  std::string openings_file;        // as written; then `starts` has its positions
  std::vector<std::string> starts;  // empty: openings by chance
  std::string settings;             // of all players, as text: "time=100ms,hash=16"
  int max_turns = 500;
  int extra_pairs = 2;  // of a knockout match that is even: so many times two games more
  TieBreak tie_break = TieBreak::seed;
  std::vector<PlannedPlayer> players;
  protocols::SandboxPolicy policy;

  // What may change between two runs of the same tournament.
  int concurrency = 0;   // games at the same time here; 0: one a processor
  std::string database;  // with the queue that workers take games from; empty: none elsewhere
};

/// Games of one meeting of two players.
[[nodiscard]] int games_of_pairing(const TournamentPlan& plan) noexcept;

/// Everything that decides which games are played and how: two plans with the same are the same tournament.
[[nodiscard]] Json plan_json(const TournamentPlan& plan);

/// What the second differs in, in words: "seed was 1 and is 2"; at most a few of them. Empty: nothing.
[[nodiscard]] std::string difference(const Json& before, const Json& after);

// ---- Entries ----

using PlanValue = std::variant<std::int64_t, std::string, std::vector<std::string>>;

struct PlanEntry {
  std::string key;
  PlanValue value;
  std::string place;  // "class.toml, line 3, column 8" or "--seed"
};

using EntryList = std::vector<PlanEntry>;

struct PlanEntries {
  EntryList tournament;
  EntryList limits;
  EntryList workers;
  std::vector<EntryList> players;
  std::vector<std::string> player_places;
  std::string place;   // of the whole: the file's name, or "the options"
  std::string folder;  // that relative names start at; empty: where we are
};

[[nodiscard]] Result<TournamentPlan> build_plan(const PlanEntries& entries);

}  // namespace paika::tournament
