// Black & White (Othello): its options, its notation and its game records. The rules are in
// docs/rules/othello.md, whose clauses the code cites.
//
// Player::first is Black (text X), Player::second is White (text O); a pawn's kind is 'o'.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "rules/notation.hpp"
#include "rules/spec.hpp"
#include "rules/topics.hpp"

namespace paika::othello {

inline constexpr int min_size = 6;
inline constexpr int max_size = 26;

struct Options {
  int size = 8;  // 1.1: the board has size x size squares; even, smallest_size to largest_size

  friend bool operator==(const Options&, const Options&) = default;
};

[[nodiscard]] const GameInfo& info();

/// Reads "othello:8x8"; what follows the name may be left out. Errors say which sizes there are.
[[nodiscard]] Result<Options> read_options(std::string_view spec);
/// The spec for reading `position`: if `spec` names no size, that of the text's length is added (4.1).
[[nodiscard]] std::string spec_for_position(std::string_view spec, std::string_view position);

/// The spec that read_options turns into `options` again: always with the size.
[[nodiscard]] std::string canonical_spec(const Options& options);

[[nodiscard]] std::unique_ptr<Notation> make_notation(const Options& options);

/// The moves of a game record as they are written (4.3). What is no move is cut up to the next blank.
[[nodiscard]] std::vector<std::string_view> split_record(std::string_view text);

/// The turns of a game record from the start (4.3): moves run together, blanks ignored. A forced pass
/// may be written or left out before a placing; the turns returned contain it either way. Every
/// move is checked; an error says which one is wrong and why.
[[nodiscard]] Result<std::vector<Turn>> parse_record(const Options& options, std::string_view text);

/// What the rules put to the test (topics.cpp).
extern const RuleTopics rule_topics;

}  // namespace paika::othello
