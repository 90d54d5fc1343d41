// Fanorona: what the rest of the system knows of it before any position exists.
//
// The table of options, the reading and writing of spec strings, and the door to the notation. The
// rules are docs/rules/fanorona.md; numbers in comments are its clauses.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "rules/notation.hpp"
#include "rules/spec.hpp"
#include "rules/topics.hpp"

namespace paika::fanorona {

inline constexpr int max_side = 13;                   // 1.1
inline constexpr int max_limit = 1'000'000;           // of the option `limit`
inline constexpr int max_move_count = 1'000'000'000;  // in a position; counting stops there

/// The draw limit when none is given: ten moves a row (3.2).
[[nodiscard]] constexpr int standard_limit(int rows) noexcept { return 10 * rows; }

/// One game of the family. Player::first is White, Player::second is Black (1.4).
struct Options {
  int cols = 9;
  int rows = 5;
  bool sacrifice = true;          // 2.5
  int limit = standard_limit(5);  // moves until the draw of 3.2; 0: none

  friend bool operator==(const Options&, const Options&) = default;
};

/// Name, sizes, options and presets as data.
[[nodiscard]] const GameInfo& info();
/// Reads "fanorona:5x5,sacrifice=off,…"; refuses with what would be valid.
[[nodiscard]] Result<Options> read_options(std::string_view spec);
/// The shortest spec in standard order; reading it gives the same options.
[[nodiscard]] std::string canonical_spec(const Options& options);
/// The notation of one game. Requires options that read_options could give.
[[nodiscard]] std::unique_ptr<Notation> make_notation(const Options& options);

/// What the rules put to the test (topics.cpp).
extern const RuleTopics rule_topics;

}  // namespace paika::fanorona
