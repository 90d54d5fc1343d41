// Rectangular Abalone: its options, and the door to its notation (docs/rules/abalone.md).
//
// Black is Player::first, White is Player::second. Every piece is a Cell of kind 'o'.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "rules/notation.hpp"
#include "rules/spec.hpp"
#include "rules/topics.hpp"

namespace paika::abalone {

/// 4.2, 4.4: which moves of pieces that the opponent could push are forbidden.
enum class Freeze : unsigned char {
  off,       // none
  strict,    // any that would move such a piece
  initiator  // any that chooses such a piece
};

struct Options {
  int rows = 4;
  int cols = 4;
  int captures = 2;
  bool misere = false;
  Freeze freeze = Freeze::off;
  bool must = false;

  friend bool operator==(const Options&, const Options&) = default;
};

inline constexpr int min_side = 3;
inline constexpr int max_rows = 99;
inline constexpr int max_cols = 26;

/// 1.2: how many pieces each side starts with; also the most captures a game can ask for (1.1).
[[nodiscard]] constexpr int pieces_each(const Options& options) noexcept { return options.rows + options.cols - 3; }

[[nodiscard]] const GameInfo& info();
/// Reads "abalone:5x4,captures=2,misere"; an error lists what is valid.
[[nodiscard]] Result<Options> read_options(std::string_view spec);
/// The one spelling of these options: the size, then what differs from the standard.
[[nodiscard]] std::string canonical_spec(const Options& options);
/// The notation for `options`. Requires options that read_options could return.
[[nodiscard]] std::unique_ptr<Notation> make_notation(const Options& options);

/// What the rules put to the test (topics.cpp).
extern const RuleTopics rule_topics;

}  // namespace paika::abalone
