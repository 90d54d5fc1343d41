// Settings of computer players as text: "time=100ms,hash=16,table=off", and who plays: "engine:…", "bot:…".
//
// The same words are used on the command line, in the engine protocol and in records. What is wrong
// with a text is said together with what would be valid.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "search/types.hpp"

namespace paika::play {

struct EngineSettings {
  SearchSettings search;
  SearchLimits limits;  // of one turn; the clock is the one a game begins with
  bool ponder = false;  // it thinks on while the opponent does
};

/// What a turn is limited to if nobody says anything.
inline constexpr Milliseconds standard_move_time{100};

/// The longest time that may be given, for a move as for a game.
inline constexpr Milliseconds max_time = std::chrono::hours(14 * 24);

[[nodiscard]] bool any_limit(const SearchLimits& limits) noexcept;

/// Reads a length of time: a number and its unit, "100ms", "0.5s", "2min". At least `least`.
[[nodiscard]] Result<Milliseconds> read_duration(std::string_view text, Milliseconds least);
/// The shortest text for a length of time: "100ms", "60s".
[[nodiscard]] std::string duration_text(Milliseconds time);

/// The keys that settings have, in the order people see them.
[[nodiscard]] const std::vector<std::string>& setting_keys();

/// Changes one setting. On an error nothing changes.
[[nodiscard]] Result<void> apply_setting(EngineSettings& settings, std::string_view key, std::string_view value);

/// Reads "key=value,key=value"; an empty text changes nothing of `base`. A key may be given once.
[[nodiscard]] Result<EngineSettings> read_settings(std::string_view text, const EngineSettings& base = {});

/// The limits as settings text: "time=100ms,depth=6"; "" if there are none.
[[nodiscard]] std::string limits_text(const SearchLimits& limits);

/// Who plays: our engine with settings, a program that speaks the engine protocol, or a person.
struct PlayerText {
  std::string text;         // as it was given
  std::string command;      // the program's shell command; empty: our engine
  EngineSettings settings;  // of our engine; of a program only limits and pondering count, of a person only limits
  bool person = false;
};

/// Reads "engine", "engine:SETTINGS" or "bot:COMMAND". What the text leaves open is as in `each`; limits
/// of its own replace all of those there.
[[nodiscard]] Result<PlayerText> read_player(std::string_view text, const EngineSettings& each);

/// The same where people may play: also "human" or "human:clock=5min+3s" (only time and clock). A person has
/// the limits of time of `each`; `engine_limits` are those of an engine that would have none at all.
[[nodiscard]] Result<PlayerText> read_seat(std::string_view text, const EngineSettings& each,
                                           const SearchLimits& engine_limits);

/// The text that read_seat reads as this player again; for a program, its command without its limits.
[[nodiscard]] std::string seat_text(const PlayerText& player);

/// The settings that differ from the standard as text: "level=5,hash=16"; "" if none does.
[[nodiscard]] std::string search_settings_text(const SearchSettings& settings);

}  // namespace paika::play
