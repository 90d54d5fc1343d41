// Game records: one text format for all games, written by matches and read by everything later.
//
// A record is lines of a keyword and its value, from "paika-record 1" to "end"; a file may hold any
// number of them (docs/protocol.md describes the format). Reading replays the game by its rules: a
// record that was read is a legal game with the result its rules give.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "rules/outcome.hpp"
#include "search/types.hpp"

namespace paika::play {

inline constexpr int record_version = 1;

/// The reasons for a game's end that are not of its rules, beside name(Failure).
inline constexpr std::string_view too_long_reason = "max_moves";  // drawn, for it went on too long
inline constexpr std::string_view unfinished_reason = "none";
inline constexpr std::string_view resigned_reason = "resigned";    // the loser gave it up
inline constexpr std::string_view agreed_reason = "agreed";        // drawn, for both wanted it
inline constexpr std::string_view abandoned_reason = "abandoned";  // ended without a result: ongoing for ever

/// A reason as it stands in a record, a file or a database; older ones have max_turns for too_long_reason.
[[nodiscard]] std::string read_reason(std::string_view written);

struct RecordedTurn {
  std::string text;  // canonical
  std::optional<std::chrono::microseconds> time;
  std::optional<int> score;  // as its player saw it, for the side to move
  int depth = 0;             // 0: not told

  friend bool operator==(const RecordedTurn&, const RecordedTurn&) = default;
};

struct GameResult {
  Verdict verdict = Verdict::ongoing;
  std::string reason{unfinished_reason};  // name(EndReason), name(Failure) or one of the above
  std::string remark;                     // for people: what a failure was about

  friend bool operator==(const GameResult&, const GameResult&) = default;
};

struct GameRecord {
  std::string spec;                    // canonical
  std::array<std::string, 2> players;  // by the order in which they move; may be empty
  std::array<SearchLimits, 2> limits;
  std::array<int, 2> since{};  // the limits came into force when so many turns had been played
  std::vector<std::string> notes;
  std::string start;  // canonical position text; empty: the game's own start
  int opening = 0;    // so many turns were given, not chosen by the players
  std::vector<RecordedTurn> turns;
  std::optional<std::chrono::microseconds> pending;  // the person to move has thought so long of the next turn
  GameResult result;
};

/// Nothing if a game whose rules say `outcome` can have ended so: the rules decide, and only a game that they leave
/// open ends by something else.
[[nodiscard]] Result<void> check_result(const Outcome& outcome, const GameResult& result);

/// The record as text, ended by "end\n".
[[nodiscard]] std::string record_text(const GameRecord& record);

/// All records of a text. An error names the line.
[[nodiscard]] Result<std::vector<GameRecord>> parse_records(std::string_view text);

}  // namespace paika::play
