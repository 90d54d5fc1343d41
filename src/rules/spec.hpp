// Spec strings: the one name of a game with its options, "fanorona:5x5,sacrifice=off,limit=0".
//
// A game declares its options as data (GameInfo); reading, refusing with a list of what is valid,
// and the help texts all come from that one table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace paika {

/// One option of a game, for reading specs and for help.
struct OptionInfo {
  std::string key;                  // "captures", "freeze"
  std::vector<std::string> values;  // the words it takes; empty: a whole number
  std::string bare;                 // the value `key` alone stands for; empty: a value must be given
  std::string standard;             // the value when it is not given, in words people read
  std::string meaning;              // one line
  /// The description of the game can be read in these ways, so that a program may follow any of them; else the values
  /// are games of their own.
  bool disputed = false;
};

/// How an option is written with a value: "freeze=off|strict", "limit=NUMBER".
[[nodiscard]] std::string option_form(const OptionInfo& option);

/// What a game tells about itself before any position exists.
struct GameInfo {
  std::string name;                  // "othello"
  std::vector<std::string> aliases;  // "blackwhite"
  std::string title;                 // "Black & White (Othello)"
  std::string summary;               // one line
  std::string size_form;             // translatable: "COLSxROWS, both odd, 1 to 13"; empty: the size is fixed
  std::string standard_size;         // "9x5"
  std::vector<OptionInfo> options;
  std::vector<OptionInfo> presets;    // bare words that stand for several options ("classic")
  std::vector<std::string> examples;  // specs worth showing
};

/// A size as written: the number before the x and the one after it.
struct SizeGiven {
  int before = 0;
  int after = 0;
};

/// A spec string taken apart and checked against a GameInfo: every key known, given once, and its
/// value one of the words (or a whole number). What numbers and sizes are allowed, the game says.
struct SpecValues {
  std::optional<SizeGiven> size;
  std::optional<std::string> preset;
  std::vector<std::pair<std::string, std::string>> options;

  /// The value given for `key`, or nothing.
  [[nodiscard]] std::optional<std::string> value(std::string_view key) const;
  /// The value given for `key` as a number, or nothing. Requires an option that takes a number.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const;
};

/// The name in front of the colon, as written.
[[nodiscard]] std::string_view spec_name(std::string_view spec) noexcept;

/// True if `name` is the game's name or one of its aliases, in any case.
[[nodiscard]] bool answers_to(const GameInfo& info, std::string_view name) noexcept;

/// Reads a whole spec of the game. Errors name the bad word and list what would be valid.
[[nodiscard]] Result<SpecValues> read_spec(std::string_view spec, const GameInfo& info);

}  // namespace paika
