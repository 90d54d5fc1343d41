// Engine: the computer player behind the virtual door. One per player; all games alike.
//
// An Engine keeps what it learned (its table) from one call to the next, so a game is played with
// one Engine a side. It does one search at a time and is not thread-safe, but `stop` of the token
// given to think() may be requested from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/game.hpp"
#include "search/types.hpp"

namespace paika {

/// One line of play with its score for the side to move at its start.
struct InfoLine {
  int score = 0;                   // in hundredths of a piece; search/types.hpp says how wins are told
  bool exact = false;              // proven to the end of the game, not estimated
  bool at_most = false;            // a proven win or loss that may come sooner: its distance is only a bound
  std::vector<Turn> turns;         // at least one
  std::vector<std::string> texts;  // the same as canonical move texts
  std::optional<int> book{};       // what the opening book says of the first turn, where it knows it
};

/// How far a search has come.
struct SearchInfo {
  int depth = 0;            // completed, in turns
  int selective_depth = 0;  // the longest line looked at
  std::uint64_t nodes = 0;
  Milliseconds time{0};
  int table_permille = 0;       // how full the table is
  std::vector<InfoLine> lines;  // best first; as many as were asked for and exist
};

/// A reason for the evaluation at the end of the best line, for people.
struct Reason {
  std::string name;
  int value = 0;  // for the side that was to move at the root
};

struct Decision {
  Turn turn;
  std::string text;
  SearchInfo info;  // the last state; the line of the chosen turn comes first
  std::vector<Reason> reasons;
  std::string table;  // the file of perfect play that the answer was read from; empty: it was searched
  bool book = false;  // the answer comes from the opening book
};

class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  /// Chooses a turn for the side to move. Requires a session of the game this engine was made
  /// from, with a game that is not over. Always returns a legal turn, also when stopped at once.
  /// `on_progress` is called on the calling thread whenever a depth was completed.
  [[nodiscard]] virtual Decision think(const Session& session, const SearchLimits& limits, std::stop_token stop = {},
                                       const std::function<void(const SearchInfo&)>& on_progress = {}) = 0;
  /// Takes other settings from the next search on; may throw std::bad_alloc if the table is too large.
  virtual void set(const SearchSettings& settings) = 0;
  /// Forgets everything learned, so that the next search depends on nothing before it.
  virtual void forget() = 0;
};

/// A score for people, in pieces or discs: "+1.25", "0.00"; or "win in 5", "loss in 4" (turns of both sides).
[[nodiscard]] std::string score_text(int score);
/// The same of a line, with all that is known of it: also "win in at most 23", and "draw" if that is proven.
[[nodiscard]] std::string score_text(const InfoLine& line);

}  // namespace paika
