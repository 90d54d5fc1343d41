// What is asked of a proof search and what it answers, for every game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "search/types.hpp"

namespace paika {

/// Whether the attacker can force a win.
enum class ProofAnswer : std::uint8_t { unknown, proven, disproven };

/// What something outside the search (an endgame table) knows of a position.
enum class ProbeAnswer : std::uint8_t { unknown, attacker_wins, attacker_does_not_win };

/// Why a proof search came to its end.
enum class ProofEnd : std::uint8_t {
  decided,   // the answer was found
  nodes,     // the limit of nodes
  time,      // the limit of time
  stopped,   // told so from outside
  memory,    // the path, or the positions to be checked, would not fit
  key_clash  // the check found two positions with one key; nothing is claimed
};

struct ProofSettings {
  std::size_t table_bytes = std::size_t{64} << 20;  // of the table, never more; at least one bucket is made
  std::size_t check_bytes = std::size_t{64} << 20;  // of the positions kept while an answer is checked
  std::size_t path_bytes = std::size_t{1} << 30;    // of the turns of the positions on the present path
};

/// The first limit reached ends the search; none at all: until it is told to stop.
struct ProofLimits {
  std::optional<std::uint64_t> nodes;
  std::optional<Milliseconds> time;
};

struct ProofProgress {
  std::uint64_t nodes = 0;
  Milliseconds time{0};
  int table_permille = 0;
  bool checking = false;  // an answer is there and is being checked
};
using OnProgress = std::function<void(const ProofProgress&)>;

/// The answer to "can the attacker force a win?".
template <class Move>
struct ProofResult {
  ProofAnswer answer = ProofAnswer::unknown;
  ProofEnd end = ProofEnd::decided;
  /// The answer was checked with whole positions from beginning to end (proof.hpp says what that
  /// means). An answer that is not checked holds unless two positions that were met have the same
  /// 64-bit key.
  bool checked = false;
  std::uint64_t nodes = 0;              // positions whose turns were listed, each time they were
  std::uint64_t checked_positions = 0;  // different positions that the check looked at
  Milliseconds time{0};
  int table_permille = 0;

  // Of a proof only.
  std::vector<Move> winning;  // the attacker's turns at the root that are proven; others may win as well
  /// The attacker's quickest known way against the defender's longest resistance. If the proof was not
  /// checked the line may stop early, or be longer than `length` where parts had to be proven anew.
  std::vector<Move> line;
  /// The attacker wins in at most so many turns of both sides: the depth of the proof that was found,
  /// which need not be the shortest. Nothing if parts of the proof were lost again.
  std::optional<int> length;
  /// The line stops, or the length counts, where the probe said that the rest is won.
  bool ends_in_probe = false;
};

/// What is known of the value of a position, for the side to move.
enum class KnownValue : std::uint8_t { unknown, win, loss, draw, at_least_draw, at_most_draw };

template <class Move>
struct ValueResult {
  KnownValue value = KnownValue::unknown;
  ProofResult<Move> mover;                    // can the side to move force a win?
  std::optional<ProofResult<Move>> opponent;  // can the other side? Not asked after a win
};

}  // namespace paika
