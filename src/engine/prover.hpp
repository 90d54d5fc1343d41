// Proving a position's value by search, for boards too large for a table.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/game.hpp"
#include "search/proof_types.hpp"

namespace paika {

struct ProofRequest {
  std::uint64_t memory = std::uint64_t{1} << 30;
  ProofLimits limits;  // of each of the two questions: can the mover win, can the opponent?
  std::stop_token stop{};
  OnProgress on_progress{};
  std::string tables;  // a folder; tables found there are used for positions that they hold
};

struct ProofReport {
  KnownValue value = KnownValue::unknown;  // for the side to move
  std::vector<std::string> winning;        // of a win: the turns that are proven
  std::vector<std::string> line;           // of a win or loss: a way to the end
  std::optional<int> length;               // the winner wins in at most so many turns
  bool checked = false;                    // walked through again with whole positions
  bool ends_in_table = false;              // the rest is known from a table
  std::uint64_t nodes = 0;
  Milliseconds time{0};
};

/// Tries to prove what the position of the session is worth, without its history: repetition counts from here on.
/// An error if the game is over, or its boards cannot be proven so.
[[nodiscard]] Result<ProofReport> prove(const Session& session, const ProofRequest& request);

}  // namespace paika
