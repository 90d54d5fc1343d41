// ExactSearch: perfect play by searching to the end of the game, where no table can be: Othello.
//
// Its positions never come back and every turn fills a square, so an ending of some twenty empty squares is searched
// in seconds. What counts is the margin, the difference of discs at the end with the empty squares for the winner.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace paika {

/// True if the game's endings are searched, and no table is made for it.
[[nodiscard]] bool solved_by_search(const Game& game);
/// How many squares nobody has taken.
[[nodiscard]] int empty_squares(const Board& board);

/// A legal turn with the discs by which the player of it wins if all play perfectly afterwards; less than 0: loses.
struct ExactTurn {
  std::string text;
  int margin = 0;
};

/// Perfect play from a position to the end.
struct ExactLine {
  int margin = 0;                  // for the side to move
  std::vector<std::string> turns;  // none if the game is over
};

/// For sessions of the game that it was opened with. Not thread-safe. How long a search takes grows some two to three
/// times with each empty square.
class ExactSearch {
 public:
  /// Requires solved_by_search(game). An error if its boards are too large for exact endings. May throw std::bad_alloc.
  [[nodiscard]] static Result<std::unique_ptr<ExactSearch>> open(const Game& game, int threads, int hash_mb);

  /// All legal turns, best first, equal ones by their texts; none if the game is over. An error if it was stopped.
  [[nodiscard]] Result<std::vector<ExactTurn>> turns(const Session& session, const std::stop_token& stop = {});
  /// The value and a best line. An error if it was stopped.
  [[nodiscard]] Result<ExactLine> best(const Session& session, const std::stop_token& stop = {});

 private:
  ExactSearch(const Game& game, const SearchSettings& settings);
  /// What the search says of the `lines` best turns. Requires that the game is not over.
  [[nodiscard]] Result<SearchInfo> info(const Session& session, int lines, const std::stop_token& stop);

  SearchSettings settings_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace paika
