// Walk: a game that is looked at turn by turn: a record that is replayed, or a demonstration.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "apps/terminal/conversation.hpp"
#include "play/demo.hpp"
#include "play/record.hpp"

namespace paika::terminal {

/// One place to stop at: a board and what is to be said about how it came.
struct WalkStop {
  Board board;
  std::size_t turns = 0;              // so many turns have been played
  std::vector<Square> last;           // of the turn that led here
  std::vector<Square> refused;        // of a turn that is shown because it is refused
  std::vector<Effect> effects;        // of the turn that led here from the board before; else none
  std::vector<ReplyLine> words;       // may be empty
  std::array<std::string, 2> clocks;  // what each player had left; "" where nobody knows
  std::optional<int> score;           // for the first player, as its player saw it
};

struct Walk {
  GamePtr game;
  std::string title;
  std::array<std::string, 2> players;  // "White: engine:level=5"
  std::vector<std::string> turns;      // the texts of all turns
  std::vector<WalkStop> stops;         // at least one
};

/// A walk through a record. The error is that of a turn that is not legal.
[[nodiscard]] Result<Walk> walk_of(const play::GameRecord& record, const Catalogue& catalogue);

/// A walk through a demonstration, with its captions in a language.
[[nodiscard]] Walk walk_of(const play::Demo& demo, const Catalogue& catalogue, std::string_view language);

}  // namespace paika::terminal
